import { grow, lengthen } from '../core/arrays.js';
import { BOX, copyBox, makeEmpty, ROW, unite } from '../core/box.js';

/** Initial room, in rows and in items. */
const FIRST_ROWS = 16;

/**
 * All boxes of an index, in rows of 16 seats.
 *
 * A *copy* takes one seat and holds one item; the copies of a row are in seats 0 to size - 1. An item in several
 * nodes has a ring of copies. Queries report the copy at `firstSeat`; the other copies hold the complement of the id.
 * Every copy holds the whole box, so a query that touches the item finds the reported copy, and reports it once.
 */
export class Rows {
  /** Box of seat s at 6 * s. */
  boxes: Float64Array = new Float64Array(FIRST_ROWS * ROW * BOX);
  /** Item in seat k of row r, at 16 * r + k; the complement of its id for a copy that queries do not report. */
  ids: Int32Array = new Int32Array(FIRST_ROWS * ROW);
  /** Next copy of the same item, in a ring; -1 for the only copy of an item. */
  nextSeat: Int32Array = new Int32Array(FIRST_ROWS * ROW);
  /** Number of copies in each row; 0 for a free row. */
  sizes: Uint8Array = new Uint8Array(FIRST_ROWS);
  /** Not 0 if a copy was added, removed or moved since the row was packed. */
  dirty: Uint8Array = new Uint8Array(FIRST_ROWS);
  /** The tree node of each row; for a free row the next free row. */
  nodes: Int32Array = new Int32Array(FIRST_ROWS);
  /** By id, the seat of the copy that queries report; -1 for an id without copies. */
  firstSeat: Int32Array = new Int32Array(FIRST_ROWS).fill(-1);
  /** Number of different rows allocated so far, free rows included. */
  count = 0;

  /** The first free row, or -1. */
  firstFree = -1;

  alloc(node: number): number {
    let row = this.firstFree;
    if (row >= 0) {
      this.firstFree = this.nodes[row];
    } else {
      row = this.count++;
      if (row === this.sizes.length) this.#resize(2 * row, row);
    }
    this.sizes[row] = 0;
    this.dirty[row] = 0;
    this.nodes[row] = node;
    return row;
  }

  free(row: number): void {
    this.nodes[row] = this.firstFree;
    this.firstFree = row;
  }

  /** Adds a copy for item `id` with the box at `o` to a row that has room; returns its seat. */
  append(row: number, id: number, box: ArrayLike<number>, o: number): number {
    const k = this.sizes[row]++;
    const seat = row * ROW + k;
    this.write(seat, box, o);
    if (id >= this.firstSeat.length) {
      const old = this.firstSeat.length;
      this.firstSeat = grow(this.firstSeat, id + 1).fill(-1, old);
    }
    const first = this.firstSeat[id];
    this.ids[seat] = first < 0 ? id : ~id;
    this.nextSeat[seat] = first < 0 ? -1 : this.nextSeat[first] < 0 ? first : this.nextSeat[first];
    if (first < 0) this.firstSeat[id] = seat;
    else this.nextSeat[first] = seat;
    return seat;
  }

  /** Removes a copy. The last copy of the row takes its seat. */
  remove(seat: number): void {
    const { boxes, ids, nextSeat, firstSeat } = this;
    const row = (seat / ROW) | 0;
    const last = row * ROW + --this.sizes[row];
    const next = nextSeat[seat];
    if (next < 0) {
      firstSeat[ids[seat]] = -1;
    } else {
      const id = this.itemAt(seat);
      const before = this.before(seat);
      nextSeat[before] = next === before ? -1 : next;
      if (firstSeat[id] === seat) {
        firstSeat[id] = before;
        ids[before] = id;
      }
    }
    if (seat === last) return;
    if (nextSeat[last] >= 0) nextSeat[this.before(last)] = seat;
    if (ids[last] >= 0) firstSeat[ids[last]] = seat;
    ids[seat] = ids[last];
    nextSeat[seat] = nextSeat[last];
    copyBox(boxes, BOX * last, boxes, BOX * seat);
  }

  itemAt(seat: number): number {
    const id = this.ids[seat];
    return id < 0 ? ~id : id;
  }

  write(seat: number, box: ArrayLike<number>, o: number): void {
    copyBox(box, o, this.boxes, BOX * seat);
  }

  read(seat: number, out: Float64Array, o: number): void {
    copyBox(this.boxes, BOX * seat, out, o);
  }

  /** Writes the tight box of a row that is not empty. */
  tighten(row: number, out: Float64Array): void {
    makeEmpty(out, 0);
    const end = BOX * (ROW * row + this.sizes[row]);
    for (let o = BOX * ROW * row; o < end; o += BOX) unite(out, 0, this.boxes, o);
  }

  /** Drops all rows and copies, and makes room for about `items` copies, at most twice as many. */
  reset(items: number): void {
    const rows = Math.max(FIRST_ROWS, Math.ceil(items / 9));
    if (this.sizes.length < rows || this.sizes.length > 2 * rows) {
      this.#resize(rows, 0);
    }
    // Ids may be larger than the number of items; `append` makes room for them.
    if (this.firstSeat.length > 2 * Math.max(FIRST_ROWS, items))
      this.firstSeat = new Int32Array(Math.max(FIRST_ROWS, items));
    this.firstSeat.fill(-1);
    this.count = 0;
    this.firstFree = -1;
  }

  /** The seat of the copy before a copy in the ring of its item. */
  before(seat: number): number {
    let before = seat;
    while (this.nextSeat[before] !== seat) before = this.nextSeat[before];
    return before;
  }

  /** Makes room for a number of rows; the first `kept` rows stay. */
  #resize(rows: number, kept: number): void {
    this.boxes = lengthen(this.boxes.subarray(0, BOX * ROW * kept), BOX * ROW * rows);
    this.ids = lengthen(this.ids.subarray(0, ROW * kept), ROW * rows);
    this.nextSeat = lengthen(this.nextSeat.subarray(0, ROW * kept), ROW * rows);
    this.sizes = lengthen(this.sizes.subarray(0, kept), rows);
    this.dirty = lengthen(this.dirty.subarray(0, kept), rows);
    this.nodes = lengthen(this.nodes.subarray(0, kept), rows);
  }
}
