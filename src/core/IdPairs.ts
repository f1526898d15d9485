import { grow } from './grow.js';

/**
 * A list of pairs of item ids that keeps its memory between queries. The list belongs to the caller; a query overwrites
 * it from the start.
 */
export class IdPairs {
  /** Pair i at 2 * i and 2 * i + 1. Read this again after each query: it may have grown. */
  ids: Int32Array = new Int32Array(32);
  /** Number of pairs in the list. */
  length = 0;

  /** Makes room for `count` more pairs and returns the array to write them to. */
  reserve(count: number): Int32Array {
    const needed = 2 * (this.length + count);
    if (needed > this.ids.length) this.ids = grow(this.ids, needed);
    return this.ids;
  }

  /** Plain arrays of two with the same ids. */
  toArray(): [number, number][] {
    return Array.from({ length: this.length }, (_, i) => [this.ids[2 * i], this.ids[2 * i + 1]]);
  }
}
