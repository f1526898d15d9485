import { type Colored, drawnProperties } from './drawnProperties.js';
import { copyOf } from './MaterialTraits.js';

/** Of so many ids each has room in double precision beside another one. */
const MOST_IDS = 2 ** 26;

/**
 * A copy of a material in white, for draws that have colours of their own. Textures and lists are shared, so that what is in
 * them may be edited in place; what no shader sees is left out.
 *
 * Renderers sort by `id`, and take two materials of one id that follow each other for the same, whose uniforms are set. So
 * that of the copy is the one that it is to be sorted by and a fraction which no other material has.
 *
 * @param sortId The id of a material next to which it is to be sorted, asked whenever renderers sort.
 */
export function copyMaterial(material: Colored, sortId: () => number): Colored {
  const fresh = new (material.constructor as new () => Colored)();
  const own: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(fresh);
  for (const name of drawnProperties(material) ?? []) {
    const value = copyOf((material as unknown as Record<string, unknown>)[name]);
    if (value !== undefined) own[name] = { value, writable: true, enumerable: true, configurable: true };
  }
  const fraction = fresh.id / MOST_IDS;
  own.id = { get: () => sortId() + fraction };
  return Object.create(Object.getPrototypeOf(material), own);
}
