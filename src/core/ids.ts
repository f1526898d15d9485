/** Ids of items: their allocation, lists of ids, and sets of ids. */

import { grow } from './arrays.js';

/** Marks an id in use, in {@link ItemIds.next}. */
export const LIVE = -2;

/** Allocates small integer ids. The id freed last is allocated next. */
export class ItemIds {
  /** By id: LIVE for an id in use; for a free id the next free one, or -1 at the end of that list. */
  next: Int32Array = new Int32Array(16);
  /** By id, the number of its last allocation: tells an item from later items with the same id. */
  born: Int32Array = new Int32Array(16);
  #allocations = 0;
  /** The first free id, or -1. */
  firstFree = -1;
  /** Number of different ids allocated so far, those freed since included. */
  limit = 0;
  /** Number of ids in use. */
  size = 0;

  alloc(): number {
    let id = this.firstFree;
    if (id >= 0) {
      this.firstFree = this.next[id];
    } else {
      id = this.limit++;
      if (id === this.next.length) this.next = grow(this.next, id + 1);
    }
    this.next[id] = LIVE;
    if (id >= this.born.length) this.born = grow(this.born, this.next.length);
    this.born[id] = ++this.#allocations;
    this.size++;
    return id;
  }

  /** Allocates many ids, as that many calls of `alloc` would. */
  allocAll(count: number): Int32Array {
    const ids = new Int32Array(count);
    let n = 0;
    while (n < count && this.firstFree >= 0) ids[n++] = this.alloc();
    const end = this.limit + count - n;
    if (end > this.next.length) this.next = grow(this.next, end);
    if (end > this.born.length) this.born = grow(this.born, this.next.length);
    this.next.fill(LIVE, this.limit, end);
    this.size += count - n;
    while (this.limit < end) {
      this.born[this.limit] = ++this.#allocations;
      ids[n++] = this.limit++;
    }
    return ids;
  }

  free(id: number): void {
    this.next[id] = this.firstFree;
    this.firstFree = id;
    this.size--;
  }

  /** Frees ids, last first, and returns -1. If one is not in use or listed twice, frees none and returns its index. */
  freeAll(ids: Int32Array): number {
    const { next, firstFree, size } = this;
    for (let i = ids.length - 1; i >= 0; i--) {
      if (next[ids[i]] === LIVE) {
        this.free(ids[i]);
        continue;
      }
      for (let k = i + 1; k < ids.length; k++) next[ids[k]] = LIVE;
      this.firstFree = firstFree;
      this.size = size;
      return i;
    }
    return -1;
  }

  /** True for an id in use; false for any other value of any type. */
  has(id: number): boolean {
    return Number.isInteger(id) && id >= 0 && id < this.limit && this.next[id] === LIVE;
  }

  /** Ids in use, in ascending order. */
  all(): Int32Array {
    const ids = new Int32Array(this.size);
    for (let id = 0, n = 0; n < ids.length; id++) if (this.next[id] === LIVE) ids[n++] = id;
    return ids;
  }

  clear(): void {
    this.next = new Int32Array(16);
    this.born = new Int32Array(16);
    this.firstFree = -1;
    this.limit = this.size = 0;
  }
}

/** True for consecutive ids, as the ids of all items often are. */
export function countsUp(ids: ArrayLike<number>): boolean {
  for (let i = 1; i < ids.length; i++) if (ids[i] !== ids[0] + i) return false;
  return true;
}

/**
 * A list of item ids. You own it: pass it to the next query, which overwrites it and reuses its memory.
 *
 * @example
 * ```ts
 * import { IdList } from 'three-scene-index/core';
 *
 * const found = new IdList();
 * index.queryBox([0, 0, 0, 10, 10, 10], found);
 * for (const id of found.sort()) console.log(id);
 * ```
 */
export class IdList {
  /** The ids, in the first `length` elements. A query may replace the array, so read this property after each query. */
  ids: Int32Array = new Int32Array(16);
  /** Number of ids in the list. */
  length = 0;

