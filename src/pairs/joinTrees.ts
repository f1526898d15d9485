import type { Counters } from '../contract/SpatialIndex.js';
import { grow } from '../core/arrays.js';
import { BOX, touch } from '../core/box.js';
import type { IdPairs } from '../core/IdPairs.js';
import { GROUP_BOXES, ROW, ROW_BOXES } from '../core/rowLayout.js';
import { ROOT } from '../trees/Nodes.js';
import { entriesTouch, type JoinRows, type JoinTree } from './JoinTree.js';

/**
 * Writes all pairs of items whose boxes touch to `out`, from its start, each once with the lower id first.
 *
 * The tree is joined with itself from the root down: a pair of nodes whose boxes are apart is dropped with all pairs
 * below it (Brinkhoff, Kriegel and Seeger, Efficient Processing of Spatial Joins Using R-trees, 1993). Only primary
 * entries take part.
 */
export function joinSelf(tree: JoinTree, counters: Counters, out: IdPairs): void {
  const { first, next, row } = tree.nodes;
  begin(counters, out);
  let top = push(0, ROOT, ROOT);
  while (top > 0) {
    const b = waiting[--top];
    const a = waiting[--top];
    if (a !== b) {
      top = openBoth(tree, a, tree, b, top, counters, out);
      continue;
    }
    for (let c = first[a]; c >= 0; c = next[c]) {
      if (row[c] >= 0) pairsInRow(tree.rows, row[c], counters, out);
      else top = push(top, c, c);
      for (let d = next[c]; d >= 0; d = next[d]) top = joinNodes(tree, c, tree, d, top, counters, out);
    }
  }
  const { ids } = out;
  for (let i = 0; i < 2 * out.length; i += 2) {
    const a = ids[i];
    if (a <= ids[i + 1]) continue;
    ids[i] = ids[i + 1];
    ids[i + 1] = a;
  }
}

/** Writes all pairs of an item of `tree` and an item of `other` whose boxes touch to `out`, from its start. */
export function joinBetween(tree: JoinTree, other: JoinTree, counters: Counters, out: IdPairs): void {
  begin(counters, out);
  let top = joinNodes(tree, ROOT, other, ROOT, 0, counters, out);
  while (top > 0) {
    const b = waiting[--top];
    const a = waiting[--top];
    top = openBoth(tree, a, other, b, top, counters, out);
  }
}

/** Touching pairs of nodes that wait to be opened, two numbers each. */
let waiting = new Int32Array(1024);

function begin(counters: Counters, out: IdPairs): void {
  out.length = counters.nodesVisited = counters.itemsTested = 0;
}

function push(top: number, a: number, b: number): number {
  if (top + 2 > waiting.length) waiting = grow(waiting, top + 2);
  waiting[top] = a;
  waiting[top + 1] = b;
  return top + 2;
}

/** Joins the children of two nodes, of which one may be a row; returns the new top of `waiting`. */
function openBoth(
  tree: JoinTree,
  a: number,
  other: JoinTree,
  b: number,
  start: number,
  counters: Counters,
  out: IdPairs,
): number {
  const { first, next, row, box } = tree.nodes;
  const theirs = other.nodes;
  let top = start;
  if (row[a] >= 0) {
    for (let d = theirs.first[b]; d >= 0; d = theirs.next[d]) top = joinNodes(tree, a, other, d, top, counters, out);
    return top;
  }
  for (let c = first[a]; c >= 0; c = next[c]) {
    counters.nodesVisited++;
    if (!touch(box, BOX * c, theirs.box, BOX * b)) continue;
    if (theirs.row[b] >= 0) {
      top = joinNodes(tree, c, other, b, top, counters, out);
      continue;
    }
    for (let d = theirs.first[b]; d >= 0; d = theirs.next[d]) top = joinNodes(tree, c, other, d, top, counters, out);
  }
  return top;
}

/** Joins two nodes if they touch: finds the pairs of two rows, pushes others on `waiting`; returns its new top. */
function joinNodes(
  tree: JoinTree,
  a: number,
  other: JoinTree,
  b: number,
  top: number,
  counters: Counters,
  out: IdPairs,
): number {
  counters.nodesVisited++;
  if (!touch(tree.nodes.box, BOX * a, other.nodes.box, BOX * b)) return top;
  if (tree.nodes.row[a] < 0 || other.nodes.row[b] < 0) return push(top, a, b);
  pairsOfRows(tree, a, other, b, counters, out);
  return top;
}

/** Adds pairs across two rows. Only items that touch the box of the other row are candidates. */
function pairsOfRows(tree: JoinTree, a: number, other: JoinTree, b: number, counters: Counters, out: IdPairs): void {
  const row = tree.nodes.row[a];
  const otherRow = other.nodes.row[b];
  const theirs = touchingNode(other.rows, otherRow, tree.nodes.box, BOX * a);
  if (theirs === 0) return;
  const mine = touchingNode(tree.rows, row, other.nodes.box, BOX * b);
  counters.itemsTested += tree.rows.sizes[row] + other.rows.sizes[otherRow];
  for (let rest = mine; rest !== 0; rest &= rest - 1) {
    pairsOfItem(tree.rows, row * ROW + 31 - Math.clz32(rest & -rest), other.rows, otherRow, theirs, counters, out);
  }
}

/** Adds pairs within a row. */
function pairsInRow(rows: JoinRows, row: number, counters: Counters, out: IdPairs): void {
  for (let k = 1; k < rows.sizes[row]; k++) {
    if (rows.ids[row * ROW + k] >= 0) pairsOfItem(rows, row * ROW + k, rows, row, (1 << k) - 1, counters, out);
  }
}

/** Adds pairs of an item with those items of a row whose bits are set. */
function pairsOfItem(
  rows: JoinRows,
  slot: number,
  others: JoinRows,
  row: number,
  bits: number,
  counters: Counters,
  out: IdPairs,
): void {
  const { ids } = others;
  const list = out.reserve(ROW);
  let n = 2 * out.length;
  for (let rest = bits; rest !== 0; rest &= rest - 1) {
    const other = row * ROW + 31 - Math.clz32(rest & -rest);
    counters.itemsTested++;
    if (ids[other] < 0 || !entriesTouch(rows, slot, others, other)) continue;
    list[n++] = rows.ids[slot];
    list[n++] = ids[other];
  }
  out.length = n >> 1;
}

/** The primary entries of a row that touch the box at `p`, as bits. */
function touchingNode(rows: JoinRows, row: number, b: Float64Array, p: number): number {
  const { boxes, ids } = rows;
  let bits = 0;
  for (let k = rows.sizes[row] - 1; k >= 0; k--) {
    const i = row * ROW_BOXES + (k >> 2) * GROUP_BOXES + (k & 3);
    // biome-ignore format: aligned lines show the symmetry
    if (boxes[i] <= b[p + 3] && boxes[i + 12] >= b[p] && boxes[i + 8] <= b[p + 5] && boxes[i + 20] >= b[p + 2]
     && boxes[i + 4] <= b[p + 4] && boxes[i + 16] >= b[p + 1] && ids[row * ROW + k] >= 0) bits |= 1 << k;
  }
  return bits;
}
