import { grow, lengthen } from '../core/arrays.js';
import { BOX, copyBox, makeEmpty, ROW, unite } from '../core/box.js';

/** Initial room, in rows and in items. */
const FEW_ROWS = 16;

/**
 * All boxes of an index, in rows of 16 seats.
 *
 * An *entry* takes one seat and holds one item; the entries of a row are in seats 0 to size - 1. An item in several
 * nodes has a ring of entries. The entry at `firstSlot` is *primary*; other entries hold the complement of the id.
 * Every entry holds the whole box, so a query reports an item exactly once by reporting its primary entries only.
 */
export class Rows {
  /** Box of seat s at 6 * s. */
  boxes: Float64Array = new Float64Array(FEW_ROWS * ROW * BOX);
  /** Item in seat k of row r, at 16 * r + k; the complement of its id for an entry that is not primary. */
  ids: Int32Array = new Int32Array(FEW_ROWS * ROW);
  /** Next entry of the same item, in a ring; -1 for the only entry of an item. */
  nextSlot: Int32Array = new Int32Array(FEW_ROWS * ROW);
  /** Entries in each row; rows on the free list have none. */
  sizes: Uint8Array = new Uint8Array(FEW_ROWS);
  /** Not 0 if an entry was added, removed or moved since the row was packed. */
  dirty: Uint8Array = new Uint8Array(FEW_ROWS);
  /** The tree node of each row; for a free row the next free row. */
  nodes: Int32Array = new Int32Array(FEW_ROWS);
  /** The primary entry of each item, by id; -1 for an id without entries. */
  firstSlot: Int32Array = new Int32Array(FEW_ROWS).fill(-1);
  /** Rows allocated so far, free ones included. */
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

  /** Adds an entry for item `id` with the box at `o` to a row that has room; returns its seat. */
  append(row: number, id: number, box: ArrayLike<number>, o: number): number {
    const k = this.sizes[row]++;
    const slot = row * ROW + k;
    this.write(slot, box, o);
    if (id >= this.firstSlot.length) {
      const old = this.firstSlot.length;
      this.firstSlot = grow(this.firstSlot, id + 1).fill(-1, old);
    }
    const first = this.firstSlot[id];
    this.ids[slot] = first < 0 ? id : ~id;
    this.nextSlot[slot] = first < 0 ? -1 : this.nextSlot[first] < 0 ? first : this.nextSlot[first];
    if (first < 0) this.firstSlot[id] = slot;
    else this.nextSlot[first] = slot;
    return slot;
  }

  /** Removes an entry. The last entry of the row takes its seat. */
  remove(slot: number): void {
    const { boxes, ids, nextSlot, firstSlot } = this;
    const row = (slot / ROW) | 0;
    const last = row * ROW + --this.sizes[row];
    const next = nextSlot[slot];
    if (next < 0) {
      firstSlot[ids[slot]] = -1;
    } else {
      const id = this.itemAt(slot);
      const before = this.before(slot);
      nextSlot[before] = next === before ? -1 : next;
      if (firstSlot[id] === slot) {
        firstSlot[id] = before;
        ids[before] = id;
      }
    }
    if (slot === last) return;
    if (nextSlot[last] >= 0) nextSlot[this.before(last)] = slot;
    if (ids[last] >= 0) firstSlot[ids[last]] = slot;
    ids[slot] = ids[last];
    nextSlot[slot] = nextSlot[last];
    copyBox(boxes, BOX * last, boxes, BOX * slot);
  }

  /** The item of an entry. */
  itemAt(slot: number): number {
    const id = this.ids[slot];
    return id < 0 ? ~id : id;
  }

  write(slot: number, box: ArrayLike<number>, o: number): void {
    copyBox(box, o, this.boxes, BOX * slot);
  }

  read(slot: number, out: Float64Array, o: number): void {
    copyBox(this.boxes, BOX * slot, out, o);
  }

  /** Writes the tight box of a row that is not empty. */
  tighten(row: number, out: Float64Array): void {
    makeEmpty(out, 0);
    const end = BOX * (ROW * row + this.sizes[row]);
    for (let o = BOX * ROW * row; o < end; o += BOX) unite(out, 0, this.boxes, o);
  }

  /** Drops all rows and entries, and makes room for about `items` entries, at most twice as many. */
  reset(items: number): void {
    const rows = Math.max(FEW_ROWS, Math.ceil(items / 9));
    if (this.sizes.length < rows || this.sizes.length > 2 * rows) {
      this.#resize(rows, 0);
    }
    // Ids may be larger than the number of items; `append` makes room for them.
    if (this.firstSlot.length > 2 * Math.max(FEW_ROWS, items))
      this.firstSlot = new Int32Array(Math.max(FEW_ROWS, items));
    this.firstSlot.fill(-1);
    this.count = 0;
    this.firstFree = -1;
  }

  /** The entry before this one in the ring of its item. */
  before(slot: number): number {
    let before = slot;
    while (this.nextSlot[before] !== slot) before = this.nextSlot[before];
    return before;
  }

  /** Makes room for a number of rows; the first `kept` rows stay. */
  #resize(rows: number, kept: number): void {
    this.boxes = lengthen(this.boxes.subarray(0, BOX * ROW * kept), BOX * ROW * rows);
    this.ids = lengthen(this.ids.subarray(0, ROW * kept), ROW * rows);
    this.nextSlot = lengthen(this.nextSlot.subarray(0, ROW * kept), ROW * rows);
    this.sizes = lengthen(this.sizes.subarray(0, kept), rows);
    this.dirty = lengthen(this.dirty.subarray(0, kept), rows);
    this.nodes = lengthen(this.nodes.subarray(0, kept), rows);
  }
}
