import { sortByKey } from '../core/arrays.js';
import { BOX, isBounded, makeEmpty, ROW, unite } from '../core/box.js';
import { IdList, ItemIds } from '../core/ids.js';
import { HilbertCurve } from './HilbertCurve.js';
import { PackedQueryState } from './PackedQueryState.js';
import { NOWHERE, PackedRows, UNSORTED } from './PackedRows.js';

/** Items in a row after a rebuild; the other seats are room for new items. */
const FULL_ROW = 12;
/** Items in a row after a rebuild for lack of room; fewer, so that such rebuilds stay rare. */
const ROOMY = 9;
/** With fewer items per row on average, everything is rebuilt into fewer rows. */
const SPARSE_ROWS = 4;
/** An item more rows than this from its position on the curve is a stray. */
const STRAY_DISTANCE = 2;
/** Rows on either side that are searched for room. */
const NEAR = 8;
/** The share of seats that all rows together may fill; fewer rows may be fuller. */
const MAX_FULL = 0.875;
/** Items sampled to estimate the size of the world, and the share of them ignored at each end of an axis. */
const WORLD_SAMPLE = 512;
const TAIL = 0.04;

/** The items of a packed structure: in rows along a curve, or outside the rows. */
export class PackedItems {
  readonly ids: ItemIds = new ItemIds();
  readonly rows: PackedRows = new PackedRows();
  readonly curve: HilbertCurve;
  readonly state: PackedQueryState = new PackedQueryState(this.rows);
  /** Number of times that all rows were rebuilt. */
  rebuilds = 0;
  /** Items placed outside the cube of the curve, or outside the rows, since the last rebuild. */
  #misfits = 0;
  readonly #listed = new IdList();

  constructor(planar: boolean) {
    this.curve = new HilbertCurve(planar);
  }

