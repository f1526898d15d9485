import { BOX } from '../core/box.js';
import type { Tree } from '../core/Tree.js';
import type { CellNodes } from './CellNodes.js';
import type { CellOptions } from './CellOptions.js';
import type { Curve } from './Curve.js';
import { CELL, isSmallest, octantCell } from './cells.js';
import type { Filing } from './Filing.js';
import { packRows } from './packRows.js';

/** The group of items that stay with a cell, behind those of its eight octants. */
const STAY = 8;

const scratch = new Float64Array(CELL);

/**
 * Files items in and below a cell without entries, dividing where it separates them. `all` names them by their places in
 * `ids` and `boxes`, along a curve if one is given. Rows are made in depth-first order, so that what lies together in the
 * tree does in memory.
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
  curve: Curve | null,
): void {
  const { capacity, maxDepth, minCellSize } = options;
  const pending: Task[] = [
    {
      node: start,
      depth: tree.nodes.depth(start) - 1,
      order: all,
      from: 0,
      to: all.length,
      longest: Number.POSITIVE_INFINITY,
    },
  ];
  for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
    const { node, depth, order, from, to } = task;
    const crowded = to - from > capacity;
    const divisible = crowded && depth < maxDepth && !isSmallest(nodes.cells, CELL * node, minCellSize);
    let grouped: Int32Array | null = null;
    let base = 0;
    if (divisible && curve !== null && groupAlongCurve(curve, filing, nodes.cells[CELL * node + 3], boxes, task)) {
      grouped = order;
      base = from;
    } else if (divisible) {
      grouped = groupByOctant(filing, nodes.cells, CELL * node, boxes, order, from, to);
    }
    if (grouped === null) {
      packRows(tree, node, ids, boxes, order, from, to);
      // What could not be divided now is tried again at twice the size, or all insertions would cost its square.
      nodes.setLimit(node, crowded ? 2 * (to - from) : capacity);
      continue;
    }
    nodes.setDivided(node);
    const ends = groupEnds.slice();
    packRows(tree, node, ids, boxes, grouped, ends[STAY - 1], ends[STAY]);
    const children: Task[] = [];
    for (let octant = 0; octant < STAY; octant++) {
      const first = octant === 0 ? base : ends[octant - 1];
      const last = ends[octant];
      if (first === last) continue;
      nodes.octantCell(node, octant, scratch);
      if (last - first === to - from) shrinkCell(filing, scratch, boxes, grouped.subarray(first, last), minCellSize);
      const child = nodes.add(node, scratch, 0, capacity);
      children.push({ node: child, depth: depth + 1, order: grouped, from: first, to: last, longest: task.longest });
    }
    // Taken from the end: walks visit the first child first, and rows are to lie in that order.
    pending.push(...children.reverse());
  }
}

/** A cell to be filled with the items order[from] to order[to - 1], of which no edge is longer than `longest`. */
interface Task {
  node: number;
  depth: number;
  order: Int32Array;
  from: number;
  to: number;
  longest: number;
}

/** Where the groups of the last grouping end, those of the octants first. */
const groupEnds = new Int32Array(STAY + 1);
/** The octants of each item in the last grouping. */
let targets = new Uint8Array(1024);

/**
 * Finds the groups where the items of a task lie in their order already: along the curve, if none is so large that more
 * than its centre counts. False where they have to be sorted.
 */
function groupAlongCurve(curve: Curve, filing: Filing, half: number, boxes: Float64Array, task: Task): boolean {
  const { order, from, to } = task;
  const enough = filing.sinksUpTo(half);
  if (enough < 0) return false;
  // Whatever was longest may have stayed further up.
  if (task.longest > enough) task.longest = curve.longestOf(boxes, order, from, to);
  if (task.longest > enough || !curve.divide(curve.levelOf(half), order, from, to, groupEnds)) return false;
  groupEnds[STAY] = to;
  return true;
}

/**
 * Sorts the items order[from] to order[to - 1] by the octants of a cell they go to, those that stay last; null where a
 * division would be of no use.
 */
function groupByOctant(
  filing: Filing,
  cells: Float64Array,
  o: number,
  boxes: Float64Array,
  order: Int32Array,
  from: number,
  to: number,
): Int32Array | null {
  const count = to - from;
  if (targets.length < count) targets = new Uint8Array(count);
  groupEnds.fill(0);
  for (let i = 0; i < count; i++) {
    const octants = filing.octants(cells, o, boxes, BOX * order[from + i]);
    targets[i] = octants;
    if (octants === 0) groupEnds[STAY]++;
    for (let left = octants; left !== 0; left &= left - 1) groupEnds[31 - Math.clz32(left & -left)]++;
  }
  let total = 0;
  for (let group = 0; group <= STAY; group++) {
    const size = groupEnds[group];
    groupEnds[group] = total;
    total += size;
  }
  // Division is of no use where nothing sinks, and where most items would come to lie in several octants.
  if (groupEnds[STAY] === 0 || total > 2 * count) return null;
  const grouped = new Int32Array(total);
  // Each group's start moves on to its end as it fills.
  for (let i = 0; i < count; i++) {
    if (targets[i] === 0) grouped[groupEnds[STAY]++] = order[from + i];
    for (let left = targets[i]; left !== 0; left &= left - 1) {
      grouped[groupEnds[31 - Math.clz32(left & -left)]++] = order[from + i];
    }
  }
  return grouped;
}

/** Makes a cell the smallest part of itself to which all of these items go. */
function shrinkCell(
  filing: Filing,
  cell: Float64Array,
  boxes: Float64Array,
  order: Int32Array,
  minCellSize: number,
): void {
  // At the very origin there is no end to shrinking for a thousand levels: one item then has to speak for all.
  const asked = areEqual(boxes, order) ? order.subarray(0, 1) : order;
  while (!isSmallest(cell, 0, minCellSize)) {
    const octants = filing.octants(cell, 0, boxes, BOX * order[0]);
    // A single bit, and the same for all.
    if (octants === 0 || (octants & (octants - 1)) !== 0) return;
    for (const i of asked) if (filing.octants(cell, 0, boxes, BOX * i) !== octants) return;
    octantCell(cell, 0, 31 - Math.clz32(octants), cell, 0);
  }
}

function areEqual(boxes: Float64Array, order: Int32Array): boolean {
  const first = BOX * order[0];
  for (const i of order) {
    for (let c = 0; c < BOX; c++) if (boxes[BOX * i + c] !== boxes[first + c]) return false;
  }
  return true;
}
