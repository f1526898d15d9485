import { ROOT } from '../Nodes.js';
import { packRow } from '../packRows.js';
import { selectMedian } from '../selectMedian.js';
import type { Tree } from '../Tree.js';

/** Most entries in a row after a build, which leaves room for later items. */
const FILL = 12;

/**
 * Builds a binary tree over the first `count` items that `order` names, below the root, from the top down: each part is
 * halved across its longest side until it fits a row. Siblings have equally many rows, or one of them has one more.
 * Nodes and rows are made in depth-first order, so neighbours in the tree are neighbours in memory, and a parent has a
 * lower number than its children. `order` is rearranged.
 */
export function buildBvh(
  tree: Tree,
  ids: Int32Array,
  boxes: Float64Array,
  order: Int32Array,
  count: number,
  planar: boolean,
): void {
  // Each pop leaves one waiting part and the parts halve, so 3 * 32 numbers are enough for 2^31 items.
  const pending = count > 0 ? [ROOT, 0, count] : [];
  while (pending.length > 0) {
    const to = pending.pop() as number;
    const from = pending.pop() as number;
    const parent = pending.pop() as number;
    const rows = Math.ceil((to - from) / FILL);
    if (rows === 1) {
      packRow(tree, parent, ids, boxes, order, from, to);
      continue;
    }
    const node = tree.addNode(parent);
    // The first part has no more rows than the second, so a row comes before an inner node.
    const middle = from + Math.floor(((to - from) * (rows >> 1)) / rows);
    selectMedian(boxes, order, from, to, middle, planar);
    pending.push(node, middle, to, node, from, middle);
  }
}
