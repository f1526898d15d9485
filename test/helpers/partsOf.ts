import type { Tree } from '../../src/core/storage/Tree.js';
import type { SpatialIndex } from '../../src/standalone.js';
import type { Layout } from '../../src/structures/tree/Layout.js';
import { partsOf } from '../../src/structures/tree/partsOf.js';

/** The tree inside an index. */
export function treeOf(index: SpatialIndex): Tree {
  return partsOf(index, 'treeOf').layout.tree;
}

/** The layout inside an index. */
export function layoutOf<L extends Layout>(index: SpatialIndex): L {
  return partsOf(index, 'layoutOf').layout as L;
}
