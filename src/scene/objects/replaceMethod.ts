/**
 * Puts a method, not enumerable, in the place of an object's own one or that of its class. Returns a function that
 * undoes this: a method that other code has put there since stays, and is enumerable as it would be without ours.
 */
export function replaceMethod<T extends object>(object: T, name: keyof T & string, method: T[keyof T]): () => void {
  const before = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { configurable: true, writable: true, value: method });
  return () => {
    if (object[name] === method) {
      Reflect.deleteProperty(object, name);
      if (before !== undefined) Object.defineProperty(object, name, before);
    } else {
      showOwn(object, name);
    }
  };
}

/** Makes a property enumerable that was assigned over one that was not. */
export function showOwn(object: object, name: string): void {
  const own = Object.getOwnPropertyDescriptor(object, name);
  if (own?.configurable && own.writable && !own.enumerable) {
    Object.defineProperty(object, name, { ...own, enumerable: true });
  }
}
