import type { Layers, Object3D } from 'three';

/** The mask of an object's layers, to be compared without their `test`, which may tell of passes; of no layers, none. */
export function maskOf(object: Object3D): number {
  return (object.layers as Layers | null | undefined)?.mask ?? 0;
}
