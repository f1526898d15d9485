import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { structureOf } from '../contract/Structure.js';
import { grow } from '../core/arrays.js';
import { type ItemIds, LIVE } from '../core/ids.js';

/** What all observers share of the items of an index: which are the same as in the last tick, their masks, and marks. */
export class SeenItems {
  readonly index: SpatialIndex;
  /** By item; written and read by one observer after the other. */
  marks: Int32Array = new Int32Array(0);
  readonly #ids: ItemIds;
  readonly #read: (id: number, out: Float64Array) => void;
  #masks = new Int32Array(0);
  #maskedSince = new Int32Array(0);
  /** The allocation of each id at the end of the last tick. */
  #bornBefore = new Int32Array(0);
  #mark = 0;

  /** @throws TypeError for what is no index. */
  constructor(index: SpatialIndex) {
    const structure = structureOf(index, 'Interest.index');
    this.index = index;
    this.#ids = structure.ids;
    this.#read = structure.read.bind(structure);
  }

  /** Begins a tick. */
  begin(): void {
    const { limit } = this.#ids;
    if (this.marks.length < limit) this.marks = grow(this.marks, limit);
    if (this.#bornBefore.length < limit) this.#bornBefore = grow(this.#bornBefore, limit);
  }

  end(): void {
    const { born, limit } = this.#ids;
    for (let id = 0; id < limit; id++) this.#bornBefore[id] = born[id];
  }

  /** The first of `count` marks that no item has. */
  newMarks(count: number): number {
    if (this.#mark > 2 ** 30) {
      this.marks.fill(0);
      this.#mark = 0;
    }
    const first = this.#mark + 1;
    this.#mark += count;
    return first;
  }

  /** Tells an item from later ones with the same id; -1 for none. */
  birthOf(id: number): number {
    return this.#ids.has(id) ? this.#ids.born[id] : -1;
  }

  /** True for an item that existed in the last tick. */
  isSame(id: number): boolean {
    return this.#ids.next[id] === LIVE && this.#ids.born[id] === this.#bornBefore[id];
  }

  setMask(id: number, mask: number): void {
    if (id >= this.#masks.length) {
      this.#masks = grow(this.#masks, id + 1);
      this.#maskedSince = grow(this.#maskedSince, this.#masks.length).fill(-1, this.#maskedSince.length);
    }
    this.#masks[id] = mask;
    this.#maskedSince[id] = this.#ids.born[id];
  }

  /** The mask of an item, by default all bits. */
  maskOf(id: number): number {
    return this.#maskedSince[id] === this.#ids.born[id] ? this.#masks[id] : -1;
  }

  readBox(id: number, out: Float64Array): void {
    this.#read(id, out);
  }
}
