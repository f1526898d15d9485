import type { Layers, Object3D } from 'three';

/**
 * The mask of an object's layers, 0 without layers. Compared without `layers.test`, which may be hooked to notice
 * passes.
 */
export function maskOf(object: Object3D): number {
  return (object.layers as Layers | null | undefined)?.mask ?? 0;
}
