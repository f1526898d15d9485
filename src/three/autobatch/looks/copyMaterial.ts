import { type Color, type Material, MathUtils } from 'three';
import { isComparable, isFlat } from './MaterialTraits.js';

/**
 * A copy of a material in white, for draws that have colours of their own, which renderers sort as they would sort the
 * material itself: its `id` is the same. Textures and lists are shared, so that what is in them may be edited in place;
 * `userData`, which may hold anything, is left out.
 */
export function copyMaterial(material: Material): Material & { color: Color } {
  const fresh = new (material.constructor as new () => Material)() as Material & { color: Color };
  const own: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(fresh);
  for (const [name, value] of Object.entries(material)) {
    if (name === 'userData' || name === '_listeners' || name === 'uuid' || name === 'version') continue;
    own[name] = { value: shared(value), writable: true, enumerable: true, configurable: true };
  }
  own.id = { value: material.id };
  own.uuid = { value: MathUtils.generateUUID(), writable: true, enumerable: true, configurable: true };
  const copy = Object.create(Object.getPrototypeOf(fresh), own);
  copy.color.set(1, 1, 1);
  return copy;
}

function shared(value: unknown): unknown {
  if (isComparable(value)) return value.clone();
  return isFlat(value) ? { ...(value as object) } : value;
}
