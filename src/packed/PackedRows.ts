import { grow } from '../core/arrays.js';
import { BOX, copyBox, offsetOf, QUAD_BOXES, ROW, ROW_BOXES } from '../core/box.js';
import { countsUp } from '../core/ids.js';

/** In `seats`: an item not in the index, and an unsorted item, in no row yet. Lower numbers stand for `outside`. */
export const NOWHERE = -1;
export const UNSORTED = -2;
const FIRST_OUTSIDE = -3;

/** Sides of the box of an empty row: larger than all other sides, so every test fails; finite, so none gives NaN. */
const EMPTY = 2 ** 100;
const MAX_TIERS = 16;

/**
 * Boxes in rows along a curve, and an implicit tree over them.
 *
 * The exact boxes are stored by id in double precision. A *row* has 16 seats with the boxes of its items in single
 * precision, rounded outwards. Its seats form four *quads*; the same coordinate of a quad's four boxes lies side by
 * side. The boxes around four rows form a quad too, and the boxes around four quads form a quad of the next *tier*, up
 * to a tier of a single quad. So the parent of box n of a tier is box n >> 2 of the next tier, without any pointer, and
 * the rows below a box are consecutive.
 *
 * The box of a row or quad contains everything below it, and may be larger.
 */
export class PackedRows {
  readonly frame: Frame = new Frame();
  /** The box measured last, rounded as in rows. */
  readonly roundedBox: Float32Array = new Float32Array(BOX);
  /** Exact box of item i at 6 * i. */
  boxes: Float64Array = new Float64Array(0);
  /** Seat of each item, or a negative number for an item in no row. */
  seats: Int32Array = new Int32Array(0);
  /** Rows in use. */
  count = 0;
  /** Rounded boxes by seat: coordinate c of seat s is at offsetOf(s) + 4 * c. Unused seats hold stale numbers. */
  rows: Float32Array = new Float32Array(0);
  /** Items by seat; the items of a row are in its first seats. */
  ids: Int32Array = new Int32Array(0);
  sizes: Uint8Array = new Uint8Array(0);
  /** For each row the lowest key of the curve that belongs there; keys never decrease from row to row. */
  firstKeys: Int32Array = new Int32Array(0);
  /** The boxes of all tiers; box n of tier h at starts[h] + offsetOf(n). */
  tiers: Float32Array = new Float32Array(0);
  readonly starts: Int32Array = new Int32Array(MAX_TIERS);
  /** The tier of a single quad. */
  top = 0;
  /** The distance by which the sides of a row's box lie beyond its items after the box is refitted or widened. */
  slack = 0;
  /** Items in no row: unbounded, or too far away for single precision. */
  outside: Int32Array = new Int32Array(0);
  outsideCount = 0;
  /** Incremented when an array that kernels read is replaced. */
  allocations = 0;

  /** Makes room for `count` rows, or drops spare room. Only the exact boxes are kept: `reset` has to follow. */
  reserve(count: number): void {
    const room = this.sizes.length;
    if (count > room || 2 * count < room) {
      this.allocations++;
      this.rows = new Float32Array(ROW_BOXES * count);
      this.ids = new Int32Array(ROW * count);
      this.sizes = new Uint8Array(count);
      this.firstKeys = new Int32Array(count);
    }
    const floats = this.#layTiers(count);
    if (floats > this.tiers.length || 2 * floats < this.tiers.length) {
      this.allocations++;
      this.tiers = new Float32Array(floats);
    }
  }

  /** Begins with `count` empty rows; there must be room for them. */
  reset(count: number): void {
    const floats = this.#layTiers(count);
    this.sizes.fill(0);
    this.count = count;
    this.outsideCount = 0;
    for (let o = 0; o < floats; o += QUAD_BOXES) {
      this.tiers.fill(EMPTY, o, o + QUAD_BOXES / 2);
      this.tiers.fill(-EMPTY, o + QUAD_BOXES / 2, o + QUAD_BOXES);
    }
  }

