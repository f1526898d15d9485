import type { Counters } from '../query/Counters.js';
import type { JoinTree } from '../query/join/JoinTree.js';
import type { SpatialIndex } from './contract/SpatialIndex.js';
import { structureOf } from './contract/structureOf.js';
import type { PackedStructure } from './packed/PackedStructure.js';
import { treeOfRows } from './packed/treeOfRows.js';
import type { TreeStructure } from './tree/TreeStructure.js';

/** The tree of an index and the counters of its queries; of an index that has none a tree is made. */
export function treeOf(index: SpatialIndex, where: string): { tree: JoinTree; walk: Counters } {
  const structure = structureOf(index, where);
  if (structure.name !== 'packed') return structure as TreeStructure;
  const { rows, walk } = (structure as PackedStructure).items;
  return { tree: treeOfRows(rows), walk };
}

/**
 * Has packed rows know how many items a join over them has tested, by which they tell when it pays to put them in order.
 */
export function noteJoin(index: SpatialIndex, tested: number): void {
  const structure = structureOf(index, 'findPairs');
  if (structure.name === 'packed') (structure as PackedStructure).items.tested += tested;
}
