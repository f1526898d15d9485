import { grow } from '../../core/grow.js';
import type { IdList } from '../../core/lists/IdList.js';

/** Digits of 11 bits; three of them hold a key. */
const DIGIT = 11;
const DIGITS = 2 ** DIGIT;
/** Runs of equal keys up to this length are sorted by insertion. */
const SHORT = 32;

/**
 * Sorts ids by depth, those of equal depth left as they are: what `Array.sort` makes of a difference of depths. A radix
 * sort by the depth in single precision, whose rounding keeps the order; what that makes equal is then sorted by the
 * depth itself.
 */
export class DepthOrder {
  /** The depth of each id, to be written before `sort`. */
  depths: Float64Array = new Float64Array(64);
  #keys = new Int32Array(64);
  #order = new Int32Array(64);
  #otherKeys = new Int32Array(64);
  #otherOrder = new Int32Array(64);
  #ids = new Int32Array(64);
  readonly #counts = [new Int32Array(DIGITS), new Int32Array(DIGITS), new Int32Array(DIGITS)];

  /** Makes room for so many depths. */
  reserve(count: number): Float64Array {
    if (count <= this.depths.length) return this.depths;
    this.depths = grow(this.depths, count);
    const capacity = this.depths.length;
    this.#keys = new Int32Array(capacity);
    this.#order = new Int32Array(capacity);
    this.#otherKeys = new Int32Array(capacity);
    this.#otherOrder = new Int32Array(capacity);
    this.#ids = new Int32Array(capacity);
    return this.depths;
  }

  /**
   * Sorts a list by `depths`, which lie in the order of the list, nearest first or farthest first.
   * @returns false, with the list as it was, when a depth is NaN.
   */
  sort({ ids, length }: IdList, isFarthestFirst: boolean): boolean {
    for (let i = 0; i < length; i++) if (Number.isNaN(this.depths[i])) return false;
    this.#makeKeys(length, isFarthestFirst);
    this.#sortByKey(length);
    this.#sortEqualKeys(length);
    const order = this.#order;
    const before = this.#ids;
    for (let i = 0; i < length; i++) before[i] = ids[i];
    for (let i = 0; i < length; i++) ids[i] = before[order[i]];
    return true;
  }

  /** Writes keys whose order, as numbers without a sign, is that wanted; depths are negated for the farthest first. */
  #makeKeys(length: number, isFarthestFirst: boolean): void {
    const { depths } = this;
    const keys = this.#keys;
    const floats = new Float32Array(keys.buffer);
    const [low, middle, high] = this.#counts;
    for (const counts of this.#counts) counts.fill(0);
    for (let i = 0; i < length; i++) {
      // Zeros of both signs are equal.
      const depth = (isFarthestFirst ? -depths[i] : depths[i]) + 0;
      depths[i] = depth;
      floats[i] = depth;
      const bits = keys[i];
      const key = bits < 0 ? ~bits : bits ^ 0x80000000;
      keys[i] = key;
      low[key & (DIGITS - 1)]++;
      middle[(key >>> DIGIT) & (DIGITS - 1)]++;
      high[key >>> (2 * DIGIT)]++;
    }
  }

  #sortByKey(length: number): void {
    for (let i = 0; i < length; i++) this.#order[i] = i;
    for (const [digit, starts] of this.#counts.entries()) {
      const shift = DIGIT * digit;
      // All of one digit are in order.
      if (length > 0 && starts[(this.#keys[0] >>> shift) & (DIGITS - 1)] === length) continue;
      for (let d = 0, start = 0; d < DIGITS; d++) {
        const size = starts[d];
        starts[d] = start;
        start += size;
      }
      sortDigit(this.#keys, this.#order, this.#otherKeys, this.#otherOrder, length, starts, shift);
      [this.#keys, this.#otherKeys] = [this.#otherKeys, this.#keys];
      [this.#order, this.#otherOrder] = [this.#otherOrder, this.#order];
    }
  }

  #sortEqualKeys(length: number): void {
    const keys = this.#keys;
    const order = this.#order;
    const { depths } = this;
    for (let start = 0; start < length; ) {
      let end = start + 1;
      while (end < length && keys[end] === keys[start]) end++;
      if (end - start > SHORT) {
        order.subarray(start, end).sort((a, b) => depths[a] - depths[b] || a - b);
      } else {
        for (let i = start + 1; i < end; i++) {
          const moving = order[i];
          let to = i;
          for (; to > start && depths[order[to - 1]] > depths[moving]; to--) order[to] = order[to - 1];
          order[to] = moving;
        }
      }
      start = end;
    }
  }
}

/** Moves keys, and what goes with them, to the places that one digit gives them. */
function sortDigit(
  keys: Int32Array,
  order: Int32Array,
  toKeys: Int32Array,
  toOrder: Int32Array,
  length: number,
  starts: Int32Array,
  shift: number,
): void {
  for (let i = 0; i < length; i++) {
    const to = starts[(keys[i] >>> shift) & (DIGITS - 1)]++;
    toKeys[to] = keys[i];
    toOrder[to] = order[i];
  }
}
