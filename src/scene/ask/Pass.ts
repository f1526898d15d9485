import type { ArrayCamera, Camera, Frustum, FrustumArray } from 'three';
import { flattenPlanes } from './cameraPlanes.js';

/** The planes by which a pass culls, written to the same arrays each time. */
export class PassViews {
  readonly #planes: Float64Array[] = [];

  /** Those of the frustum of a camera or light, or of each view of an `ArrayCamera`. */
  of(frustum: Frustum | FrustumArray, camera: Camera): Float64Array[] {
    const frusta = 'planes' in frustum ? [frustum] : frustaOf(frustum, camera as ArrayCamera);
    const planes = this.#planes;
    planes.length = frusta.length;
    for (let i = 0; i < frusta.length; i++) {
      planes[i] ??= new Float64Array(24);
      flattenPlanes(frusta[i].planes, planes[i]);
    }
    return planes;
  }
}

function frustaOf(frusta: FrustumArray, { cameras }: ArrayCamera): Frustum[] {
  return cameras.map((_, i) => frusta.getFrustum(i) as Frustum);
}

/** Passes at most between two questions. */
const LONGEST = 15;

/**
 * Remembers of a view whether it saw too much to make a list of it, as what it sees changes little from frame to frame:
 * after each refusal in a row twice as many passes are not asked about at all. Either way the picture is the same.
 */
export class Refusals {
  #pause = 0;
  #left = 0;

  /** True when the next question is likely to be refused, and need not be asked. */
  isLikely(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  /** Takes note of an answer. */
  note(isRefused: boolean): void {
    this.#pause = isRefused ? Math.min(2 * this.#pause + 1, LONGEST) : 0;
    this.#left = this.#pause;
  }
}
