import type { BufferGeometry, Object3D } from 'three';
import { forgetGeometryBounds } from './geometryBounds.js';
import { forgetInstanceBounds } from './instanceBounds.js';
import { geometryOf } from './worldBounds.js';

/** Forgets the bounds of an object's instances and of its geometry, if that is not among those that were looked at. */
export function forgetBounds(object: Object3D, looked: Set<BufferGeometry>): void {
  forgetInstanceBounds(object);
  try {
    const geometry = geometryOf(object);
    if (geometry === null || looked.has(geometry)) return;
    looked.add(geometry);
    forgetGeometryBounds(geometry);
  } catch {
    // Reported by `Entries.#measure`.
  }
}
