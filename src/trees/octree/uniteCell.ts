import { BOX, makeEmpty } from '../../core/box.js';
import { packRows } from '../packRows.js';
import type { Tree } from '../Tree.js';
import type { CellNodes } from './CellNodes.js';

/** Moves all items below a divided cell into the cell itself. */
export function uniteCell(tree: Tree, cells: CellNodes, capacity: number, node: number): void {
  const { nodes } = tree;
  const ids = new Int32Array(nodes.entries[node]);
  const boxes = new Float64Array(BOX * ids.length);
  const below = [node];
  let taken = 0;
  for (let i = 0; i < below.length; i++) {
    taken = tree.drainRows(below[i], ids, boxes, taken);
    for (let child = nodes.first[below[i]]; child >= 0; child = nodes.next[child]) below.push(child);
  }
  for (let i = below.length - 1; i > 0; i--) {
    nodes.unlink(below[i]);
    nodes.free(below[i]);
  }
  cells.setLimit(node, capacity);
  makeEmpty(empty, 0);
  nodes.setBox(node, empty);
  const seen = new Set<number>();
  const order = ids.map((_, i) => i).filter((i) => !seen.has(ids[i]) && seen.add(ids[i]));
  packRows(tree, node, ids, boxes, order, 0, order.length);
}

const empty = new Float64Array(BOX);
