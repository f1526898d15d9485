import { grow } from '../core/arrays.js';

/** Numbers are widened by these shares, which is more than rounding takes from them. */
const ROUNDING = 2 ** -40;
const ULPS = 2 ** -50;
const NO_CELL = -1;
const LEAST_WIDTH = 16;
const MOST_WIDTH = 1024;

/**
 * Items in the cells of a grid on X and Z, built anew in each tick: what many balls find is found faster than by as many
 * queries of an index.
 *
 * The grid has no bounds: it is a table of as many cells as there are items, about, which repeats along both axes. Items of
 * different places may share a cell of it, and distances tell them apart. Cells of a row follow each other, and so do the items
 * in them, so that a row of a ball is one run, or two where the table begins anew. An item lies in the cell of its centre;
 * balls are widened by the largest half diagonal of all items.
 */
export class ItemGrid {
  /** Items, cell by cell, and by item its place among them. */
  ids: Int32Array = new Int32Array(0);
  placeOf: Int32Array = new Int32Array(0);
  /** How many places the last `find` has written. */
  found = 0;
  /** Their centres in the same order: x z, and y where they differ in it. */
  #centres = new Float64Array(0);
  /** Where the items of each cell begin. */
  #starts = new Int32Array(0);
  /** Of the items in the order in which they come. */
  #given = new Int32Array(0);
  #givenCentres = new Float64Array(0);
  #cellOf = new Int32Array(0);
  /** How many items there are, and how many of them lie in cells: those come first in `ids`. */
  size = 0;
  held = 0;
  #width = LEAST_WIDTH;
  #perUnit = 1;
  /** The largest half diagonal of all items: 0 if they are points. */
  #half = 0;
  /** The range of all centres along Y. */
  #low = 0;
  #high = 0;

