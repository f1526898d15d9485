import { grow } from '../grow.js';

/** What is noted of an id in use. */
const LIVE = -2;

/** Small integer ids, handed out and taken back; the one given back last is the next to be handed out. */
export class ItemIds {
  /** LIVE for an id in use, else the next free id, or -1 at the end of that list. */
  #next = new Int32Array(16);
  #free = -1;
  /** Ids handed out so far, free ones included. */
  limit = 0;
  /** Ids in use. */
  size = 0;

  alloc(): number {
    let id = this.#free;
    if (id >= 0) {
      this.#free = this.#next[id];
    } else {
      id = this.limit++;
      if (id === this.#next.length) this.#next = grow(this.#next, id + 1);
    }
    this.#next[id] = LIVE;
    this.size++;
    return id;
  }

  free(id: number): void {
    this.#next[id] = this.#free;
    this.#free = id;
    this.size--;
  }

  /** True for an id in use; false for any other value of any type. */
  has(id: number): boolean {
    return Number.isInteger(id) && id >= 0 && id < this.limit && this.#next[id] === LIVE;
  }

  clear(): void {
    this.#next = new Int32Array(16);
    this.#free = -1;
    this.limit = this.size = 0;
  }

  /** A copy of what there is to know: for each id handed out so far LIVE or the next free one, and the first free one. */
  save(): { next: Int32Array; free: number } {
    return { next: this.#next.slice(0, this.limit), free: this.#free };
  }

  /** Goes back to what was saved, or throws: each id must be in use, or come once in the list of free ones. */
  restore(next: Int32Array, free: number, where: string): void {
    let live = 0;
    for (const entry of next) if (entry === LIVE) live++;
    let listed = 0;
    for (let id = free; id !== -1; id = next[id]) {
      // A list that goes in circles would be longer than there are ids.
      if (!(id >= 0 && id < next.length) || next[id] === LIVE || ++listed > next.length - live) {
        throw new RangeError(`${where}: the list of free ids is broken at ${id}`);
      }
    }
    if (listed !== next.length - live) {
      throw new RangeError(`${where}: ${next.length - live} ids are free, but ${listed} are in their list`);
    }
    this.#next = new Int32Array(Math.max(16, next.length));
    this.#next.set(next);
    this.#free = free;
    this.limit = next.length;
    this.size = live;
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#next.byteLength;
  }
}