  /** Makes room for `count` more ids and returns the array to write them to. */
  reserve(count: number): Int32Array {
    const needed = this.length + count;
    if (needed > this.ids.length) this.ids = grow(this.ids, needed);
    return this.ids;
  }

  /** @internal */
  push(id: number): void {
    this.reserve(1)[this.length++] = id;
  }

  /** The id at a position below `length`. */
  at(position: number): number {
    return this.ids[position];
  }

  /** Sorts the ids in ascending order, in place. Takes linear time when ids are dense, as the ids of an index are. */
  sort(): this {
    sortIds(this.ids, this.length);
    return this;
  }

  /** Copies the ids into a plain array. */
  toArray(): number[] {
    return Array.from(this.ids.subarray(0, this.length));
  }

  [Symbol.iterator](): IterableIterator<number> {
    return this.ids.subarray(0, this.length)[Symbol.iterator]();
  }
}

/** A set of ids, listed in ascending order: mostly the order of objects in memory, several times as fast to read. */
export class IdSet {
  /** Bit k of word w stands for id 32 w + k. */
  words: Int32Array = new Int32Array(32);

  add(id: number): void {
    const word = id >>> 5;
    if (word >= this.words.length) this.words = grow(this.words, word + 1);
    this.words[word] |= 1 << (id & 31);
  }

  /** False for an id below 0, too. */
  has(id: number): boolean {
    // A word beyond the end is undefined, which bitwise operators take as 0.
    return (this.words[id >>> 5] & (1 << (id & 31))) !== 0;
  }

  remove(id: number): void {
    if (id >>> 5 < this.words.length) this.words[id >>> 5] &= ~(1 << (id & 31));
  }

  union({ words }: IdSet): void {
    if (words.length > this.words.length) this.words = grow(this.words, words.length);
    for (let word = 0; word < words.length; word++) this.words[word] |= words[word];
  }

  addAll(list: IdList): void {
    const { ids, length } = list;
    for (let i = 0; i < length; i++) this.add(ids[i]);
  }

  /** Writes the ids to `out` in ascending order, except the ids of another set. */
  writeTo(out: IdList, without: IdSet | null = null): void {
    out.length = 0;
    for (let word = 0; word < this.words.length; word++) {
      const bits = without === null ? this.words[word] : this.words[word] & ~without.words[word];
      if (bits !== 0) appendBits(bits, word, out);
    }
  }

  /** Writes the ids to `out` in ascending order, and empties the set. */
  drain(out: IdList): void {
    this.writeTo(out);
    this.clear();
  }

  clear(): void {
    this.words.fill(0);
  }
}

export function subtract({ words }: IdSet, other: IdSet): void {
  const count = Math.min(words.length, other.words.length);
  for (let word = 0; word < count; word++) words[word] &= ~other.words[word];
}

function appendBits(set: number, word: number, out: IdList): void {
  const ids = out.reserve(32);
  for (let bits = set; bits !== 0; bits &= bits - 1) ids[out.length++] = 32 * word + 31 - Math.clz32(bits & -bits);
}

/** The engine's sort is faster for fewer than MIN_IDS ids, and if the largest exceeds SPARSE_IDS times their number. */
const MIN_IDS = 64;
const SPARSE_IDS = 256;
const marked = /* @__PURE__ */ new IdSet();
const ascending = /* @__PURE__ */ new IdList();

/** Sorts the first `length` ids in ascending order: puts them in a set, then lists it. */
export function sortIds(ids: Int32Array, length: number): void {
  let most = 0;
  // An id below 0, which no item has, counts as a very large one.
  for (let i = 0; i < length; i++) most = Math.max(most, ids[i] >>> 0);
  ascending.length = 0;
  if (length >= MIN_IDS && most <= SPARSE_IDS * length) {
    for (let i = 0; i < length; i++) marked.add(ids[i]);
    const { words } = marked;
    for (let word = 0; word <= most >>> 5; word++) {
      if (words[word] !== 0) appendBits(words[word], word, ascending);
      words[word] = 0;
    }
  }
  // Queries report each id once, but callers may sort any list.
  if (ascending.length === length) ids.set(ascending.ids.subarray(0, length));
  else ids.subarray(0, length).sort();
}
