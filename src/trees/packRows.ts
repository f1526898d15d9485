import { BOX } from '../core/box.js';
import { ROW } from './Rows.js';
import { selectMedian } from './selectMedian.js';
import type { Tree } from './Tree.js';

/**
 * Places the items `order[lo]` to `order[hi - 1]` under `node`, in as few rows of neighbours as hold them. The rows are
 * about equally full, which leaves room in most for later items. The range is halved across its longest side until a
 * part fits a row: a k-d tree of which only the leaves are kept. `order` is rearranged within the range.
 */
export function packRows(
  tree: Tree,
  node: number,
  ids: Int32Array,
  boxes: Float64Array,
  order: Int32Array,
  lo: number,
  hi: number,
): void {
  // Each pop leaves one waiting part and the parts halve, so 2 * 32 numbers are enough for 2^31 items.
  const pending = [lo, hi];
  while (pending.length > 0) {
    const to = pending.pop() as number;
    const from = pending.pop() as number;
    const rows = Math.ceil((to - from) / ROW);
    if (rows === 0) continue;
    if (rows === 1) {
      packRow(tree, node, ids, boxes, order, from, to);
      continue;
    }
    const middle = from + Math.floor(((to - from) * Math.ceil(rows / 2)) / rows);
    selectMedian(boxes, order, from, to, middle, false);
    pending.push(middle, to, from, middle);
  }
}

/** Places the items `order[from]` to `order[to - 1]`, no more than a row holds, in a new row under `node`. */
export function packRow(
  tree: Tree,
  node: number,
  ids: Int32Array,
  boxes: Float64Array,
  order: Int32Array,
  from: number,
  to: number,
): void {
  const { nodes, rows } = tree;
  const child = tree.addRow(node, false);
  for (let i = from; i < to; i++) rows.append(nodes.row[child], ids[order[i]], boxes, BOX * order[i]);
  rows.tighten(nodes.row[child], tight);
  nodes.widen(child, tight, 0);
  nodes.countUp(child, to - from);
}

const tight = new Float64Array(BOX);
