import { grow } from './grow.js';
import { sortIds } from './sortIds.js';

/**
 * A list of item ids that keeps its memory, so that a query which fills the same list again allocates nothing.
 * The list belongs to the caller; a query overwrites it from the start.
 */
export class IdList {
  /** The ids; only the first `length` of them are the list. Read this again after each query: it may have grown. */
  ids: Int32Array = new Int32Array(16);
  /** Number of ids in the list. */
  length = 0;

  /** Makes room for `count` more ids and returns the array to write them to. */
  reserve(count: number): Int32Array {
    const needed = this.length + count;
    if (needed > this.ids.length) this.ids = grow(this.ids, needed);
    return this.ids;
  }

  /** The id at a position below `length`. */
  at(position: number): number {
    return this.ids[position];
  }

  /**
   * Sorts the ids in ascending order, in place. Takes a few nanoseconds an id if they are as dense as those of an
   * index.
   */
  sort(): this {
    sortIds(this.ids, this.length);
    return this;
  }

  /** A plain array with the same ids. */
  toArray(): number[] {
    return Array.from(this.ids.subarray(0, this.length));
  }

  [Symbol.iterator](): IterableIterator<number> {
    return this.ids.subarray(0, this.length)[Symbol.iterator]();
  }
}
