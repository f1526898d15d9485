import { Mesh, type Object3D, REVISION } from 'three';

/**
 * Replaces an object's own method, or its class's, by a method that is not enumerable. Returns a function that restores
 * the former method. A method put there by other code since stays, and is enumerable as it would be without ours.
 */
export function replaceMethod<T extends object>(object: T, name: keyof T & string, method: T[keyof T]): () => void {
  const before = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { configurable: true, writable: true, value: method });
  return () => {
    const own = Object.getOwnPropertyDescriptor(object, name);
    if (object[name] === method) {
      Reflect.deleteProperty(object, name);
      if (before !== undefined) Object.defineProperty(object, name, before);
    } else if (own?.configurable && own.writable && !own.enumerable) {
      // The present method was assigned over ours.
      Object.defineProperty(object, name, { ...own, enumerable: true });
    }
  };
}

/** By object, a method with the results of its class's `raycast` that uses an index of its instances. */
export const indexedRaycasts: WeakMap<Object3D, Object3D['raycast']> = new WeakMap();

/** The method by which an object is cast at: its `raycast`, or a faster method with the same results. */
export function castOf(object: Object3D): Object3D['raycast'] {
  const { raycast } = object;
  const indexed = indexedRaycasts.get(object);
  return indexed !== undefined && raycast === Object.getPrototypeOf(object).raycast ? indexed : raycast;
}

/** Throws before r186. Since then renderers ask each object whether it meets a frustum, which makes the lists. */
export function checkRevision(where: string): void {
  if (Mesh.prototype.intersectsFrustum !== undefined) return;
  throw new Error(`${where}: needs three r186 or newer, this is r${REVISION}; SceneIndex alone works with r168`);
}
