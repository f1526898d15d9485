import { type Camera, type Object3D, Raycaster, type Vector2 } from 'three';
import type { SceneIndex } from '../scene/SceneIndex.js';

/** What was picked. */
export interface Pick {
  readonly object: Object3D;
  /** The instance that was hit, of a mesh with instances. */
  readonly instance: number | null;
}

/**
 * The nearest object at a point of the picture. Unlike three's casts it goes through what is hidden.
 * @param point In normalised device coordinates.
 */
export function pickVisible(index: SceneIndex, camera: Camera, point: Vector2): Pick | null {
  const raycaster = new Raycaster();
  raycaster.layers.mask = camera.layers.mask;
  raycaster.setFromCamera(point, camera);
  for (const { object, instanceId, batchId } of index.raycast(raycaster)) {
    if (isVisible(object)) return { object, instance: instanceId ?? batchId ?? null };
  }
  return null;
}

function isVisible(object: Object3D): boolean {
  for (let o: Object3D | null = object; o !== null; o = o.parent) if (!o.visible) return false;
  return true;
}
