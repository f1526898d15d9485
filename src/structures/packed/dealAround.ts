import { BOX } from '../../core/box.js';
import type { HilbertCurve } from '../../core/packed/HilbertCurve.js';
import type { PackedRows } from '../../core/packed/PackedRows.js';
import { ROW } from '../../core/storage/Rows.js';
import { deal } from './dealAll.js';
import { sortByKey } from './sortByKey.js';

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
      dealRange(rows, curve, from, to, items - 1);
      return { from, to };
    }
    if (to - from >= count) return null;
  }
}

/** Deals the items of the rows from one to before another anew. Items that belong elsewhere go to the first or last. */
export function dealRange(rows: PackedRows, curve: HilbertCurve, from: number, to: number, items: number): void {
  const ids = new Int32Array(items);
  const keys = new Int32Array(items);
  const least = rows.firstKeys[from];
  const most = to < rows.count ? rows.firstKeys[to] : 2 ** 30 - 1;
  let n = 0;
  for (let row = from; row < to; row++) {
    for (let slot = ROW * row; slot < ROW * row + rows.sizes[row]; slot++) {
      ids[n] = rows.ids[slot];
      keys[n] = Math.min(Math.max(curve.keyOf(rows.boxes, BOX * ids[n]), least), most);
      n++;
    }
  }
  sortByKey(keys, ids);
  deal(rows, from, to, ids, keys);
}
