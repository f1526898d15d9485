import { BOX } from '../../core/box.js';
import { CELL, isSmallest, octantCell } from '../cells.js';
import { type Items, packRows } from '../packRows.js';
import { DIVIDED } from './CellNodes.js';
import type { CellTree, PlacementRule } from './placement.js';

/**
 * Places items in and below an empty cell, dividing where that separates them. Rows are made in depth-first order.
 */
export function fillCells(layout: CellTree, start: number, { ids, boxes, order: all }: Items): void {
  const { tree, cells: nodes, rule } = layout;
  const { capacity, maxDepth, minCellSize } = layout.cellOptions;
  const { parent } = tree.nodes;
  let depthOfStart = -1;
  for (let n = parent[start]; n >= 0; n = parent[n]) depthOfStart++;
  const pending: Task[] = [{ node: start, depth: depthOfStart, order: all, from: 0, to: all.length }];
  for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
    const { node, depth, order, from, to } = task;
    const crowded = to - from > capacity;
    const divisible = crowded && depth < maxDepth && !isSmallest(nodes.cells, CELL * node, minCellSize);
    const groups = divisible ? groupByOctant(rule, nodes.cells, CELL * node, boxes, order, from, to) : null;
    if (groups === null) {
      packRows(tree, node, { ids, boxes, order }, from, to);
      // Division is tried again at twice the size; trying at each insertion would take quadratic time.
      nodes.limits[node] = crowded ? 2 * (to - from) : capacity;
      continue;
    }
    const { order: grouped, starts } = groups;
    nodes.limits[node] = DIVIDED;
    packRows(tree, node, { ids, boxes, order: grouped }, starts[STAY], starts[STAY + 1]);
    const children: Task[] = [];
    for (let octant = 0; octant < STAY; octant++) {
      const first = starts[octant];
      const last = starts[octant + 1];
      if (first === last) continue;
      nodes.octantCell(node, octant, scratch);
      if (last - first === to - from) shrinkCell(rule, scratch, boxes, grouped.subarray(first, last), minCellSize);
      const child = nodes.add(node, scratch, capacity);
      children.push({ node: child, depth: depth + 1, order: grouped, from: first, to: last });
    }
    // Tasks are popped from the end, and rows must be made in the order of walks: the first child first.
    pending.push(...children.reverse());
  }
}

/** A cell to be filled with the items order[from] to order[to - 1]. */
interface Task {
  node: number;
  depth: number;
  order: Int32Array;
  from: number;
  to: number;
}

/** Shrinks a cell to the smallest part of itself to which all of these items go. */
function shrinkCell(
  rule: PlacementRule,
  cell: Float64Array,
  boxes: Float64Array,
  order: Int32Array,
  minCellSize: number,
): void {
  // At the origin shrinking may go on for a thousand levels; if all boxes are equal, it is enough to test one.
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

/** The group of items that stay in the cell itself, after those of its eight octants. */
const STAY = 8;

/** The octants of each item in the last grouping. */
let targets = new Uint8Array(1024);

/**
 * Groups the items order[from] to order[to - 1] by the octants they go to; null where division would not help.
 * @returns the items group by group, and where each group begins, and one more: where the last ends.
 */
function groupByOctant(
  rule: PlacementRule,
  cells: Float64Array,
  o: number,
  boxes: Float64Array,
  order: Int32Array,
  from: number,
  to: number,
): { order: Int32Array; starts: Int32Array } | null {
  const count = to - from;
  if (targets.length < count) targets = new Uint8Array(count);
  const sizes = new Int32Array(STAY + 1);
  for (let i = 0; i < count; i++) {
    const octants = rule.octants(cells, o, boxes, BOX * order[from + i]);
    targets[i] = octants;
    if (octants === 0) sizes[STAY]++;
    for (let left = octants; left !== 0; left &= left - 1) sizes[31 - Math.clz32(left & -left)]++;
  }
  const starts = new Int32Array(STAY + 2);
  for (let g = 0; g <= STAY; g++) starts[g + 1] = starts[g] + sizes[g];
  const total = starts[STAY + 1];
  // Division does not help if no item goes to an octant, or if most items would go to several octants.
  if (starts[STAY] === 0 || total > 2 * count) return null;
  const grouped = new Int32Array(total);
  const next = starts.slice();
  for (let i = 0; i < count; i++) {
    if (targets[i] === 0) grouped[next[STAY]++] = order[from + i];
    for (let left = targets[i]; left !== 0; left &= left - 1) {
      grouped[next[31 - Math.clz32(left & -left)]++] = order[from + i];
    }
  }
  return { order: grouped, starts };
}

const scratch = new Float64Array(CELL);
