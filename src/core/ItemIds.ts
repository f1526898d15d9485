import { grow } from './grow.js';

/** Marks an id in use, in {@link ItemIds.next}. */
export const LIVE = -2;

/** Allocates small integer ids. The id freed last is allocated next. */
export class ItemIds {
  /** LIVE for an id in use, else the next free id, or -1 at the end of that list. */
  next: Int32Array = new Int32Array(16);
  /** By id which allocation it came from; of an id that is used again another one than before. */
  born: Int32Array = new Int32Array(16);
  #allocations = 0;
  /** The first free id, or -1. */
  firstFree = -1;
  /** Ids allocated so far, free ones included. */
  limit = 0;
  /** Ids in use. */
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

  free(id: number): void {
    this.next[id] = this.firstFree;
    this.firstFree = id;
    this.size--;
  }

  /** True for an id in use; false for any other value of any type. */
  has(id: number): boolean {
    return Number.isInteger(id) && id >= 0 && id < this.limit && this.next[id] === LIVE;
  }

  /** Those in use, in ascending order. */
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
