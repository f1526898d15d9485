import { grow } from './arrays.js';

/**
 * A list of pairs of item ids. You own it: pass it to the next query, which overwrites it and reuses its memory.
 *
 * @example
 * ```ts
 * import { findPairs, IdPairs } from 'three-scene-index/core';
 *
 * const pairs = new IdPairs();
 * findPairs(index, pairs);
 * for (let i = 0; i < pairs.length; i++) console.log(pairs.ids[2 * i], pairs.ids[2 * i + 1]);
 * ```
 */
export class IdPairs {
  /** Pair i is at 2 * i and 2 * i + 1. Read this property again after each query, which may have replaced the array. */
  ids: Int32Array = new Int32Array(32);
  /** Number of pairs in the list. */
  length = 0;

  /** Makes room for `count` more pairs and returns the array to write them to. */
  reserve(count: number): Int32Array {
    const needed = 2 * (this.length + count);
    if (needed > this.ids.length) this.ids = grow(this.ids, needed);
    return this.ids;
  }

  /** Copies the pairs into a plain array of `[a, b]`. */
  toArray(): [number, number][] {
    return Array.from({ length: this.length }, (_, i) => [this.ids[2 * i], this.ids[2 * i + 1]]);
  }
}

/** Up to this many second ids of one first id are sorted by insertion; for more the engine's sort is faster. */
const MAX_INSERTION = 32;
let ends = /* @__PURE__ */ new Int32Array(1024);
let seconds = /* @__PURE__ */ new Int32Array(1024);

/** Sorts pairs by first id, then by second: the same order for every structure. */
export function sortPairs(pairs: IdPairs): void {
  const { ids, length } = pairs;
  let most = 0;
  for (let i = 0; i < 2 * length; i += 2) if (ids[i] > most) most = ids[i];
  if (ends.length < most + 2) ends = grow(ends, most + 2);
  if (seconds.length < length) seconds = grow(seconds, length);
  ends.fill(0, 0, most + 2);
  for (let i = 0; i < 2 * length; i += 2) ends[ids[i] + 1]++;
  for (let a = 0; a < most; a++) ends[a + 1] += ends[a];
  // Here ends[a] is the start of the pairs of a. Each pair written moves it on, until it is their end.
  for (let i = 0; i < 2 * length; i += 2) seconds[ends[ids[i]]++] = ids[i + 1];
  let from = 0;
  for (let a = 0; a <= most; a++) {
    const to = ends[a];
    if (to - from > MAX_INSERTION) seconds.subarray(from, to).sort();
    else sortByInsertion(from, to);
    for (; from < to; from++) {
      ids[2 * from] = a;
      ids[2 * from + 1] = seconds[from];
    }
  }
}

function sortByInsertion(from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const second = seconds[i];
    let j = i;
    for (; j > from && seconds[j - 1] > second; j--) seconds[j] = seconds[j - 1];
    seconds[j] = second;
  }
}
