import type { Object3D } from 'three';

/** Methods of ours in the place of an object's `raycast`, with its own one before; null for the method of its class. */
export const filteredRaycasts: WeakMap<object, Object3D['raycast'] | null> = new WeakMap();

/** By object, a method of ours that does what the method of its class does, by an index of its instances. */
export const indexedRaycasts: WeakMap<Object3D, Object3D['raycast']> = new WeakMap();

/** The method by which an object is cast at: its `raycast`, or what does the same in less time. */
export function castOf(object: Object3D): Object3D['raycast'] {
  const raycast = raycastOf(object);
  const indexed = indexedRaycasts.get(object);
  return indexed !== undefined && raycast === Object.getPrototypeOf(object).raycast ? indexed : raycast;
}

/** The `raycast` of an object, as if nothing of ours had been put in its place. */
export function raycastOf(object: Object3D): Object3D['raycast'] {
  const { raycast } = object;
  const own = filteredRaycasts.get(raycast);
  return own === undefined ? raycast : (own ?? Object.getPrototypeOf(object).raycast);
}
