import { checksum, inWords, ownOptions } from './checks.js';

/** How a world is cut. See `RegionMap`. */
export interface RegionMapOptions {
  /** What is cut: minX minZ maxX maxZ. What lies outside belongs to the regions at the edge. */
  bounds: ArrayLike<number>;
  /** How many regions there are along X; from 1. */
  columns: number;
  /** How many along Z; from 1. */
  rows: number;
}

const WHERE = 'RegionMap';
/** Columns and rows at most, so that the number of a region has 32 bits. */
const MOST = 2 ** 15;

/**
 * The world, cut on XZ into regions of equal size, numbered from 0 row by row. Those at the edge reach to infinity, so that
 * each point has one region: that of its cell, and on a border the one behind it.
 */
export class RegionMap {
  readonly columns: number;
  readonly rows: number;
  /** How many regions there are. */
  readonly count: number;
  /** Where columns and rows begin and end: -Infinity, the borders in between, Infinity. */
  readonly #x: Float64Array;
  readonly #z: Float64Array;

  /** @throws TypeError or RangeError that names the option. */
  constructor(options: RegionMapOptions) {
    const { bounds, columns, rows } = ownOptions(options, WHERE);
    readCount('columns', columns);
    readCount('rows', rows);
    const [minX, minZ, maxX, maxZ] = readBounds(bounds);
    this.columns = columns;
    this.rows = rows;
    this.count = columns * rows;
    this.#x = cut(minX, maxX, columns);
    this.#z = cut(minZ, maxZ, rows);
  }

  /**
   * The region in which a point lies.
   * @throws TypeError or RangeError unless both are numbers, and not NaN.
   */
  regionAt(x: number, z: number): number {
    if (typeof x !== 'number' || typeof z !== 'number') {
      throw new TypeError(`${WHERE}.regionAt: must be numbers, got ${inWords(x)} ${inWords(z)}`);
    }
    if (Number.isNaN(x) || Number.isNaN(z)) throw new RangeError(`${WHERE}.regionAt: must not be NaN, got ${x} ${z}`);
    return stepAt(this.#z, z) * this.columns + stepAt(this.#x, x);
  }

  /**
   * Writes the area of a region into `out`, or a new array: minX minY minZ maxX maxY maxZ, of all heights.
   * @throws RangeError for what is no region.
   */
  boundsOf(region: number, out: Float64Array = new Float64Array(6)): Float64Array {
    this.check(region, `${WHERE}.boundsOf`);
    const column = region % this.columns;
    const row = (region - column) / this.columns;
    out[0] = this.#x[column];
    out[1] = Number.NEGATIVE_INFINITY;
    out[2] = this.#z[row];
    out[3] = this.#x[column + 1];
    out[4] = Number.POSITIVE_INFINITY;
    out[5] = this.#z[row + 1];
    return out;
  }

  /**
   * The regions whose area, widened by a margin, touches that of a region.
   * @throws TypeError or RangeError for what is no region, or no margin: a number from 0.
   */
  neighboursOf(region: number, margin: number): number[] {
    const own = this.boundsOf(region);
    if (typeof margin !== 'number')
      throw new TypeError(`${WHERE}.neighboursOf.margin: must be a number, got ${inWords(margin)}`);
    if (!(margin >= 0)) throw new RangeError(`${WHERE}.neighboursOf.margin: must be at least 0, got ${margin}`);
    const other = new Float64Array(6);
    const neighbours: number[] = [];
    for (let n = 0; n < this.count; n++) {
      if (n === region) continue;
      this.boundsOf(n, other);
      // The same differences from either side, so that neighbours are each other's whatever the rounding.
      const isNear = [0, 2].every((c) => other[c] - own[c + 3] <= margin && own[c] - other[c + 3] <= margin);
      if (isNear) neighbours.push(n);
    }
    return neighbours;
  }

  /** @internal Throws unless there is a region of that number. */
  check(region: number, where: string): void {
    if (!(Number.isInteger(region) && region >= 0 && region < this.count)) {
      throw new RangeError(`${where}: there are regions from 0 to ${this.count - 1}, got ${inWords(region)}`);
    }
  }

  /** @internal The borders between regions, which say all of a map. */
  get borders(): { x: Float64Array; z: Float64Array } {
    return { x: this.#x.subarray(1, this.columns), z: this.#z.subarray(1, this.rows) };
  }

  /** @internal A hash of the map and further numbers, by which those who have other ones are told. */
  hash(...further: number[]): number {
    const { x, z } = this.borders;
    const all = Float64Array.of(this.columns, this.rows, ...x, ...z, ...further);
    const words = new Int32Array(all.buffer);
    return checksum(words, 0, words.length)[0] >>> 0;
  }

  /** @internal A map with borders as another had them. */
  static ofBorders(x: Float64Array, z: Float64Array, where: string): RegionMap {
    const map = new RegionMap({ bounds: [0, 0, 1, 1], columns: x.length + 1, rows: z.length + 1 });
    map.#x.set(x, 1);
    map.#z.set(z, 1);
    for (const borders of [x, z]) {
      const isSound = borders.every((b, i) => Number.isFinite(b) && (i === 0 || borders[i - 1] < b));
      if (!isSound) throw new RangeError(`${where}: borders must ascend, got ${inWords([...borders])}`);
    }
    return map;
  }
}

function readCount(name: string, count: number): void {
  if (typeof count !== 'number') throw new TypeError(`${WHERE}.${name}: must be a number, got ${inWords(count)}`);
  if (!(Number.isInteger(count) && count >= 1 && count <= MOST)) {
    throw new RangeError(`${WHERE}.${name}: must be a whole number from 1 to ${MOST}, got ${count}`);
  }
}

function readBounds(bounds: ArrayLike<number>): number[] {
  if (bounds === null || typeof bounds !== 'object') {
    throw new TypeError(`${WHERE}.bounds: must be minX minZ maxX maxZ, got ${inWords(bounds)}`);
  }
  const own = [bounds[0], bounds[1], bounds[2], bounds[3]];
  for (const c of own) {
    if (typeof c !== 'number') throw new TypeError(`${WHERE}.bounds: must be numbers, got ${inWords(c)}`);
    if (!Number.isFinite(c)) throw new RangeError(`${WHERE}.bounds: must be finite, got ${c}`);
  }
  if (!(own[0] < own[2] && own[1] < own[3])) {
    throw new RangeError(`${WHERE}.bounds: min must lie below max, got ${own.join(' ')}`);
  }
  if (!Number.isFinite(own[2] - own[0]) || !Number.isFinite(own[3] - own[1])) {
    throw new RangeError(`${WHERE}.bounds: too large, got ${own.join(' ')}`);
  }
  return own;
}

function cut(min: number, max: number, count: number): Float64Array {
  const borders = Float64Array.from({ length: count + 1 }, (_, i) => min + ((max - min) / count) * i);
  borders[0] = Number.NEGATIVE_INFINITY;
  borders[count] = Number.POSITIVE_INFINITY;
  for (let i = 1; i < count; i++) {
    if (!(borders[i - 1] < borders[i])) throw new RangeError(`${WHERE}.bounds: too small for ${count} regions`);
  }
  return borders;
}

/** Between which two borders a coordinate lies, by bisection; on one it is behind it. */
function stepAt(borders: Float64Array, c: number): number {
  let low = 0;
  let high = borders.length - 2;
  // borders[low] <= c, and c < borders[high + 1] unless c is Infinity.
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (borders[middle] <= c) low = middle;
    else high = middle - 1;
  }
  return low;
}
