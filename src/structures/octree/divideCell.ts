import { BOX } from '../../core/box.js';
import type { Tree } from '../../core/storage/Tree.js';
import type { PlacementRule } from '../build/PlacementRule.js';
import type { CellNodes } from './CellNodes.js';
import type { CellOptions } from './CellOptions.js';
import { fillCells } from './fillCells.js';

/** Divides a crowded cell, where that separates its entries. */
export function divideCell(
  tree: Tree,
  cells: CellNodes,
  rule: PlacementRule,
  options: Required<CellOptions>,
  node: number,
): void {
  const ids = new Int32Array(tree.nodes.entries[node]);
  const boxes = new Float64Array(BOX * ids.length);
  tree.drainRows(node, ids, boxes, 0);
  const order = ids.map((_, i) => i);
  fillCells(tree, cells, rule, options, node, ids, boxes, order, null);
}
