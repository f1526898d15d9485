import { BOX } from '../../core/box.js';
import { ROOT } from '../Nodes.js';
import { nextInDepthFirst } from '../nextInDepthFirst.js';
import { packRows } from '../packRows.js';
import type { Tree } from '../Tree.js';
import type { GridCells } from './GridCells.js';

/**
 * Places items in an empty grid: makes their cells, sorts the items by cell, and makes rows in the order in which walks
 * visit them. `order` names the items by their positions in `ids` and `boxes`, in Morton order: so neighbouring cells
 * are made one after the other.
 */
export function fillGrid(tree: Tree, cells: GridCells, ids: Int32Array, boxes: Float64Array, order: Int32Array): void {
  const nodeOf = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) nodeOf[i] = cells.nodeFor(boxes, BOX * order[i]);
  const { nodes } = tree;
  const counts = new Int32Array(nodes.count);
  for (const node of nodeOf) counts[node]++;
  const ends = new Int32Array(nodes.count);
  const walk = depthFirst(tree);
  let end = 0;
  for (const node of walk) ends[node] = end += counts[node];
  const sorted = new Int32Array(order.length);
  // From the end, so that items of a cell stay in order while `ends` become starts.
  for (let i = order.length - 1; i >= 0; i--) sorted[--ends[nodeOf[i]]] = order[i];
  for (const node of walk) {
    if (counts[node] === 0) continue;
    packRows(tree, node, ids, boxes, sorted, ends[node], ends[node] + counts[node]);
    // Rows come before cells.
    for (let c = nodes.first[node]; nodes.row[c] < 0; c = nodes.first[node]) {
      nodes.unlink(c);
      nodes.link(c, node, false);
    }
  }
}

/** All nodes of a tree without rows, each before those below it, as walks visit them. */
function depthFirst({ nodes }: Tree): number[] {
  const found: number[] = [];
  for (let node = ROOT; node >= 0; node = nextInDepthFirst(nodes, node)) found.push(node);
  return found;
}
