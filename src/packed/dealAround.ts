import { BOX } from '../core/box.js';
import { sortByKey } from '../core/sortByKey.js';
import { ROW } from '../trees/Rows.js';
import { deal } from './dealAll.js';
import type { HilbertCurve } from './HilbertCurve.js';
import type { PackedRows } from './PackedRows.js';

/** Rows on either side that are looked at for room. */
const NEAR = 8;
/** How full all rows may be; fewer rows may be fuller, the fewer the more. */
const MOST_FULL = 0.875;

/** The row nearest to one that has room, itself included, or -1. */
export function roomNear({ sizes, count }: PackedRows, row: number): number {
  if (sizes[row] < ROW) return row;
  for (let d = 1; d <= NEAR; d++) {
    if (row >= d && sizes[row - d] < ROW) return row - d;
    if (row + d < count && sizes[row + d] < ROW) return row + d;
  }
  return -1;
}

/**
 * Deals the items of as many rows around a full one as are not too full anew: of 2, 4, 8 … rows the first in which there
 * is room enough. Their boxes are still to be made to fit. Null when all rows together are too full.
 */
export function dealAround(rows: PackedRows, curve: HilbertCurve, row: number): { from: number; to: number } | null {
  const { count } = rows;
  const height = Math.log2(count);
  for (let level = 1; ; level++) {
    const from = (row >> level) << level;
    const to = Math.min(from + 2 ** level, count);
    let items = 1;
    for (let r = from; r < to; r++) items += rows.sizes[r];
    const full = 1 - (1 - MOST_FULL) * Math.min(level / height, 1);
    if (items <= full * ROW * (to - from)) {
      dealRange(rows, curve, from, to);
      return { from, to };
    }
    if (to - from >= count) return null;
  }
}

/**
 * Deals the items of the rows from one to before another anew. Items that belong elsewhere go there if there is room,
 * else to the first or last of these rows.
 */
export function dealRange(rows: PackedRows, curve: HilbertCurve, from: number, to: number): void {
  const { boxes, firstKeys } = rows;
  const least = firstKeys[from];
  const most = to < rows.count ? firstKeys[to] : Number.POSITIVE_INFINITY;
  const ids = new Int32Array(ROW * (to - from));
  const keys = new Int32Array(ids.length);
  let count = 0;
  for (let row = from; row < to; row++) {
    const end = ROW * row + rows.sizes[row];
    for (let slot = ROW * row; slot < end; slot++) {
      const id = rows.ids[slot];
      const key = curve.keyOf(boxes, BOX * id);
      if ((key < least || key > most) && sendAway(rows, id, key, from, to)) continue;
      ids[count] = id;
      keys[count++] = Math.min(Math.max(key, least), most);
    }
  }
  const dealtIds = ids.subarray(0, count);
  const dealtKeys = keys.subarray(0, count);
  sortByKey(dealtKeys, dealtIds);
  deal(rows, from, to, dealtIds, dealtKeys);
}

/** Puts an item into a row near that in which its key belongs; false if there is room only within a range of rows. */
function sendAway(rows: PackedRows, id: number, key: number, from: number, to: number): boolean {
  const row = roomNear(rows, rows.rowOf(key));
  if (row < 0 || (row >= from && row < to)) return false;
  rows.measure(id);
  rows.give(row, id);
  return true;
}
