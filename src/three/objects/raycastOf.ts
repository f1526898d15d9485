import type { Object3D } from 'three';

/** Methods of ours in the place of an object's `raycast`, with its own one before; null for the method of its class. */
export const filteredRaycasts: WeakMap<object, Object3D['raycast'] | null> = new WeakMap();

/** The `raycast` of an object, as if nothing of ours had been put in its place. */
export function raycastOf(object: Object3D): Object3D['raycast'] {
  const { raycast } = object;
  const own = filteredRaycasts.get(raycast);
  return own === undefined ? raycast : (own ?? Object.getPrototypeOf(object).raycast);
}
