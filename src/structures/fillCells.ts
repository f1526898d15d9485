import { BOX } from '../core/box.js';
import type { Tree } from '../core/Tree.js';
import type { CellNodes } from './CellNodes.js';
import type { CellOptions } from './CellOptions.js';
import { CELL, isSmallest, octantCell } from './cells.js';
import type { Filing } from './Filing.js';
import { packRows } from './packRows.js';

/** The group of items that stay with a cell, behind those of its eight octants. */
const STAY = 8;

const scratch = new Float64Array(CELL);

/**
 * Files items in and below a cell without entries, dividing where it separates them. `all` names them by their places in
 * `ids` and `boxes`. Rows are made in depth-first order, so that what lies together in the tree does in memory.
 */
export function fillCells(
  tree: Tree,
  nodes: CellNodes,
  filing: Filing,
  options: Required<CellOptions>,
  start: number,
  ids: Int32Array,
  boxes: Float64Array,
  all: Int32Array,
): void {
  const { capacity, maxDepth, minCellSize } = options;
  const pending = [{ node: start, depth: tree.nodes.depth(start) - 1, order: all }];
  for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
    const { node, depth, order } = task;
    const crowded = order.length > capacity;
    const divisible = crowded && depth < maxDepth && !isSmallest(nodes.cells, CELL * node, minCellSize);
    const groups = divisible ? groupByOctant(filing, nodes.cells, CELL * node, boxes, order) : null;
    if (groups === null) {
      packRows(tree, node, ids, boxes, order, 0, order.length);
      // What could not be divided now is tried again at twice the size, or all insertions would cost its square.
      nodes.setLimit(node, crowded ? 2 * order.length : capacity);
      continue;
    }
    nodes.setDivided(node);
    packRows(tree, node, ids, boxes, groups[STAY], 0, groups[STAY].length);
    const children = [];
    for (let octant = 0; octant < STAY; octant++) {
      const group = groups[octant];
      if (group.length === 0) continue;
      nodes.octantCell(node, octant, scratch);
      if (group.length === order.length) shrinkCell(filing, scratch, boxes, group, minCellSize);
      children.push({ node: nodes.add(node, scratch, 0, capacity), depth: depth + 1, order: group });
    }
    // Taken from the end: walks visit the first child first, and rows are to lie in that order.
    pending.push(...children.reverse());
  }
}

/** Sorts items by the octants of a cell they go to, those that stay last; null where a division would be of no use. */
function groupByOctant(
  filing: Filing,
  cells: Float64Array,
  o: number,
  boxes: Float64Array,
  order: Int32Array,
): Int32Array[] | null {
  const targets = new Uint8Array(order.length);
  const counts = new Int32Array(STAY + 1);
  let total = 0;
  for (let i = 0; i < order.length; i++) {
    const octants = filing.octants(cells, o, boxes, BOX * order[i]);
    targets[i] = octants;
    if (octants === 0) counts[STAY]++;
    for (let left = octants; left !== 0; left &= left - 1, total++) counts[31 - Math.clz32(left & -left)]++;
  }
  // Division is of no use where nothing sinks, and where most items would come to lie in several octants.
  if (total === 0 || total + counts[STAY] > 2 * order.length) return null;
  const groups = Array.from(counts, (count) => new Int32Array(count));
  counts.fill(0);
  for (let i = 0; i < order.length; i++) {
    if (targets[i] === 0) groups[STAY][counts[STAY]++] = order[i];
    for (let left = targets[i]; left !== 0; left &= left - 1) {
      const octant = 31 - Math.clz32(left & -left);
      groups[octant][counts[octant]++] = order[i];
    }
  }
  return groups;
}

/** Makes a cell the smallest part of itself to which all of these items go. */
function shrinkCell(
  filing: Filing,
  cell: Float64Array,
  boxes: Float64Array,
  order: Int32Array,
  minCellSize: number,
): void {
  while (!isSmallest(cell, 0, minCellSize)) {
    const octants = filing.octants(cell, 0, boxes, BOX * order[0]);
    // A single bit, and the same for all.
    if (octants === 0 || (octants & (octants - 1)) !== 0) return;
    for (const i of order) if (filing.octants(cell, 0, boxes, BOX * i) !== octants) return;
    octantCell(cell, 0, 31 - Math.clz32(octants), cell, 0);
  }
}