  /** Begins anew, for `count` items with ids below `limit`. */
  begin(count: number, limit: number, cell: number): void {
    if (limit > this.placeOf.length) this.placeOf = grow(this.placeOf, limit);
    let width = LEAST_WIDTH;
    while (width < MOST_WIDTH && width * width < count) width *= 2;
    if (this.#starts.length !== width * width + 1) this.#starts = new Int32Array(width * width + 1);
    else this.#starts.fill(0);
    if (count > this.ids.length) {
      this.ids = grow(this.ids, count);
      this.#given = grow(this.#given, this.ids.length);
      this.#cellOf = grow(this.#cellOf, this.ids.length);
      this.#centres = grow(this.#centres, 3 * this.ids.length);
      this.#givenCentres = grow(this.#givenCentres, this.#centres.length);
    }
    this.size = this.held = 0;
    this.#half = 0;
    this.#low = Number.POSITIVE_INFINITY;
    this.#high = Number.NEGATIVE_INFINITY;
    this.#width = width;
    this.#perUnit = 1 / cell;
  }

  /** Adds an item: to a cell unless it is larger than one or unbounded. */
  add(id: number, b: Float64Array): void {
    const half = halfDiagonal(b);
    const n = this.size++;
    this.#given[n] = id;
    if (!(half * this.#perUnit <= 1)) {
      this.#cellOf[n] = NO_CELL;
      return;
    }
    if (half > this.#half) this.#half = half;
    this.held++;
    // The middle of a point is the point, also where its half is rounded.
    const x = half === 0 ? b[0] : b[0] / 2 + b[3] / 2;
    const y = half === 0 ? b[1] : b[1] / 2 + b[4] / 2;
    const z = half === 0 ? b[2] : b[2] / 2 + b[5] / 2;
    if (y < this.#low) this.#low = y;
    if (y > this.#high) this.#high = y;
    const cell = this.#rowOf(z) + (Math.floor(x * this.#perUnit) & (this.#width - 1));
    this.#givenCentres[3 * n] = x;
    this.#givenCentres[3 * n + 1] = y;
    this.#givenCentres[3 * n + 2] = z;
    this.#cellOf[n] = cell;
    this.#starts[cell]++;
  }

  /** Sorts the items by their cells. */
  end(): void {
    const starts = this.#starts;
    const centres = this.#centres;
    const given = this.#givenCentres;
    const isFlat = this.#isFlat;
    let sum = 0;
    for (let cell = 0; cell < starts.length; cell++) {
      sum += starts[cell];
      starts[cell] = sum;
    }
    let outside = this.held;
    for (let n = this.size - 1; n >= 0; n--) {
      const cell = this.#cellOf[n];
      if (cell === NO_CELL) {
        this.#put(this.#given[n], outside++);
        continue;
      }
      const place = --starts[cell];
      this.#put(this.#given[n], place);
      if (isFlat) {
        centres[2 * place] = given[3 * n];
        centres[2 * place + 1] = given[3 * n + 2];
      } else {
        centres[3 * place] = given[3 * n];
        centres[3 * place + 1] = given[3 * n + 1];
        centres[3 * place + 2] = given[3 * n + 2];
      }
    }
  }

  #put(id: number, place: number): void {
    this.ids[place] = id;
    this.placeOf[id] = place;
  }

  /** True if all centres have the same y. */
  get #isFlat(): boolean {
    return this.#low === this.#high;
  }

  /** True if all items are points: then what is found is in the ball, else it may be. */
  get isExact(): boolean {
    return this.#half === 0;
  }

  /** The square of the distance to the centre of the item at a place. */
  squareTo(place: number, x: number, y: number, z: number): number {
    const centres = this.#centres;
    const isFlat = this.#isFlat;
    const o = isFlat ? 2 * place : 3 * place;
    const dx = centres[o] - x;
    const dy = (isFlat ? this.#low : centres[o + 1]) - y;
    const dz = centres[isFlat ? o + 1 : o + 2] - z;
    return dx * dx + dy * dy + dz * dz;
  }

  /**
   * Looks for the items that may touch a ball: counts those that surely do and have the mark `known`, and writes the places
   * of the others, each once.
   * @param marks By place.
   * @param places Has room for all items.
   * @returns The count.
   */
  find(x: number, y: number, z: number, radius: number, marks: Uint8Array, known: number, places: Int32Array): number {
    const width = this.#width;
    const perUnit = this.#perUnit;
    const last = width - 1;
    // More than enough, as all of these are rounded.
    const pad = (radius + this.#half) * ROUNDING + (Math.abs(x) + Math.abs(z)) * ULPS;
    const reach = radius + this.#half + pad;
    const inner = Math.max(0, (radius - this.#half) * (1 - ROUNDING));
    const square = this.#half === 0 ? radius * radius : reach * reach;
    const sure = this.#half === 0 ? square : inner * inner;
    const z0 = Math.floor((z - reach) * perUnit);
    const rows = Math.floor((z + reach) * perUnit) - z0;
    let count = 0;
    this.found = 0;
    // What is not a number is taken for too many.
    const isAll = !(rows < last);
    for (let i = 0; i <= (isAll ? last : rows); i++) {
      const row = (isAll ? i : (z0 + i) & last) * width;
      let half = reach;
      if (!isAll) {
        const away = Math.max((z0 + i) / perUnit - z, z - (z0 + i + 1) / perUnit, 0) - pad;
        if (away > 0) half = Math.sqrt(Math.max(0, reach * reach - away * away)) + pad;
      }
      const x0 = Math.floor((x - half) * perUnit);
      const cells = Math.floor((x + half) * perUnit) - x0;
      if (!(cells < last)) {
        count += this.#scan(row, row + width, x, y, z, sure, square, marks, known, places);
        continue;
      }
      const from = x0 & last;
      const end = from + cells + 1;
      count += this.#scan(row + from, row + Math.min(end, width), x, y, z, sure, square, marks, known, places);
      if (end > width) count += this.#scan(row, row + end - width, x, y, z, sure, square, marks, known, places);
    }
    return count;
  }

  /** Looks at the items of some cells that follow each other. Branches that half of the items take would cost more. */
  #scan(
    from: number,
    to: number,
    x: number,
    y: number,
    z: number,
    sure: number,
    square: number,
    marks: Uint8Array,
    known: number,
    places: Int32Array,
  ): number {
    const centres = this.#centres;
    const end = this.#starts[to];
    let count = 0;
    let n = this.found;
    if (this.#isFlat) {
      const dy = this.#low - y;
      const dyy = dy * dy;
      for (let k = this.#starts[from]; k < end; k++) {
        const dx = centres[2 * k] - x;
        const dz = centres[2 * k + 1] - z;
        const d = dx * dx + dyy + dz * dz;
        const isSure = Number(d <= sure) & Number(marks[k] === known);
        count += isSure;
        places[n] = k;
        n += Number(d <= square) & ~isSure;
      }
    } else {
      for (let k = this.#starts[from]; k < end; k++) {
        const dx = centres[3 * k] - x;
        const dy = centres[3 * k + 1] - y;
        const dz = centres[3 * k + 2] - z;
        const d = dx * dx + dy * dy + dz * dz;
        const isSure = Number(d <= sure) & Number(marks[k] === known);
        count += isSure;
        places[n] = k;
        n += Number(d <= square) & ~isSure;
      }
    }
    this.found = n;
    return count;
  }

  #rowOf(z: number): number {
    return (Math.floor(z * this.#perUnit) & (this.#width - 1)) * this.#width;
  }
}

function halfDiagonal(b: Float64Array): number {
  const x = b[3] - b[0];
  const y = b[4] - b[1];
  const z = b[5] - b[2];
  if (x === 0 && y === 0 && z === 0) return 0;
  // Squares may be too small for a number.
  return Math.max(Math.sqrt(x * x + y * y + z * z) / 2, Number.MIN_VALUE);
}

/** From a point to the nearest point of the box at `o`, squared; the expression of queries. */
export function distanceSquared(x: number, y: number, z: number, b: Float64Array, o: number): number {
  const dx = (x < b[o] ? b[o] : x > b[o + 3] ? b[o + 3] : x) - x;
  const dy = (y < b[o + 1] ? b[o + 1] : y > b[o + 4] ? b[o + 4] : y) - y;
  const dz = (z < b[o + 2] ? b[o + 2] : z > b[o + 5] ? b[o + 5] : z) - z;
  return dx * dx + dy * dy + dz * dz;
}
