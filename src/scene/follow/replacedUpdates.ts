import type { Object3D } from 'three';

type Update = Object3D['updateMatrixWorld'];

/** Methods of ours that were put in the place of an object's `updateMatrixWorld`, with what was there before. */
export const replacedUpdates: WeakMap<Update, Update> = new WeakMap();

/** The `updateMatrixWorld` of an object, as if nothing of ours had been put in its place. */
export function updateOf({ updateMatrixWorld }: Object3D): Update {
  return replacedUpdates.get(updateMatrixWorld) ?? updateMatrixWorld;
}