  /** Inserts new items in the order of the curve, so that consecutive items go to the same or neighbouring rows. */
  insertAll(newIds: Int32Array, newBoxes: Float64Array): void {
    const { rows, curve, rebuilds } = this;
    const { kernel } = this.state;
    rows.resizeIds(this.ids.limit);
    rows.setBoxes(newIds, newBoxes);
    const ids = newIds.slice();
    const inKernel = kernel?.sort(curve, ids);
    if (!inKernel) sortByKey(ids.map(this.#keyOf, this), ids);
    // A rebuild inserts all remaining items.
    for (let i = 0; this.rebuilds === rebuilds; i++) {
      if (inKernel) i = kernel?.append(i, ids.length) ?? i;
      if (i >= ids.length) return;
      this.insert(ids[i]);
    }
  }

  /** Inserts an item into the row of its key, into a row nearby, or outside the rows. */
  insert(id: number): void {
    const { rows } = this;
    rows.seats[id] = UNSORTED;
    if (rows.count === 0) {
      this.rebuild(this.ids.size, ROOMY);
      return;
    }
    const isForRows = rows.measure(id);
    if ((!isForRows || this.curve.misses(rows.boxes, BOX * id)) && this.#countMisfit()) return;
    if (!isForRows) {
      rows.addOutside(id);
      return;
    }
    const key = this.#keyOf(id);
    let to = roomNear(rows, rows.rowOf(key));
    if (to < 0 && this.#makeRoom(rows.rowOf(key))) {
      rows.measure(id);
      to = roomNear(rows, rows.rowOf(key));
    }
    if (to < 0) this.rebuild(this.ids.size, ROOMY);
    else rows.append(to, id);
  }

  /** Moves items. With `areMost` the caller refits all rows afterwards. Only kernels take boxes in single precision. */
  moveAll(ids: ArrayLike<number>, boxes: Float64Array | Float32Array, areMost: boolean, max?: Float32Array): void {
    const { rows } = this;
    const left = this.#listed;
    left.length = 0;
    if (!this.state.kernel?.move(ids, boxes, max, areMost, left)) {
      // As in the kernel, all boxes are first compared with the boxes of rows, even if an id is listed several times.
      for (let i = 0; i < ids.length; i++) {
        rows.setBox(ids[i], boxes as Float64Array, BOX * i);
        if (!this.#stays(ids[i], areMost)) left.push(ids[i]);
      }
    }
    for (let i = 0; i < left.length; i++) {
      // An item listed twice may have left its row by its first box, and be within it by its last box.
      if (!areMost || !this.#stays(left.ids[i], true)) this.move(left.ids[i]);
    }
  }

  /** Writes an item's box to its seat; false if rows cannot hold it, or its row does not and is not refitted later. */
  #stays(id: number, isRefitted: boolean): boolean {
    const { rows } = this;
    const seat = rows.seats[id];
    if (seat < 0 || !rows.measure(id)) return false;
    rows.write(seat);
    return isRefitted || rows.holds(seat >> 4);
  }

  /** Moves an item whose box has changed; the item stays in its row if the row's box holds the new box. */
  move(id: number): void {
    const { rows } = this;
    const seat = rows.seats[id];
    const isForRows = rows.measure(id);
    if (seat < 0 && !isForRows) return;
    if (seat < 0 || !isForRows) {
      this.#take(id);
      this.insert(id);
      return;
    }
    rows.write(seat);
    if (rows.holds(seat >> 4)) return;
    if (this.curve.misses(rows.boxes, BOX * id) && this.#countMisfit()) return;
    this.#settle(id);
  }

  /** Moves an item with its box in `roundedBox` closer to its position on the curve, or widens its row to hold it. */
  #settle(id: number): void {
    const { rows } = this;
    const seat = rows.seats[id];
    const row = seat >> 4;
    const wanted = rows.rowOf(this.#keyOf(id));
    const to = roomNear(rows, wanted);
    if (to < 0 || Math.abs(to - wanted) >= Math.abs(row - wanted)) {
      rows.widen(row);
    } else {
      rows.removeAt(seat);
      rows.append(to, id);
    }
  }

  /** Moves strays of every `step`-th row from `from` to `to` - 1 towards their positions; returns their number. */
  returnStrays(from: number, to: number, step: number): number {
    const { rows } = this;
    const strays = this.#listed;
    strays.length = 0;
    if (!this.state.kernel?.listStrays(this.curve, from, to, step, strays)) this.#listStrays(from, to, step);
    for (let i = 0; i < strays.length; i++) {
      rows.measure(strays.ids[i]);
      this.#settle(strays.ids[i]);
    }
    return strays.length;
  }

  #listStrays(from: number, to: number, step: number): void {
    const { firstKeys, sizes, ids, boxes, count } = this.rows;
    for (let row = from; row < to; row += step) {
      const least = firstKeys[Math.max(row - STRAY_DISTANCE, 0)];
      const end = row + STRAY_DISTANCE + 1;
      for (let seat = ROW * row; seat < ROW * row + sizes[row]; seat++) {
        const key = this.curve.keyOf(boxes, BOX * ids[seat]);
        if (key < least || (end < count && key >= firstKeys[end])) this.#listed.push(ids[seat]);
      }
    }
  }

  remove(id: number): void {
    const { rows } = this;
    this.#take(id);
    rows.seats[id] = NOWHERE;
    const items = this.ids.size - 1;
    if (this.#isSparse(items)) this.rebuild(items);
  }

  /** Removes items whose ids are free already. */
  removeAll(ids: Int32Array): void {
    const { rows } = this;
    const { kernel } = this.state;
    const left = this.#listed;
    left.length = 0;
    if (this.#isSparse(this.ids.size)) {
      for (let i = 0; i < ids.length; i++) rows.seats[ids[i]] = NOWHERE;
      this.rebuild();
      return;
    }
    const rest = kernel?.take(ids, left) ? left.ids.subarray(0, left.length) : ids;
    for (let i = 0; i < rest.length; i++) {
      this.#take(rest[i]);
      rows.seats[rest[i]] = NOWHERE;
    }
  }

  #isSparse(items: number): boolean {
    return this.rows.count > 1 && items < SPARSE_ROWS * this.rows.count;
  }

  clear(): void {
    this.rows.clear();
    this.#misfits = 0;
    this.rebuilds++;
    this.state.kernel?.release();
  }

  arrange(newIds: Int32Array, newBoxes: Float64Array): void {
    const { rows } = this;
    const known = rows.seats.length;
    rows.resizeIds(this.ids.limit);
    rows.reserve(rowsFor(this.ids.size, FULL_ROW));
    // Only boxes of known items are moved to the kernel's memory; new boxes are written there directly.
    this.state.kernel?.freshKernel(known);
    rows.setBoxes(newIds, newBoxes);
    this.rebuild();
  }

  /** Distributes all items over new rows, in the order of the curve. */
  rebuild(items: number = this.ids.size, perRow: number = FULL_ROW): void {
    const { rows, curve } = this;
    const { kernel } = this.state;
    rows.resizeIds(this.ids.limit);
    rows.reserve(items === 0 ? 0 : rowsFor(items, perRow));
    frameWorld(rows, this.ids.limit);
    const world = new Float64Array(BOX);
    makeEmpty(world, 0);
    const far = new IdList();
    const near = kernel?.gather(items, this.ids.limit, world, far) ? null : gather(rows, items, world, far);
    const count = items - far.length;
    if (count > 0) curve.fill(world);
    rows.reset(items === 0 ? 0 : rowsFor(count, perRow));
    rows.slack = 0;
    if (near === null) kernel?.dealGathered(curve, count);
    else this.#fill(0, rows.count, near, near.map(this.#keyOf, this));
    rows.outside = new Int32Array(far.length);
    for (const id of far) rows.addOutside(id);
    this.#misfits = 0;
    this.rebuilds++;
  }

  /**
   * Distributes the items of rows `from` to `to` - 1 evenly. Items that belong to other rows go there if there is room,
   * else to row `from` or `to` - 1.
   */
  redistribute(from: number, to: number): void {
    const { rows } = this;
    const least = rows.firstKeys[from];
    const most = to < rows.count ? rows.firstKeys[to] : Number.POSITIVE_INFINITY;
    const ids = new Int32Array(ROW * (to - from));
    const keys = new Int32Array(ids.length);
    let count = 0;
    for (let row = from; row < to; row++) {
      const end = ROW * row + rows.sizes[row];
      for (let seat = ROW * row; seat < end; seat++) {
        const id = rows.ids[seat];
        const key = this.curve.keyOf(rows.boxes, BOX * id);
        if ((key < least || key > most) && this.#sendAway(id, key, from, to)) continue;
        ids[count] = id;
        keys[count++] = Math.min(Math.max(key, least), most);
      }
    }
    this.#fill(from, to, ids.subarray(0, count), keys.subarray(0, count));
  }

  refit(from: number, to: number): void {
    if (!this.state.kernel?.refit(from, to)) this.rows.refit(from, to);
  }

  /** Sorts items along the curve and distributes them over rows `from` to `to` - 1. */
  #fill(from: number, to: number, ids: Int32Array, keys: Int32Array): void {
    if (this.state.kernel?.deal(from, to, ids, keys)) return;
    sortByKey(keys, ids);
    distribute(this.rows, from, to, ids, keys);
    this.rows.fill(from, to);
    this.rows.refit(from, to);
  }

  /** Appends an item near the row of its key; false if the nearest room is in rows `from` to `to` - 1. */
  #sendAway(id: number, key: number, from: number, to: number): boolean {
    const { rows } = this;
    const row = roomNear(rows, rows.rowOf(key));
    if (row < 0 || (row >= from && row < to)) return false;
    rows.measure(id);
    rows.append(row, id);
    return true;
  }

  /** Makes room around a full row: the fewest of 2, 4, 8 … rows with enough room share their items; else false. */
  #makeRoom(row: number): boolean {
    const { count, sizes } = this.rows;
    const height = Math.log2(count);
    for (let bits = 1; ; bits++) {
      const from = (row >> bits) << bits;
      const to = Math.min(from + 2 ** bits, count);
      let items = 1;
      for (let r = from; r < to; r++) items += sizes[r];
      const full = 1 - (1 - MAX_FULL) * Math.min(bits / height, 1);
      if (items <= full * ROW * (to - from)) {
        this.redistribute(from, to);
        return true;
      }
      if (to - from >= count) return false;
    }
  }

  #keyOf(id: number): number {
    return this.curve.keyOf(this.rows.boxes, BOX * id);
  }

  /** Counts a misfit; true if there were so many that everything was rebuilt. */
  #countMisfit(): boolean {
    this.#misfits++;
    if (this.#misfits <= ROW + this.ids.size / 4) return false;
    this.rebuild(this.ids.size, ROOMY);
    return true;
  }

  /** Takes an item out of its row, or out of the items outside. */
  #take(id: number): void {
    const { rows } = this;
    const seat = rows.seats[id];
    if (seat >= 0) rows.removeAt(seat);
    else rows.removeOutside(id);
  }
}

