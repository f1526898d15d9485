import { grow } from './grow.js';

/** The engine's own sort is faster for fewer than FEW ids, and if the largest id exceeds SPARSE times their number. */
const FEW = 64;
const SPARSE = 256;

/** Sorts the first `length` ids in ascending order: sets a bit for each, then reads the bits in order. */
export function sortIds(ids: Int32Array, length: number): void {
  if (length < FEW || !setBits(ids, length)) {
    ids.subarray(0, length).sort();
    return;
  }
  let n = 0;
  for (let word = 0; n < length; word++) {
    for (let left = bits[word]; left !== 0; left &= left - 1) ids[n++] = 32 * word + 31 - Math.clz32(left & -left);
    bits[word] = 0;
  }
}

/**
 * Sets the bit of each id. Returns false, with no bit set, if an id is negative or repeated, or if ids are too sparse.
 */
function setBits(ids: Int32Array, length: number): boolean {
  let most = 0;
  for (let i = 0; i < length; i++) {
    if (ids[i] < 0) return false;
    if (ids[i] > most) most = ids[i];
  }
  if (most > SPARSE * length) return false;
  if (most >>> 5 >= bits.length) bits = grow(bits, (most >>> 5) + 1);
  for (let i = 0; i < length; i++) {
    const word = ids[i] >>> 5;
    const bit = 1 << (ids[i] & 31);
    if ((bits[word] & bit) !== 0) {
      // Queries report each id once, but callers may sort any list.
      bits.fill(0);
      return false;
    }
    bits[word] |= bit;
  }
  return true;
}

let bits = new Int32Array(32);
