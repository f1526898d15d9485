import { BOX } from '../../core/box.js';
import { ROW } from '../../core/rowLayout.js';
import type { Nodes } from '../Nodes.js';
import { selectMedian } from '../packRows.js';
import { Tree } from '../Tree.js';
import { writeGrowth } from './BvhNodes.js';

/** After this many inner nodes the search takes the best row so far; only boxes that are large in their world need it. */
const MOST_VISITS = 256;

// A search leaves one node waiting at each level on its way down.
const waiting = new Int32Array(Tree.MAX_HEIGHT);
const growths = new Float64Array(Tree.MAX_HEIGHT);
/** Growth and cost of one child, and of the other. */
const pair = new Float64Array(4);

/**
 * The row node below `top` for which the costs of all boxes on the way to it grow least in sum (Catto, Dynamic Bounding
 * Volume Hierarchies, 2019). The sum only grows on the way down, so a branch is dropped once it reaches that of a row
 * already found. A plain descent to the better child visits hardly fewer nodes, and its trees cost queries up to half
 * more.
 */
export function nearestRow(nodes: Nodes, top: number, box: Float64Array, planar: boolean): number {
  const { first, next } = nodes;
  const boxes = nodes.box;
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  let left = 0;
  let visits = 0;
  let node = top;
  let growth = 0;
  // Costs of bounded boxes are finite, so the first way down ends in a row.
  for (;;) {
    for (let a = first[node]; a >= 0 && growth < least; a = first[node], visits++) {
      const b = next[a];
      writeGrowth(boxes, BOX * a, box, planar, pair, 0);
      writeGrowth(boxes, BOX * b, box, planar, pair, 2);
      // If both grow equally little, as when both hold the box already, take the cheaper one: otherwise large boxes
      // would collect everything.
      const aFirst = pair[0] < pair[2] || (pair[0] === pair[2] && pair[1] <= pair[3]);
      waiting[left] = aFirst ? b : a;
      growths[left++] = growth + pair[aFirst ? 2 : 0];
      node = aFirst ? a : b;
      growth += pair[aFirst ? 0 : 2];
    }
    if (growth < least) {
      best = node;
      least = growth;
    }
    do {
      if (left === 0 || visits > MOST_VISITS) return best;
      node = waiting[--left];
      growth = growths[left];
    } while (growth >= least);
  }
}

/**
 * Moves the entries on one side of the median from the row of node `from` to the empty row of `to`. Choosing the
 * cheapest of all splits makes no better trees.
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
