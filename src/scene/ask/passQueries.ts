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
