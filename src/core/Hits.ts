import { grow } from './arrays.js';

/**
 * A list of items with their distances, nearest first; ties are sorted by id. Queries for rays and for near items fill
 * it. You own the list: pass it to the next query, which overwrites it and reuses its memory.
 *
 * @example
 * ```ts
 * import { Hits } from 'three-scene-index/core';
 *
 * const hits = new Hits();
 * index.nearest(0, 0, 0, 5, Infinity, hits);
 * for (let i = 0; i < hits.length; i++) console.log(hits.ids[i], hits.distances[i]);
 * ```
 */
export class Hits {
  /** Ids of the items, in the first `length` elements. A query may replace the array by a larger one. */
  ids: Int32Array = new Int32Array(16);
  /** Distance of each item, as the query that filled the list defines it. */
  distances: Float64Array = new Float64Array(16);
  /** Number of hits. */
  length = 0;

  /** Makes room for `count` more hits. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.ids.length) return;
    this.ids = grow(this.ids, needed);
    this.distances = grow(this.distances, needed);
  }

  /** Sorts by distance, then by id. A heap sort: no extra memory, no slow cases. */
  sort(): void {
    const n = this.length;
    for (let i = (n >> 1) - 1; i >= 0; i--) this.#sift(i, n);
    for (let end = n - 1; end > 0; end--) {
      this.#swap(0, end);
      this.#sift(0, end);
    }
  }

  /**
   * Adds the hit at `distances[k]`, and drops the farthest if there are more than `count`. Until the next `sort` the
   * list is a heap with the farthest hit first. With a count of Infinity no hit is dropped, and the list has no order.
   */
  keepNearest(id: number, distances: Float64Array, k: number, count: number): void {
    let i = this.length;
    if (i < count) {
      this.reserve(1);
      this.length++;
      this.ids[i] = id;
      this.distances[i] = distances[k];
      if (count === Number.POSITIVE_INFINITY) return;
      for (let up = (i - 1) >> 1; i > 0 && this.#before(up, i); i = up, up = (i - 1) >> 1) this.#swap(up, i);
      return;
    }
    const last = this.distances[0];
    if (distances[k] > last || (distances[k] === last && id > this.ids[0])) return;
    this.ids[0] = id;
    this.distances[0] = distances[k];
    this.#sift(0, count);
  }

  #sift(start: number, end: number): void {
    let i = start;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= end) return;
      if (child + 1 < end && this.#before(child, child + 1)) child++;
      if (!this.#before(i, child)) return;
      this.#swap(i, child);
      i = child;
    }
  }

  #before(i: number, j: number): boolean {
    const { distances, ids } = this;
    return distances[i] < distances[j] || (distances[i] === distances[j] && ids[i] < ids[j]);
  }

  #swap(i: number, j: number): void {
    const { distances, ids } = this;
    const d = distances[i];
    const id = ids[i];
    distances[i] = distances[j];
    ids[i] = ids[j];
    distances[j] = d;
    ids[j] = id;
  }
}