  /** Computes the start of each tier over `count` rows; returns the size of all tiers together, in numbers. */
  #layTiers(count: number): number {
    let floats = 0;
    let quads = count;
    this.top = -1;
    do {
      quads = Math.ceil(quads / 4);
      this.starts[++this.top] = floats;
      floats += QUAD_BOXES * quads;
    } while (quads > 1);
    return floats;
  }

  /** Makes room for ids below `limit`, or drops spare room. */
  resizeIds(limit: number): void {
    if (limit > this.seats.length) {
      this.allocations++;
      const before = this.seats.length;
      this.boxes = grow(this.boxes, BOX * limit);
      this.seats = grow(this.seats, this.boxes.length / BOX).fill(NOWHERE, before);
    } else if (2 * limit < this.seats.length) {
      this.allocations++;
      this.boxes = this.boxes.slice(0, BOX * limit);
      this.seats = this.seats.slice(0, limit);
    }
  }

  clear(): void {
    this.resizeIds(0);
    this.outside = new Int32Array(0);
    this.reserve(0);
    this.reset(0);
  }

  setBox(id: number, box: Float64Array, o: number): void {
    if (id >= this.seats.length) this.resizeIds(id + 1);
    copyBox(box, o, this.boxes, BOX * id);
  }

  /** Stores the boxes of items that are about to be inserted. */
  setBoxes(ids: Int32Array, boxes: Float64Array): void {
    // Boxes of consecutive items lie in the caller's order: a single copy is faster.
    if (countsUp(ids)) this.boxes.set(boxes, BOX * ids[0]);
    else for (let i = 0; i < ids.length; i++) copyBox(boxes, BOX * i, this.boxes, BOX * ids[i]);
    for (let i = 0; i < ids.length; i++) this.seats[ids[i]] = UNSORTED;
  }

  /** Rounds the box of an item into `roundedBox`; false if rows cannot hold it. */
  measure(id: number): boolean {
    return this.frame.roundOutwards(this.boxes, BOX * id, this.roundedBox);
  }

  /** Sets seats and rounded boxes of the items listed in rows `from` to `to` - 1. */
  fill(from: number, to: number): void {
    for (let row = from; row < to; row++) {
      const end = ROW * row + this.sizes[row];
      for (let seat = ROW * row; seat < end; seat++) {
        this.seats[this.ids[seat]] = seat;
        this.measure(this.ids[seat]);
        this.write(seat);
      }
    }
  }

  /** Appends an item, with its box in `roundedBox`, to a row that has room. */
  append(row: number, id: number): void {
    const seat = ROW * row + this.sizes[row]++;
    this.ids[seat] = id;
    this.seats[id] = seat;
    this.write(seat);
    if (!this.holds(row)) this.widen(row);
  }

  /** Removes the item in a seat from its row; the last item of the row takes the seat. */
  removeAt(seat: number): void {
    const { rows, ids } = this;
    const row = seat >> 4;
    const last = ROW * row + --this.sizes[row];
    this.seats[ids[seat]] = UNSORTED;
    if (seat === last) return;
    ids[seat] = ids[last];
    this.seats[ids[seat]] = seat;
    const from = offsetOf(last);
    const to = offsetOf(seat);
    for (let c = 0; c < QUAD_BOXES; c += 4) rows[to + c] = rows[from + c];
  }

  write(seat: number): void {
    const { rows, roundedBox } = this;
    const at = offsetOf(seat);
    rows[at] = roundedBox[0];
    rows[at + 4] = roundedBox[1];
    rows[at + 8] = roundedBox[2];
    rows[at + 12] = roundedBox[3];
    rows[at + 16] = roundedBox[4];
    rows[at + 20] = roundedBox[5];
  }

  /** True when the box of a row holds `roundedBox`. */
  holds(row: number): boolean {
    const { tiers, roundedBox: box } = this;
    const at = offsetOf(row);
    // biome-ignore format: aligned lines show the symmetry
    return box[0] >= tiers[at] && box[1] >= tiers[at + 4] && box[2] >= tiers[at + 8]
        && box[3] <= tiers[at + 12] && box[4] <= tiers[at + 16] && box[5] <= tiers[at + 20];
  }

  /** Widens the box of a row, with some slack, and the boxes above it so that they hold `roundedBox`. */
  widen(row: number): void {
    const { tiers, starts, slack, roundedBox } = this;
    const at = offsetOf(row);
    for (let c = 0, low = at, high = at + 12; c < 3; c++, low += 4, high += 4) {
      if (roundedBox[c] < tiers[low]) tiers[low] = roundedBox[c] - slack;
      if (roundedBox[c + 3] > tiers[high]) tiers[high] = roundedBox[c + 3] + slack;
    }
    let isWider = true;
    for (let h = 0, n = row; h < this.top && isWider; h++, n >>= 2) {
      const from = starts[h] + offsetOf(n);
      const to = starts[h + 1] + offsetOf(n >> 2);
      isWider = false;
      for (let c = 0; c < QUAD_BOXES; c += 4) {
        const value = tiers[from + c];
        if (c < QUAD_BOXES / 2 ? value >= tiers[to + c] : value <= tiers[to + c]) continue;
        tiers[to + c] = value;
        isWider = true;
      }
    }
  }

  /** Fits the boxes of rows `from` to `to` - 1 to their contents, with some slack, and then the boxes above. */
  refit(from: number, to: number): void {
    const { rows, tiers, starts, slack } = this;
    for (let row = from; row < to; row++) {
      fitBox(tiers, offsetOf(row), rows, ROW_BOXES * row, this.sizes[row], slack);
    }
    let first = from;
    let last = to - 1;
    for (let h = 0; h < this.top; h++) {
      first >>= 2;
      last >>= 2;
      for (let quad = first; quad <= last; quad++) {
        fitBox(tiers, starts[h + 1] + offsetOf(quad), tiers, starts[h] + QUAD_BOXES * quad, 4, 0);
      }
    }
  }

  /** The last row whose first key is at most `key`. */
  rowOf(key: number): number {
    const { firstKeys } = this;
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (firstKeys[middle] <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  addOutside(id: number): void {
    if (this.outsideCount === this.outside.length)
      this.outside = grow(this.outside, Math.max(8, this.outsideCount + 1));
    this.seats[id] = FIRST_OUTSIDE - this.outsideCount;
    this.outside[this.outsideCount++] = id;
  }

  removeOutside(id: number): void {
    const at = FIRST_OUTSIDE - this.seats[id];
    const last = this.outside[--this.outsideCount];
    this.outside[at] = last;
    this.seats[last] = FIRST_OUTSIDE - at;
    this.seats[id] = UNSORTED;
  }

  /** The largest absolute coordinate in any row, which bounds rounding errors. */
  maxAbsCoordinate(): number {
    const { tiers, starts, top } = this;
    let most = 0;
    if (this.count === 0) return most;
    for (let n = 0; n < 4; n++) {
      const at = starts[top] + n;
      if (tiers[at] > tiers[at + 12]) continue;
      for (let c = 0; c < QUAD_BOXES; c += 4) most = Math.max(most, Math.abs(tiers[at + c]));
    }
    return most;
  }
}

/** Fits the box at `to` to the first `count` boxes of the quads from `from` on, with some slack. */
function fitBox(out: Float32Array, to: number, boxes: Float32Array, from: number, count: number, slack: number): void {
  for (let c = 0; c < QUAD_BOXES; c += 4) {
    const isLow = c < QUAD_BOXES / 2;
    let value = isLow ? EMPTY : -EMPTY;
    for (let k = 0; k < count; k++) {
      const side = boxes[from + c + offsetOf(k)];
      if (isLow ? side < value : side > value) value = side;
    }
    out[to + c] = isLow ? value - slack : value + slack;
  }
}

/** Largest coordinate in rows; boxes with a larger one stay outside the rows. */
const MAX_COORDINATE = 2 ** 10;
/** Sides of boxes move outwards by both margins, relative and absolute; rounding takes back at most half of that. */
export const SIDE_MARGIN: number = 2 ** -23;
export const LEAST_MARGIN: number = 2 ** -100;
/** Scales stay between this and its inverse: they can be inverted, and products with bounded coordinates are finite. */
const MAX_SCALE = 2 ** 300;

/**
 * Maps world coordinates to coordinates of rows, in single precision: relative to the middle of the world, in units of
 * about half its size.
 *
 * The map is monotone, also in floating point: differences, products with a power of two, sums and rounding are. So the
 * larger of two world coordinates never has the smaller image; if the images differ, so do the coordinates, in the same
 * direction. Sides of boxes move outwards by more than rounding takes back, so rounded boxes hold exact boxes.
 */
export class Frame {
  readonly origin: Float64Array = new Float64Array(3);
  scale = 1;

  /** Puts the origin in the middle of a box, and scales the box to coordinates up to about 1. */
  fit(box: Float64Array): void {
    let half = 0;
    for (let c = 0; c < 3; c++) {
      this.origin[c] = box[c] / 2 + box[c + 3] / 2;
      half = Math.max(half, box[c + 3] / 2 - box[c] / 2);
    }
    const scale = half > 0 ? 2 ** -Math.ceil(Math.log2(half)) : 1;
    this.scale = Math.min(Math.max(scale, 1 / MAX_SCALE), MAX_SCALE);
  }

  shift(x: number, y: number, z: number): void {
    this.origin[0] += x;
    this.origin[1] += y;
    this.origin[2] += z;
  }

  /** The coordinate in this frame of a world coordinate on axis `c`, in double precision. */
  map(x: number, c: number): number {
    return (x - this.origin[c]) * this.scale;
  }

  /** Writes the box at `o`, rounded outwards; false if rows cannot hold it. */
  roundOutwards(boxes: Float64Array, o: number, out: Float32Array): boolean {
    const { origin, scale } = this;
    const x0 = (boxes[o] - origin[0]) * scale;
    const y0 = (boxes[o + 1] - origin[1]) * scale;
    const z0 = (boxes[o + 2] - origin[2]) * scale;
    const x1 = (boxes[o + 3] - origin[0]) * scale;
    const y1 = (boxes[o + 4] - origin[1]) * scale;
    const z1 = (boxes[o + 5] - origin[2]) * scale;
    out[0] = x0 - (Math.abs(x0) * SIDE_MARGIN + LEAST_MARGIN);
    out[1] = y0 - (Math.abs(y0) * SIDE_MARGIN + LEAST_MARGIN);
    out[2] = z0 - (Math.abs(z0) * SIDE_MARGIN + LEAST_MARGIN);
    out[3] = x1 + (Math.abs(x1) * SIDE_MARGIN + LEAST_MARGIN);
    out[4] = y1 + (Math.abs(y1) * SIDE_MARGIN + LEAST_MARGIN);
    out[5] = z1 + (Math.abs(z1) * SIDE_MARGIN + LEAST_MARGIN);
    // biome-ignore format: aligned lines show the symmetry
    return x0 >= -MAX_COORDINATE && y0 >= -MAX_COORDINATE && z0 >= -MAX_COORDINATE
        && x1 <= MAX_COORDINATE && y1 <= MAX_COORDINATE && z1 <= MAX_COORDINATE;
  }
}
