/** Digits of a key of 30 bits, and their number. */
const DIGIT = 10;
const DIGITS = 2 ** DIGIT;

// How many keys have each digit, and where those begin: made once, as lists of a few hundred are sorted in each frame.
const low = /* @__PURE__ */ new Int32Array(DIGITS);
const middle = /* @__PURE__ */ new Int32Array(DIGITS);
const high = /* @__PURE__ */ new Int32Array(DIGITS);

/**
 * Sorts keys below 2^30 in place, and ids or other numbers with them; equal keys keep their order (radix sort in three
 * passes).
 * @param otherKeys Room to work in, as long as `keys`; and the same for ids.
 */
export function sortByKey(
  keys: Int32Array,
  ids: Int32Array,
  otherKeys: Int32Array = keys.slice(),
  otherIds: Int32Array = keys.slice(),
): void {
  const count = keys.length;
  low.fill(0);
  middle.fill(0);
  high.fill(0);
  for (let i = 0; i < count; i++) {
    const key = keys[i];
    low[key & (DIGITS - 1)]++;
    middle[(key >> DIGIT) & (DIGITS - 1)]++;
    high[key >> (2 * DIGIT)]++;
  }
  toStarts(low);
  toStarts(middle);
  toStarts(high);
  sortDigit(keys, ids, otherKeys, otherIds, low, 0);
  sortDigit(otherKeys, otherIds, keys, ids, middle, DIGIT);
  sortDigit(keys, ids, otherKeys, otherIds, high, 2 * DIGIT);
  keys.set(otherKeys);
  ids.set(otherIds);
}

function sortDigit(
  keys: Int32Array,
  ids: Int32Array,
  toKeys: Int32Array,
  toIds: Int32Array,
  starts: Int32Array,
  shift: number,
): void {
  for (let i = 0; i < keys.length; i++) {
    const to = starts[(keys[i] >> shift) & (DIGITS - 1)]++;
    toKeys[to] = keys[i];
    toIds[to] = ids[i];
  }
}

/** Replaces sizes of consecutive parts by their starts. */
function toStarts(sizes: Int32Array): void {
  for (let digit = 0, start = 0; digit < sizes.length; digit++) {
    const size = sizes[digit];
    sizes[digit] = start;
    start += size;
  }
}
