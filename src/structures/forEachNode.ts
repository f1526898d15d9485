import { inWords } from '../core/inWords.js';
import type { NodeView } from './contract/NodeView.js';
import type { SpatialIndex } from './contract/SpatialIndex.js';
import type { GridLayout } from './grid/GridLayout.js';
import { gridRegion } from './grid/gridRegion.js';
import type { CellLayout } from './octree/CellLayout.js';
import { cellRegion } from './octree/cellRegion.js';
import { describeNodes } from './tree/describeNodes.js';
import type { Layout } from './tree/Layout.js';
import { partsOf } from './tree/partsOf.js';

/**
 * Calls `visit` for every node of an index, parents before children. Changes made by `visit` do not show until the next
 * call.
 * @throws TypeError for an index or a visitor that is none.
 */
export function forEachNode(index: SpatialIndex, visit: (node: NodeView) => void): void {
  const { layout } = partsOf(index, 'forEachNode');
  if (typeof visit !== 'function') {
    throw new TypeError(`forEachNode: the visitor must be a function, got ${inWords(visit)}`);
  }
  // The nodes are copied before the first call, so `visit` may change the index.
  describeNodes(layout.tree, (node, out) => writeRegion(layout, node, out)).forEach(visit);
}

/** Replaces the content box of a node in `out` by the region it stands for, in a structure that has cells. */
function writeRegion(layout: Layout, node: number, out: Float64Array): void {
  if (layout.structure === 'grid') gridRegion((layout as GridLayout).cells, node, out);
  else if (layout.structure === 'octree' || layout.structure === 'looseOctree') {
    cellRegion((layout as CellLayout).cells, node, out);
  }
}
