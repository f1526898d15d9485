import { BOX, ROW } from '../core/box.js';
import type { Tree } from './Tree.js';

/** Items sampled to find the longest axis, and to guess the median along it. */
const AXIS_SAMPLE = 32;
/** Below this number of items the guess costs more than it saves. */
const FEWEST_TO_GUESS = 256;

/** Items to be put in rows. `order` lists their numbers, and may be rearranged. */
export interface Items {
  readonly ids: Int32Array;
  readonly boxes: Float64Array;
  readonly order: Int32Array;
}

/**
 * Puts the items `order[lo]` to `order[hi - 1]` under `node` in the fewest rows, about equally full. The range is
 * halved across its longest side until a part fits a row: the leaves of a k-d tree.
 */
export function packRows(tree: Tree, node: number, items: Items, lo: number, hi: number): void {
  // Each pop leaves one waiting part and the parts halve, so 2 * 32 numbers are enough for 2^31 items.
  const stack = [lo, hi];
  while (stack.length > 0) {
    const to = stack.pop() as number;
    const from = stack.pop() as number;
    const rows = Math.ceil((to - from) / ROW);
    if (rows === 0) continue;
    if (rows === 1) {
      packRow(tree, node, items, from, to);
      continue;
    }
    const middle = from + Math.floor(((to - from) * Math.ceil(rows / 2)) / rows);
    selectMedian(items, from, to, middle, false);
    stack.push(middle, to, from, middle);
  }
}

/** Puts the items `order[from]` to `order[to - 1]` in one new row under `node`. */
export function packRow(tree: Tree, node: number, { ids, boxes, order }: Items, from: number, to: number): void {
  const { nodes, rows } = tree;
  const child = tree.addRow(node, false);
  for (let i = from; i < to; i++) rows.append(nodes.row[child], ids[order[i]], boxes, BOX * order[i]);
  rows.tighten(nodes.row[child], tight);
  nodes.widen(child, tight, 0);
  nodes.countUp(child, to - from);
}

/** Twice the centre of each item of the range along the axis, in the order of the items. */
let centers = new Float64Array(1024);

/**
 * Rearranges `order[from]` to `order[to - 1]`, numbers of boxes, so that centres before `middle` are no greater than
 * the other centres along the axis of their largest spread. Y is ignored if `planar`.
 */
export function selectMedian(items: Items, from: number, to: number, middle: number, planar: boolean): void {
  const { boxes, order } = items;
  const count = to - from;
  if (centers.length < count) centers = new Float64Array(count);
  const axis = longestAxis(items, from, to, planar);
  for (let i = 0; i < count; i++) {
    const o = BOX * order[from + i] + axis;
    centers[i] = boxes[o] + boxes[o + 3];
  }
  select(centers, order, from, count - 1, middle - from);
}

function longestAxis({ boxes, order }: Items, from: number, to: number, planar: boolean): number {
  let minX = Number.POSITIVE_INFINITY;
  let minY = minX;
  let minZ = minX;
  let maxX = Number.NEGATIVE_INFINITY;
  let maxY = maxX;
  let maxZ = maxX;
  const step = Math.ceil((to - from) / AXIS_SAMPLE);
  for (let i = from; i < to; i += step) {
    const o = BOX * order[i];
    const x = boxes[o] + boxes[o + 3];
    const y = boxes[o + 1] + boxes[o + 4];
    const z = boxes[o + 2] + boxes[o + 5];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
    if (z < minZ) minZ = z;
    if (z > maxZ) maxZ = z;
  }
  const x = maxX - minX;
  const y = planar ? -1 : maxY - minY;
  const z = maxZ - minZ;
  if (x >= y && x >= z) return 0;
  return y >= z ? 1 : 2;
}

/**
 * Rearranges values[0..end], and order[from..] with them, so that values before position k are no greater than the rest
 * (Hoare's quickselect). An unbounded box, whose value may be NaN, may end up anywhere.
 */
function select(values: Float64Array, order: Int32Array, from: number, end: number, k: number): void {
  let left = 0;
  let right = end;
  while (left < right) {
    const pivot = guess(values, left, right, k);
    let i = left;
    let j = right;
    // Invariant: no value before i is greater than the pivot, no value behind j is less.
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      const value = values[i];
      const item = order[from + i];
      values[i] = values[j];
      order[from + i++] = order[from + j];
      values[j] = value;
      order[from + j--] = item;
    }
    if (k <= j) right = j;
    else if (k >= i) left = i;
    else return;
  }
}

/** A value likely to belong near position k, so that dividing by it once does most of the work. */
function guess(values: Float64Array, left: number, right: number, k: number): number {
  const count = right - left + 1;
  if (count < FEWEST_TO_GUESS) return values[(left + right) >> 1];
  const step = count / AXIS_SAMPLE;
  for (let n = 0; n < AXIS_SAMPLE; n++) {
    const value = values[left + Math.floor(n * step)];
    let i = n;
    for (; i > 0 && sample[i - 1] > value; i--) sample[i] = sample[i - 1];
    sample[i] = value;
  }
  return sample[Math.floor((k - left) / step)];
}

const sample = new Float64Array(AXIS_SAMPLE);
const tight = new Float64Array(BOX);
