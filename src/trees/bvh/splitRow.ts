import { BOX } from '../../core/box.js';
import { ROW } from '../Rows.js';
import { selectMedian } from '../selectMedian.js';
import type { Tree } from '../Tree.js';

/**
 * Moves half of the entries in the row of node `from` to the empty row of `to`: those on one side of the median, along
 * the axis on which their centres spread most. Choosing the cheapest of all splits makes no better trees.
 */
export function splitRow(tree: Tree, from: number, to: number, planar: boolean): void {
  const { nodes, rows } = tree;
  const count = rows.sizes[nodes.row[from]];
  const middle = count >> 1;
  rows.drain(nodes.row[from], ids, boxes, 0);
  for (let i = 0; i < count; i++) order[i] = i;
  selectMedian(boxes, order, 0, count, middle, planar);
  for (let i = 0; i < count; i++) {
    rows.append(nodes.row[i < middle ? from : to], ids[order[i]], boxes, BOX * order[i]);
  }
  nodes.entries[from] = middle;
  nodes.entries[to] = count - middle;
  // The union of the two boxes is still the box of the parent.
  for (let node = from, k = 0; k < 2; node = to, k++) {
    rows.tighten(nodes.row[node], tight);
    nodes.setBox(node, tight);
  }
}

const ids = new Int32Array(ROW);
const boxes = new Float64Array(BOX * ROW);
const order = new Int32Array(ROW);
const tight = new Float64Array(BOX);
