/** Growing typed arrays and maps, and a sort that beats the engine's own on keys. */

/** A copy of `array` with room for at least `length` elements; capacity at least doubles, so growth is amortised. */
export function grow<T extends Numbers>(array: T, length: number): T {
  return lengthen(array, Math.max(length, 2 * array.length));
}

/** For loops and defaults that need an array without elements. */
export const EMPTY_ARRAY: readonly never[] = [];

/** Number of elements of a matrix. */
export const MATRIX = 16;

type Numbers = Int32Array | Float64Array | Float32Array | Uint8Array;

/** A copy of `array` with room for `length` elements, no fewer than it has. */
export function lengthen<T extends Numbers>(array: T, length: number): T {
  const Kind = array.constructor as new (length: number) => T;
  const larger = new Kind(length);
  larger.set(array);
  return larger;
}

/** A `Map` or a `WeakMap`. */
interface Table<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of a key, made when it is first asked for. */
export function getOrMake<K, V>(table: Table<K, V>, key: K, make: (key: K) => V): V {
  let value = table.get(key);
  if (value === undefined) {
    value = make(key);
    table.set(key, value);
  }
  return value;
}

/** A function that makes one value for each object, and returns it again from then on. */
export function memoized<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const values = new WeakMap<K, V>();
  return (key) => getOrMake(values, key, make);
}

/** A key has three digits of this many bits. */
const DIGIT_BITS = 10;
const DIGITS = 2 ** DIGIT_BITS;
const DIGIT_MASK = DIGITS - 1;

/** By position and digit: the number of keys with that digit, then the index at which the next such key goes. */
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
    counts[key & DIGIT_MASK]++;
    counts[DIGITS + ((key >> DIGIT_BITS) & DIGIT_MASK)]++;
    counts[2 * DIGITS + (key >> (2 * DIGIT_BITS))]++;
  }
  sortDigit(keys, ids, otherKeys, otherIds, 0);
  sortDigit(otherKeys, otherIds, keys, ids, 1);
  sortDigit(keys, ids, otherKeys, otherIds, 2);
  keys.set(otherKeys);
  ids.set(otherIds);
}

function sortDigit(keys: Int32Array, ids: Int32Array, toKeys: Int32Array, toIds: Int32Array, digit: number): void {
  const first = digit * DIGITS;
  for (let digit = first, start = 0; digit < first + DIGITS; digit++) {
    const size = counts[digit];
    counts[digit] = start;
    start += size;
  }
  const shift = digit * DIGIT_BITS;
  for (let i = 0; i < keys.length; i++) {
    const to = counts[first + ((keys[i] >> shift) & DIGIT_MASK)]++;
    toKeys[to] = keys[i];
    toIds[to] = ids[i];
  }
}
