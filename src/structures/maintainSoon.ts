import { warnOfChunk } from '../core/warnOfChunk.js';
import type { SpatialIndex } from './contract/SpatialIndex.js';
import { structureOf } from './contract/structureOf.js';
import type { PackedStructure } from './packed/PackedStructure.js';

let maintainTree: ((index: SpatialIndex, budgetMs: number) => boolean) | null = null;
let isRequested = false;

/**
 * Does what `maintain` does, with a budget that was checked. What trees need is loaded when the first of them is to be
 * maintained, from a chunk of its own; until it is there, nothing is done.
 */
export function maintainSoon(index: SpatialIndex, budgetMs: number): void {
  const structure = structureOf(index, 'maintain');
  if (structure.name === 'packed') {
    (structure as PackedStructure).upkeep.run(budgetMs);
    return;
  }
  maintainTree?.(index, budgetMs);
  if (isRequested) return;
  isRequested = true;
  import('./maintain.js').then(({ maintain }) => {
    maintainTree = maintain;
  }, warnOfChunk);
}
