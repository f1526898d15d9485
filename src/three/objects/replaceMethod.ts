/**
 * Puts a method in the place of one that an object has, as its own or from its class; it is not enumerable. Returns what puts
 * the object back: one that somebody else has put there since stays, and shows as it would without ours.
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

/** Makes a property enumerable that was assigned in the place of one that is not. */
export function showOwn(object: object, name: string): void {
  const own = Object.getOwnPropertyDescriptor(object, name);
  if (own?.configurable && own.writable && !own.enumerable) {
    Object.defineProperty(object, name, { ...own, enumerable: true });
  }
}
