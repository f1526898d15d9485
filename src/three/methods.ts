import { Mesh, type Object3D, REVISION } from 'three';

/**
 * Puts a method, not enumerable, in the place of an object's own or that of its class. Returns a function that undoes
 * this: a method that other code has put there since stays, and is enumerable as it would be without ours.
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
      // It was assigned over ours.
      Object.defineProperty(object, name, { ...own, enumerable: true });
    }
  };
}

/** By object, a method of ours that does what the method of its class does, by an index of its instances. */
export const indexedRaycasts: WeakMap<Object3D, Object3D['raycast']> = new WeakMap();

/** The method by which an object is cast at: its `raycast`, or a faster one that does the same. */
export function castOf(object: Object3D): Object3D['raycast'] {
  const { raycast } = object;
  const indexed = indexedRaycasts.get(object);
  return indexed !== undefined && raycast === Object.getPrototypeOf(object).raycast ? indexed : raycast;
}

/** Since r186 renderers ask each object whether it meets a frustum, which lists are made by. */
export function checkRevision(where: string): void {
  if (Mesh.prototype.intersectsFrustum !== undefined) return;
  throw new Error(`${where}: needs three r186 or newer, this is r${REVISION}; SceneIndex alone works with r168`);
}
