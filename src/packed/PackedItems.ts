import { sortByKey } from '../core/arrays.js';
import { BOX, isBounded, makeEmpty, unite } from '../core/box.js';
import { IdList, ItemIds } from '../core/ids.js';
import { ROW } from '../core/rowLayout.js';
import { HilbertCurve } from './HilbertCurve.js';
import { PackedWalk } from './PackedQueryState.js';
import { NOWHERE, PackedRows, PENDING } from './PackedRows.js';

/** Items in a row after a build; the rest is room for those that come. */
const FULL = 12;
/** Items that tell how large the world is, and the share of them that may lie anywhere. */
const SAMPLE = 512;
const TAIL = 0.04;

/**
 * Deals all items to rows in the order of the curve; those that are nowhere are left out. Rows are still to be filled
 * with boxes, and made to fit.
 * @param limit Ids are below.
 * @param perRow Items in a row, on average.
 */
function dealAll(rows: PackedRows, curve: HilbertCurve, items: number, limit: number, perRow: number): void {
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

/** Rows on either side that are looked at for room. */
const NEAR = 8;
/** How full all rows may be; fewer rows may be fuller, the fewer the more. */
const MOST_FULL = 0.875;

/** The row nearest to one that has room, itself included, or -1. */
function roomNear({ sizes, count }: PackedRows, row: number): number {
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
function dealAround(rows: PackedRows, curve: HilbertCurve, row: number): { from: number; to: number } | null {
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

/** Items in a row after items have outgrown their rows; fewer than after a rebuild, so that this comes seldom. */
const ROOMY = 9;
/** With fewer items in a row than this, on average, there are too many rows. */
const SPARSE = 4;
/** An item more rows than this from its place has strayed. */
const NEAR_PACKED_ITEMS = 2;

/** The items of a packed structure, and where they are: in rows along a curve, or outside of these. */
export class PackedItems {
  readonly ids: ItemIds = new ItemIds();
  readonly rows: PackedRows = new PackedRows();
  readonly curve: HilbertCurve;
  readonly walk: PackedWalk = new PackedWalk();
  /** How often all items were dealt anew. */
  deals = 0;
  /** Items placed beyond the ends of the curve, or outside of the rows, since the last deal. */
  #strays = 0;
  readonly #left = new IdList();

  constructor(planar: boolean) {
    this.curve = new HilbertCurve(planar);
  }

  /** Fills rows that were dealt anew, from one to before another, with boxes. */
  fill(from: number, to: number): void {
    if (!this.walk.kernel?.fill(this.rows, from, to)) this.rows.fill(from, to);
    this.refit(from, to);
  }

  /** Puts items whose boxes have changed where they belong. When most have, all rows are made to fit afterwards. */
  settleAll(ids: ArrayLike<number>, areMost: boolean): void {
    const { rows } = this;
    const left = this.#left;
    left.length = 0;
    if (!this.walk.kernel?.move(rows, ids, areMost, left)) rows.move(ids, areMost, left);
    for (let i = 0; i < left.length; i++) this.settle(left.ids[i]);
  }

  /** Makes the boxes of rows fit their contents. */
  refit(from: number, to: number): void {
    if (!this.walk.kernel?.refit(this.rows, from, to)) this.rows.refit(from, to);
  }

  /** Moves an item that is far from where a build would put it to there, or near there; true if it is so. */
  rehouse(id: number, slot: number): boolean {
    const { rows } = this;
    const { firstKeys, count } = rows;
    const row = slot >> 4;
    const key = this.curve.keyOf(rows.boxes, BOX * id);
    const isAfter = row < NEAR_PACKED_ITEMS || key >= firstKeys[row - NEAR_PACKED_ITEMS];
    if (isAfter && (row + NEAR_PACKED_ITEMS + 1 >= count || key < firstKeys[row + NEAR_PACKED_ITEMS + 1])) return false;
    const wanted = rows.rowOf(key);
    const distance = Math.abs(wanted - row);
    const to = roomNear(rows, wanted);
    if (to >= 0 && Math.abs(to - wanted) < distance) {
      rows.measure(id);
      rows.take(slot);
      rows.give(to, id);
    }
    return true;
  }

  /** Puts an item whose box has changed where it belongs: it stays, if it can. */
  settle(id: number): void {
    const { rows } = this;
    const slot = rows.slots[id];
    const isForRows = rows.measure(id);
    if (slot < 0 && !isForRows) return;
    if (slot < 0 || !isForRows) {
      this.take(id);
      this.house(id);
      return;
    }
    rows.write(slot);
    const row = slot >> 4;
    if (rows.holds(row)) return;
    const wanted = rows.rowOf(this.curve.keyOf(rows.boxes, BOX * id));
    if (this.curve.misses(rows.boxes, BOX * id) && this.#countStray()) return;
    const to = wanted === row ? row : roomNear(rows, wanted);
    if (to < 0 || to === row) {
      rows.widen(row);
      return;
    }
    rows.take(slot);
    rows.give(to, id);
  }

  /** Puts an item that is nowhere into a row, or outside of the rows. */
  house(id: number): void {
    const { rows, curve } = this;
    rows.slots[id] = PENDING;
    if (rows.count === 0) {
      this.#outgrow();
      return;
    }
    const isForRows = rows.measure(id);
    if ((!isForRows || curve.misses(rows.boxes, BOX * id)) && this.#countStray()) return;
    if (!isForRows) {
      rows.addOutside(id);
      return;
    }
    const wanted = rows.rowOf(curve.keyOf(rows.boxes, BOX * id));
    let to = roomNear(rows, wanted);
    if (to < 0) {
      const range = dealAround(rows, curve, wanted);
      if (range === null) {
        this.#outgrow();
        return;
      }
      this.fill(range.from, range.to);
      rows.measure(id);
      to = roomNear(rows, rows.rowOf(curve.keyOf(rows.boxes, BOX * id)));
    }
    if (to < 0) this.#outgrow();
    else rows.give(to, id);
  }

  /** Takes an item from where it is. */
  take(id: number): void {
    const { rows } = this;
    const slot = rows.slots[id];
    if (slot >= 0) rows.take(slot);
    else rows.removeOutside(id);
  }

  /** Counts an item for which rows were not made; true if there are so many that all items were dealt anew. */
  #countStray(): boolean {
    this.#strays++;
    if (this.#strays <= ROW + this.ids.size / 4) return false;
    this.#outgrow();
    return true;
  }

  #outgrow(): void {
    this.deal(this.ids.size, ROOMY);
  }

  /** Deals all items anew. */
  deal(items: number = this.ids.size, perRow: number = FULL): void {
    dealAll(this.rows, this.curve, items, this.ids.limit, perRow);
    this.fill(0, this.rows.count);
    this.#strays = 0;
    this.deals++;
  }

  /** Removes an item for good. */
  remove(id: number): void {
    const { rows } = this;
    this.take(id);
    rows.slots[id] = NOWHERE;
    const items = this.ids.size - 1;
    if (rows.count > 1 && items < SPARSE * rows.count) this.deal(items);
  }

  /** Drops all items. */
  clear(): void {
    const { rows } = this;
    rows.clear();
    this.#strays = 0;
    this.deals++;
    this.walk.kernel?.release(rows);
  }
}