/** The nearest row that has room, or -1. */
function roomNear({ sizes, count }: PackedRows, row: number): number {
  if (sizes[row] < ROW) return row;
  for (let d = 1; d <= NEAR; d++) {
    if (row >= d && sizes[row - d] < ROW) return row - d;
    if (row + d < count && sizes[row + d] < ROW) return row + d;
  }
  return -1;
}

/** Spreads sorted ids, not boxes, evenly over rows `from` to `to` - 1. Row `from` keeps its first key; row 0 gets 0. */
export function distribute(rows: PackedRows, from: number, to: number, ids: Int32Array, keys: Int32Array): void {
  const { firstKeys, sizes } = rows;
  const rowCount = to - from;
  const count = ids.length;
  for (let row = from, i = 0; row < to; row++) {
    const even = Math.floor(((row - from + 1) * count) / rowCount);
    const end = row + 1 === to ? count : cutNear(keys, even, i, to - row - 1);
    if (row === 0) firstKeys[row] = 0;
    else if (row > from) firstKeys[row] = i < count ? keys[i] : firstKeys[row - 1];
    sizes[row] = end - i;
    for (let seat = ROW * row; i < end; i++, seat++) rows.ids[seat] = ids[i];
  }
}

/**
 * The end of a row of sorted items from `start` on: near `even`, between the keys that differ most, so that rows are
 * whole cells of the curve if possible. The row gets at most 16 items; the rest fits the `behind` rows after it.
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

/** The number of rows to begin with. There is one row even when all items lie outside the rows. */
function rowsFor(items: number, perRow: number): number {
  return items <= ROW ? 1 : Math.ceil(items / perRow);
}

