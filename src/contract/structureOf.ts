import { inWords } from '../core/inWords.js';
import type { Structure } from './Structure.js';

/** The structures by index, so that functions outside the class can reach them, and users of an index cannot. */
const structures = new WeakMap<object, Structure>();

export function registerStructure(index: object, structure: Structure): void {
  structures.set(index, structure);
}

/** The structure of an index; throws for anything else. */
export function structureOf(index: unknown, where: string): Structure {
  const structure = structures.get(index as object);
  if (structure === undefined) throw new TypeError(`${where}: must be an index, got ${inWords(index)}`);
  return structure;
}
