import { BOX } from './box.js';
import { grow, resize } from './grow.js';

/** Slots in a row. A set of slots fits one integer, bit k for slot k. */
export const ROW = 16;
/** Numbers in a row: six runs of 16, minX of all slots, then minY, minZ, maxX, maxY, maxZ. */
export const ROW_BOXES: number = BOX * ROW;

const FEW = 16;

/**
 * All boxes of an index, in rows of 16.
 *
 * Within a row equal coordinates lie side by side, so a test of the whole row against a volume reads straight runs of
 * memory, one run per coordinate it needs; this is where four boxes at a time can be tested by SIMD. An *entry* is one
 * slot of one row and holds one item; the entries of a row are slots 0 to size - 1. An item has one entry, or several
 * where a structure files it in several places: they are chained from `firstSlot`.
 */
export class Rows {
  /** Coordinate c (0..5) of slot k of row r is at 96 * r + 16 * c + k. */
  boxes: Float64Array = new Float64Array(FEW * ROW_BOXES);
  /** Item of slot k of row r, at 16 * r + k. */
  ids: Int32Array = new Int32Array(FEW * ROW);
  /** Next entry of the same item, by slot; -1 ends the chain. */
  nextSlot: Int32Array = new Int32Array(FEW * ROW);
  /** Entries in each row; rows on the free list have none. */
  sizes: Uint8Array = new Uint8Array(FEW);
  /** The tree node that stands for each row. */
  nodes: Int32Array = new Int32Array(FEW);
  /** First entry of each item, by id; -1 for an id without entries. */
  firstSlot: Int32Array = new Int32Array(FEW).fill(-1);
  /** Rows handed out so far, free ones included. */
  count = 0;

  #free = -1;

  /** Takes an empty row for `node`. */
  alloc(node: number): number {
    let row = this.#free;
    if (row >= 0) {
      this.#free = this.nodes[row];
    } else {
      row = this.count++;
      if (row === this.sizes.length) this.#resize(2 * row);
    }
    this.sizes[row] = 0;
    this.nodes[row] = node;
    return row;
  }

  /** Gives back an empty row. */
  free(row: number): void {
    this.nodes[row] = this.#free;
    this.#free = row;
  }

  /** Adds an entry for item `id` with the box at `o` to a row that has room; returns its slot. */
  append(row: number, id: number, box: ArrayLike<number>, o: number): number {
    const k = this.sizes[row]++;
    const slot = row * ROW + k;
    this.write(slot, box, o);
    this.ids[slot] = id;
    if (id >= this.firstSlot.length) {
      const old = this.firstSlot.length;
      this.firstSlot = grow(this.firstSlot, id + 1).fill(-1, old);
    }
    this.nextSlot[slot] = this.firstSlot[id];
    this.firstSlot[id] = slot;
    return slot;
  }

  /** Removes an entry. The last entry of the row takes its slot. */
  take(slot: number): void {
    const row = (slot / ROW) | 0;
    const last = row * ROW + --this.sizes[row];
    this.#relink(slot, this.nextSlot[slot]);
    if (slot === last) return;
    this.#relink(last, slot);
    this.ids[slot] = this.ids[last];
    this.nextSlot[slot] = this.nextSlot[last];
    const { boxes } = this;
    const from = row * ROW_BOXES + (last % ROW);
    const to = row * ROW_BOXES + (slot % ROW);
    for (let c = 0; c < ROW_BOXES; c += ROW) boxes[to + c] = boxes[from + c];
  }

  /** Writes the box of an entry. */
  write(slot: number, box: ArrayLike<number>, o: number): void {
    const { boxes } = this;
    const at = ((slot / ROW) | 0) * ROW_BOXES + (slot % ROW);
    boxes[at] = box[o];
    boxes[at + 16] = box[o + 1];
    boxes[at + 32] = box[o + 2];
    boxes[at + 48] = box[o + 3];
    boxes[at + 64] = box[o + 4];
    boxes[at + 80] = box[o + 5];
  }

  /** Reads the box of an entry into `out` at `o`. */
  read(slot: number, out: Float64Array, o: number): void {
    const { boxes } = this;
    const at = ((slot / ROW) | 0) * ROW_BOXES + (slot % ROW);
    out[o] = boxes[at];
    out[o + 1] = boxes[at + 16];
    out[o + 2] = boxes[at + 32];
    out[o + 3] = boxes[at + 48];
    out[o + 4] = boxes[at + 64];
    out[o + 5] = boxes[at + 80];
  }

  /** The outermost value of one side (0..5, as in a box) among the entries of a row that is not empty. */
  outermost(row: number, side: number): number {
    const { boxes } = this;
    const from = row * ROW_BOXES + side * ROW;
    const to = from + this.sizes[row];
    let value = boxes[from];
    if (side < 3) for (let i = from + 1; i < to; i++) value = boxes[i] < value ? boxes[i] : value;
    else for (let i = from + 1; i < to; i++) value = boxes[i] > value ? boxes[i] : value;
    return value;
  }

  /** Forgets every row and entry. Memory is kept for `items` items at most. */
  reset(items: number): void {
    const rows = Math.max(FEW, Math.ceil(items / 8));
    if (this.sizes.length > 2 * rows) {
      this.#resize(rows);
      this.firstSlot = new Int32Array(Math.max(FEW, items));
    }
    this.firstSlot.fill(-1);
    this.count = 0;
    this.#free = -1;
  }

  /** Bytes held. */
  get bytes(): number {
    return (
      this.boxes.byteLength +
      this.ids.byteLength +
      this.nextSlot.byteLength +
      this.sizes.byteLength +
      this.nodes.byteLength +
      this.firstSlot.byteLength
    );
  }

  /** Points whatever points at `slot` (its item's head or the entry before it in the chain) at `target` instead. */
  #relink(slot: number, target: number): void {
    const { nextSlot, firstSlot } = this;
    const id = this.ids[slot];
    let s = firstSlot[id];
    if (s === slot) {
      firstSlot[id] = target;
      return;
    }
    while (nextSlot[s] !== slot) s = nextSlot[s];
    nextSlot[s] = target;
  }

  #resize(rows: number): void {
    this.boxes = resize(this.boxes, rows * ROW_BOXES);
    this.ids = resize(this.ids, rows * ROW);
    this.nextSlot = resize(this.nextSlot, rows * ROW);
    this.sizes = resize(this.sizes, rows);
    this.nodes = resize(this.nodes, rows);
  }
}
