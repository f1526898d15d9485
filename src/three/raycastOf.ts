import type { Object3D } from 'three';

/** Methods put in place of objects' own `raycast`: they answer as the method of the object's class does. */
export const stampedMethods: WeakSet<object> = new WeakSet();

/** The `raycast` of an object, as if nothing had been put in its place. */
export function raycastOf(object: Object3D): Object3D['raycast'] {
  const { raycast } = object;
  return stampedMethods.has(raycast) ? Object.getPrototypeOf(object).raycast : raycast;
}
