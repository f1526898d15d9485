import type { Counters } from '../contract/Counters.js';
import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { structureOf } from '../contract/structureOf.js';
import type { PackedStructure } from '../packed/PackedStructure.js';
import type { TreeStructure } from '../trees/TreeStructure.js';
import type { JoinTree } from './JoinTree.js';
import { treeOfRows } from './treeOfRows.js';

/** The tree of an index and the counters of its queries; of an index that has none a tree is made. */
export function treeOf(index: SpatialIndex, where: string): { tree: JoinTree; walk: Counters } {
  const structure = structureOf(index, where);
  if (structure.name !== 'packed') return structure as TreeStructure;
  const { rows, walk } = (structure as PackedStructure).items;
  walk.begin();
  return { tree: treeOfRows(rows), walk };
}
