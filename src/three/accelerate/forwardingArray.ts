import type { Object3D } from 'three';

/**
 * A list of other children for who walks along it by index, as renderers and raycasters do. To all else it is the list of
 * the real ones: three's `add`, `remove` and `clear` call its methods, and so does nearly everybody who is no walker.
 *
 * @param shown What a walker is to find; it is not copied.
 * @param real The list that is meant.
 */
export function forwardingArray(shown: readonly Object3D[], real: () => Object3D[]): Object3D[] {
  const list = [...shown];
  const methods = Object.create(Array.prototype);
  for (const name of Reflect.ownKeys(Array.prototype)) {
    const method = Array.prototype[name as keyof typeof Array.prototype] as unknown;
    if (typeof method !== 'function' || name === 'constructor') continue;
    Object.defineProperty(methods, name, {
      value: (...given: unknown[]) => Reflect.apply(method, real(), given),
    });
  }
  return Object.setPrototypeOf(list, methods);
}
