import type { ArrayCamera, Camera, Frustum, FrustumArray } from 'three';
import { flattenPlanes } from './cameraPlanes.js';

/** The planes by which a pass culls, written to the same arrays each time. */
export class PassViews {
  readonly #planes: Float64Array[] = [];

  /** Those of the frustum of a camera or light, or of each view of an `ArrayCamera`. */
  of(frustum: Frustum | FrustumArray, camera: Camera): Float64Array[] {
    const frusta =
      'planes' in frustum ? [frustum] : (camera as ArrayCamera).cameras.map((_, i) => frustum.getFrustum(i) as Frustum);
    const planes = this.#planes;
    planes.length = frusta.length;
    for (let i = 0; i < frusta.length; i++) {
      planes[i] ??= new Float64Array(24);
      flattenPlanes(frusta[i].planes, planes[i]);
    }
    return planes;
  }
}

/** Most passes between two questions. */
const LONGEST = 15;

/**
 * Remembers that a view saw too much for a list to pay off, as that changes little from frame to frame: after each
 * refusal in a row, twice as many passes are refused without a query. The picture is the same either way.
 */
export class Refusals {
  #pause = 0;
  #left = 0;

  /** True when the next question would probably be refused, and need not be asked. */
  isLikely(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  /** Remembers an answer. */
  note(isRefused: boolean, longest: number = LONGEST): void {
    this.#pause = isRefused ? Math.min(2 * this.#pause + 1, longest) : 0;
    this.#left = this.#pause;
  }
}
