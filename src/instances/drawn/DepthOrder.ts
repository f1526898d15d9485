import { grow } from '../../core/grow.js';
import type { IdList } from '../../core/IdList.js';
import { sortByKey } from '../../core/sortByKey.js';

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
    sortByKey(
      this.#keys.subarray(0, length),
      this.#order.subarray(0, length),
      this.#otherKeys.subarray(0, length),
      this.#otherOrder.subarray(0, length),
    );
    this.#sortEqualKeys(length);
    const order = this.#order;
    const before = this.#ids;
    for (let i = 0; i < length; i++) before[i] = ids[i];
    for (let i = 0; i < length; i++) ids[i] = before[order[i]];
    return true;
  }

  /** Writes keys whose order is that wanted, and places; depths are negated for the farthest first. */
  #makeKeys(length: number, isFarthestFirst: boolean): void {
    const { depths } = this;
    const keys = this.#keys;
    const floats = new Float32Array(keys.buffer);
    for (let i = 0; i < length; i++) {
      // Zeros of both signs are equal.
      const depth = (isFarthestFirst ? -depths[i] : depths[i]) + 0;
      depths[i] = depth;
      floats[i] = depth;
      const bits = keys[i];
      // In the order of the floats, without a sign, and of the 30 bits that a key has.
      keys[i] = (bits < 0 ? ~bits : bits ^ 0x80000000) >>> 2;
      this.#order[i] = i;
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
