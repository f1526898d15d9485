/** Typed arrays that grow, and sorts that beat the engine's own on ids and keys. */

/** A copy of `array` with room for at least `length` elements; capacity at least doubles, so growth is amortised. */
export function grow<T extends Int32Array | Float64Array | Float32Array | Uint8Array>(array: T, length: number): T {
  const Kind = array.constructor as new (length: number) => T;
  const larger = new Kind(Math.max(length, 2 * array.length));
  larger.set(array);
  return larger;
}

/** The engine's sort is faster for fewer ids than this, and if the largest id exceeds SPARSE times their number. */
const MIN_IDS = 64;
const SPARSE = 256;
/** One bit for each id; all clear between calls. */
let bits = /* @__PURE__ */ new Int32Array(32);

/** Sorts the first `length` ids in ascending order: sets a bit for each, then reads the bits in order. */
export function sortIds(ids: Int32Array, length: number): void {
  if (length < MIN_IDS || !setBits(ids, length)) {
    ids.subarray(0, length).sort();
    return;
  }
  let n = 0;
  for (let word = 0; n < length; word++) {
    for (let left = bits[word]; left !== 0; left &= left - 1) ids[n++] = 32 * word + 31 - Math.clz32(left & -left);
    bits[word] = 0;
  }
}

/** Sets the bit of each id; false, with no bit set, if an id is negative or repeated, or if ids are too sparse. */
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

/** A key has three digits of this many bits. */
const DIGIT = 10;
const DIGITS = 2 ** DIGIT;
const LAST = DIGITS - 1;

/** By place and digit: how many keys have it, then where the next of them goes. */
const counts = /* @__PURE__ */ new Int32Array(3 * DIGITS);

/**
 * Radix sort: sorts keys below 2^30 in place, and ids along with them; equal keys keep their order.
 * @param otherKeys Scratch as long as `keys`, as is `otherIds`.
 */
export function sortByKey(
  keys: Int32Array,
  ids: Int32Array,
  otherKeys: Int32Array = keys.slice(),
  otherIds: Int32Array = keys.slice(),
): void {
  counts.fill(0);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    counts[key & LAST]++;
    counts[DIGITS + ((key >> DIGIT) & LAST)]++;
    counts[2 * DIGITS + (key >> (2 * DIGIT))]++;
  }
  sortDigit(keys, ids, otherKeys, otherIds, 0);
  sortDigit(otherKeys, otherIds, keys, ids, 1);
  sortDigit(keys, ids, otherKeys, otherIds, 2);
  keys.set(otherKeys);
  ids.set(otherIds);
}

function sortDigit(keys: Int32Array, ids: Int32Array, toKeys: Int32Array, toIds: Int32Array, place: number): void {
  const first = place * DIGITS;
  for (let digit = first, start = 0; digit < first + DIGITS; digit++) {
    const size = counts[digit];
    counts[digit] = start;
    start += size;
  }
  const shift = place * DIGIT;
  for (let i = 0; i < keys.length; i++) {
    const to = counts[first + ((keys[i] >> shift) & LAST)]++;
    toKeys[to] = keys[i];
    toIds[to] = ids[i];
  }
}
