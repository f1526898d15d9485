import type { Object3D } from 'three';

/** Methods put in place of objects' `raycast`: they answer as the given one does, or else as that of the object's class. */
export const filteredRaycasts: WeakMap<object, Object3D['raycast'] | null> = new WeakMap();

/** The `raycast` of an object, as if nothing had been put in its place. */
export function raycastOf(object: Object3D): Object3D['raycast'] {
  const { raycast } = object;
  const own = filteredRaycasts.get(raycast);
  return own === undefined ? raycast : (own ?? Object.getPrototypeOf(object).raycast);
}
