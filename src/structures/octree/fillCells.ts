import { BOX } from '../../core/box.js';
import { CELL, isSmallest, octantCell } from '../../core/cells.js';
import type { Tree } from '../../core/storage/Tree.js';
import { type Groups, groupByOctant, STAY } from '../build/groupByOctant.js';
import type { MortonOrder } from '../build/MortonOrder.js';
import type { PlacementRule } from '../build/PlacementRule.js';
import { packRows } from '../build/packRows.js';
import type { CellNodes } from './CellNodes.js';
import type { CellOptions } from './CellOptions.js';

const scratch = new Float64Array(CELL);

/**
 * Files items in and below a cell without entries, dividing where it separates them. `all` names them by their places in
 * `ids` and `boxes`, along a curve if one is given. Rows are made in depth-first order, so that what lies together in the
 * tree does in memory.
 */
export function fillCells(
  tree: Tree,
  nodes: CellNodes,
  rule: PlacementRule,
  options: Required<CellOptions>,
  start: number,
  ids: Int32Array,
  boxes: Float64Array,
  all: Int32Array,
  curve: MortonOrder | null,
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
    const groups = divisible ? group(task, nodes.cells, rule, boxes, curve) : null;
    if (groups === null) {
      packRows(tree, node, ids, boxes, order, from, to);
      // What could not be divided now is tried again at twice the size, or all insertions would cost its square.
      nodes.setLimit(node, crowded ? 2 * (to - from) : capacity);
      continue;
    }
    const { order: grouped, starts } = groups;
    nodes.setDivided(node);
    packRows(tree, node, ids, boxes, grouped, starts[STAY], starts[STAY + 1]);
    const children: Task[] = [];
    for (let octant = 0; octant < STAY; octant++) {
      const first = starts[octant];
      const last = starts[octant + 1];
      if (first === last) continue;
      nodes.octantCell(node, octant, scratch);
      if (last - first === to - from) shrinkCell(rule, scratch, boxes, grouped.subarray(first, last), minCellSize);
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

/**
 * The items of a task in groups; null where a division would be of no use. Where none is so large that more than its centre
 * counts, the curve tells.
 */
function group(
  task: Task,
  cells: Float64Array,
  rule: PlacementRule,
  boxes: Float64Array,
  curve: MortonOrder | null,
): Groups | null {
  const { node, order, from, to } = task;
  const half = cells[CELL * node + 3];
  const enough = rule.sinksUpTo(half);
  if (curve !== null && enough >= 0) {
    // Whatever was longest may have stayed further up.
    if (task.longest > enough) task.longest = curve.longestOf(boxes, order, from, to);
    const groups = task.longest > enough ? null : curve.divide(curve.levelOf(half), order, from, to);
    if (groups !== null) return groups;
  }
  return groupByOctant(rule, cells, CELL * node, boxes, order, from, to);
}

/** Makes a cell the smallest part of itself to which all of these items go. */
function shrinkCell(
  rule: PlacementRule,
  cell: Float64Array,
  boxes: Float64Array,
  order: Int32Array,
  minCellSize: number,
): void {
  // At the very origin there is no end to shrinking for a thousand levels: one item then has to speak for all.
  const asked = areEqual(boxes, order) ? order.subarray(0, 1) : order;
  while (!isSmallest(cell, 0, minCellSize)) {
    const octants = rule.octants(cell, 0, boxes, BOX * order[0]);
    // A single bit, and the same for all.
    if (octants === 0 || (octants & (octants - 1)) !== 0) return;
    for (const i of asked) if (rule.octants(cell, 0, boxes, BOX * i) !== octants) return;
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
