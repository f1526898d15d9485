import { structureOf } from '../../src/contract/Structure.js';
import type { PackedStructure } from '../../src/packed/Packed.js';
import type { PackedItems } from '../../src/packed/PackedItems.js';
import { type SpatialIndex, STRUCTURES } from '../../src/standalone.js';
import type { Tree } from '../../src/trees/Tree.js';
import type { Layout, TreeStructure } from '../../src/trees/TreeStructure.js';

/** The structures that keep a tree. */
export const TREES = STRUCTURES.filter((name) => name !== 'packed');

/** The tree inside an index. */
export function treeOf(index: SpatialIndex): Tree {
  return (structureOf(index, 'treeOf') as TreeStructure).tree;
}

/** How often items have outgrown an index, so that it was built anew. */
export function rebuildsOf(index: SpatialIndex): number {
  return (structureOf(index, 'rebuildsOf') as TreeStructure).rebuilds;
}

/** The layout inside an index. */
export function layoutOf<L extends Layout>(index: SpatialIndex): L {
  return (structureOf(index, 'layoutOf') as TreeStructure).layout as L;
}

/** The items of a packed index. */
export function packedOf(index: SpatialIndex): PackedItems {
  return (structureOf(index, 'packedOf') as PackedStructure).items;
}
