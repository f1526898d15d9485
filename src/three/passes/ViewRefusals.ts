import type { Layers } from 'three';
import { Refusals } from '../cameras/Refusals.js';

/** The refusals of each view. A renderer has one frustum for all its cameras, and a light one for all pictures. */
export class ViewRefusals {
  readonly #byLayers = new WeakMap<Layers, WeakMap<object, Refusals>>();

  /** @param layers Those of the camera of the picture. */
  of(layers: Layers, frustum: object): Refusals {
    let byFrustum = this.#byLayers.get(layers);
    if (byFrustum === undefined) {
      byFrustum = new WeakMap();
      this.#byLayers.set(layers, byFrustum);
    }
    let refusals = byFrustum.get(frustum);
    if (refusals === undefined) {
      refusals = new Refusals();
      byFrustum.set(frustum, refusals);
    }
    return refusals;
  }
}
