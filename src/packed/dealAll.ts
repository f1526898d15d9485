import { BOX, isBounded, makeEmpty, unite } from '../core/box.js';
import { sortByKey } from '../core/sortByKey.js';
import { ROW } from '../trees/Rows.js';
import type { HilbertCurve } from './HilbertCurve.js';
import { NOWHERE, type PackedRows } from './PackedRows.js';

/** Items in a row after a build; the rest is room for those that come. */
export const FULL = 12;
/** Items that tell how large the world is, and the share of them that may lie anywhere. */
const SAMPLE = 512;
const TAIL = 0.04;

/**
 * Deals all items to rows in the order of the curve; those that are nowhere are left out. Rows are still to be filled
 * with boxes, and made to fit.
 * @param limit Ids are below.
 * @param perRow Items in a row, on average.
 */
export function dealAll(rows: PackedRows, curve: HilbertCurve, items: number, limit: number, perRow: number): void {
  rows.resizeIds(limit);
  const { boxes, slots } = rows;
  const ids = new Int32Array(items);
  for (let id = 0, n = 0; n < items; id++) if (slots[id] !== NOWHERE) ids[n++] = id;
  frameWorld(rows, ids);
  const world = new Float64Array(BOX);
  makeEmpty(world, 0);
  const far: number[] = [];
  let count = 0;
  for (let i = 0; i < items; i++) {
    const o = BOX * ids[i];
    if (rows.frame.reaches(boxes, o)) {
      ids[count++] = ids[i];
      unite(world, 0, boxes, o);
    } else far.push(ids[i]);
  }
  if (count > 0) curve.fill(world);
  const housed = ids.subarray(0, count);
  const keys = new Int32Array(count);
  for (let i = 0; i < count; i++) keys[i] = curve.keyOf(boxes, BOX * housed[i]);
  sortByKey(keys, housed);
  rows.reset(count <= ROW ? Math.min(items, 1) : Math.ceil(count / perRow));
  rows.slack = 0;
  deal(rows, 0, rows.count, housed, keys);
  rows.outside = new Int32Array(far.length);
  for (const id of far) rows.addOutside(id);
}

/**
 * Deals sorted items to the rows from one to before another, evenly, as their ids alone. The first row keeps its first
 * key unless it is the first of all.
 */
export function deal(rows: PackedRows, from: number, to: number, ids: Int32Array, keys: Int32Array): void {
  const { firstKeys, sizes } = rows;
  const rowCount = to - from;
  const count = ids.length;
  for (let row = from, i = 0; row < to; row++) {
    const even = Math.floor(((row - from + 1) * count) / rowCount);
    const end = row + 1 === to ? count : cutNear(keys, even, i, to - row - 1);
    if (row === 0) firstKeys[row] = 0;
    else if (row > from) firstKeys[row] = i < count ? keys[i] : firstKeys[row - 1];
    sizes[row] = end - i;
    for (let slot = ROW * row; i < end; i++, slot++) rows.ids[slot] = ids[i];
  }
}

/**
 * Fits the frame to the world that most items are in: a few of a sample, at each end of each axis, may lie anywhere, so
 * that a single item far away costs the others no precision.
 */
function frameWorld(rows: PackedRows, ids: Int32Array): void {
  const step = Math.max(1, Math.floor(ids.length / SAMPLE));
  const sample: number[] = [];
  for (let i = 0; i < ids.length; i += step) if (isBounded(rows.boxes, BOX * ids[i])) sample.push(ids[i]);
  if (sample.length === 0) return;
  // Most boxes lie behind both ends of an axis, so no minimum here exceeds its maximum.
  const tail = Math.floor(TAIL * sample.length);
  const world = new Float64Array(BOX);
  for (let c = 0; c < BOX; c++) {
    const sides = Float64Array.from(sample, (id) => rows.boxes[BOX * id + c]).sort();
    world[c] = sides[c < 3 ? tail : sample.length - 1 - tail];
  }
  rows.frame.fit(world);
}

/**
 * Where a row of sorted items that begins at `start` should end: near `even`, where keys differ most, so that rows are
 * whole cells of the curve if possible. It holds no more than it can, and leaves no more than `behind` rows can hold.
 */
function cutNear(keys: Int32Array, even: number, start: number, behind: number): number {
  const last = Math.min(even + 1, start + ROW, keys.length - 1);
  let best = Math.max(Math.min(even, start + ROW), start);
  let most = -1;
  for (let end = Math.max(even - 1, start, 1, keys.length - ROW * behind); end <= last; end++) {
    const difference = keys[end] ^ keys[end - 1];
    if (difference > most) {
      most = difference;
      best = end;
    }
  }
  return best;
}