/** Lists the items that rows can hold, and unites their boxes in `world`; appends the other items to `far`. */
function gather(rows: PackedRows, items: number, world: Float64Array, far: IdList): Int32Array {
  const ids = new Int32Array(items);
  let count = 0;
  for (let id = 0; count + far.length < items; id++) {
    if (rows.seats[id] === NOWHERE) continue;
    if (rows.measure(id)) {
      ids[count++] = id;
      unite(world, 0, rows.boxes, BOX * id);
    } else far.push(id);
  }
  return ids.subarray(0, count);
}

/** Fits the frame to a sample of boxes without the few outermost: so outliers cost the other boxes no precision. */
function frameWorld({ boxes, seats, frame }: PackedRows, limit: number): void {
  const step = Math.max(1, Math.floor(limit / WORLD_SAMPLE));
  const sample: number[] = [];
  for (let id = 0; id < limit; id++) {
    if (seats[id] === NOWHERE) continue;
    if (isBounded(boxes, BOX * id)) sample.push(id);
    id += step - 1;
  }
  if (sample.length === 0) return;
  // All but `tail` boxes begin at or above the minimum, all but `tail` end at or below the maximum: some box does both.
  const tail = Math.floor(TAIL * sample.length);
  const world = new Float64Array(BOX);
  const sides = new Float64Array(sample.length);
  for (let c = 0; c < BOX; c++) {
    for (let i = 0; i < sides.length; i++) sides[i] = boxes[BOX * sample[i] + c];
    sides.sort();
    world[c] = sides[c < 3 ? tail : sides.length - 1 - tail];
  }
  frame.fit(world);
}
