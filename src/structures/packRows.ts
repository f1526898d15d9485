import { BOX, makeEmpty, unite } from '../core/box.js';
import { ROW } from '../core/Rows.js';
import type { Tree } from '../core/Tree.js';

/**
 * Files the items `order[lo]` to `order[hi - 1]` under `node` in as few rows of neighbours as hold them, all about
 * equally full, which leaves room in most for what comes later. The range is halved across its longest side until a part
 * fits a row: a k-d tree of which only the leaves are kept. `order` is rearranged within the range.
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
    const count = to - from;
    if (count <= 0) continue;
    const rows = Math.ceil(count / ROW);
    if (rows === 1) {
      packRow(tree, node, ids, boxes, order, from, to);
      continue;
    }
    const middle = from + Math.floor((count * Math.ceil(rows / 2)) / rows);
    select(boxes, longestAxis(boxes, order, from, to), order, from, to - 1, middle);
    pending.push(middle, to, from, middle);
  }
}

function packRow(
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
const centers = new Float64Array(BOX);
const center = new Float64Array(BOX);

function longestAxis(boxes: Float64Array, order: Int32Array, from: number, to: number): number {
  makeEmpty(centers, 0);
  for (let i = from; i < to; i++) {
    const o = BOX * order[i];
    for (let c = 0; c < 3; c++) center[c] = center[c + 3] = boxes[o + c] + boxes[o + c + 3];
    unite(centers, 0, center, 0);
  }
  const x = centers[3] - centers[0];
  const y = centers[4] - centers[1];
  const z = centers[5] - centers[2];
  if (x >= y && x >= z) return 0;
  return y >= z ? 1 : 2;
}

/**
 * Rearranges order[left..right] so that the items before position k come no later along the axis than those from k on
 * (Hoare's quickselect). Items with unbounded boxes have no place along it and stay where they are.
 */
function select(boxes: Float64Array, axis: number, order: Int32Array, left: number, right: number, k: number): void {
  while (left < right) {
    const o = BOX * order[(left + right) >> 1] + axis;
    const pivot = boxes[o] + boxes[o + 3];
    let i = left;
    let j = right;
    // Invariant: nothing before i lies beyond the pivot, nothing behind j lies before it.
    while (i <= j) {
      while (boxes[BOX * order[i] + axis] + boxes[BOX * order[i] + axis + 3] < pivot) i++;
      while (boxes[BOX * order[j] + axis] + boxes[BOX * order[j] + axis + 3] > pivot) j--;
      if (i > j) break;
      const swap = order[i];
      order[i++] = order[j];
      order[j--] = swap;
    }
    if (k <= j) right = j;
    else if (k >= i) left = i;
    else return;
  }
}
