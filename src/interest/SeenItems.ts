import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { structureOf } from '../contract/Structure.js';
import { grow } from '../core/arrays.js';
import type { ItemIds } from '../core/ids.js';

const ALL_BITS = -1;
const NO_RANGE = Number.NaN;
/** The number of marks that an observer has for items. */
const ITEM_MARKS = 4;
const LAST_MARK = 255;

/** State of the items of an index, shared by all observers: new and gone items, masks and ranges. */
export class SeenItems {
  readonly index: SpatialIndex;
  /** True after changes that take items out of views at any distance. */
  hasNews = false;
  /** By id, 1 if the id stands for another item than in the last tick, or for none. */
  isOther: Uint8Array = new Uint8Array(0);
  masks: Int32Array = new Int32Array(0);
  /** Items with ranges of their own. */
  readonly ranged: Set<number> = new Set();
  /** By id, the present observer's mark. Marks of earlier observers are lower, so nothing has to be cleared. */
  marks: Uint8Array = new Uint8Array(0);
  readonly #ids: ItemIds;
  /** By id, the birth of the item to which the arrays above belong. */
  #born = new Int32Array(0);
  #ranges = new Float64Array(0);
  #lastMark = 0;

  /** @throws TypeError for anything but an index. */
  constructor(index: SpatialIndex) {
    // Only the allocator tells that an id was given to another item between two ticks.
    this.#ids = structureOf(index, 'Interest.index').ids;
    this.index = index;
  }

  /** Begins a tick: notices new and removed items. */
  beginTick(): void {
    const end = Math.max(this.#ids.limit, this.#born.length);
    for (let id = 0; id < end; id++) this.#meet(id);
  }

  end(): void {
    if (this.hasNews) this.isOther.fill(0);
    this.hasNews = false;
  }

  /** The first of the marks that an observer may use in this tick: no item has this mark or a higher one. */
  takeMarks(): number {
    if (this.#lastMark + ITEM_MARKS > LAST_MARK) {
      this.marks.fill(0);
      this.#lastMark = 0;
    }
    const first = this.#lastMark + 1;
    this.#lastMark += ITEM_MARKS;
    return first;
  }

  /** Tells an item from later items with the same id; 0 for no item. */
  birthOf(id: number): number {
    // Numbers of allocations are raised by one, as 0 stands for no item.
    return this.#ids.has(id) ? this.#ids.born[id] + 1 : 0;
  }

  /** True for an item that existed at the last tick. */
  isKnown(id: number): boolean {
    return this.birthOf(id) === this.#born[id] && this.isOther[id] === 0;
  }

  setMask(id: number, mask: number): void {
    this.#meet(id);
    this.masks[id] = mask;
    this.hasNews = true;
  }

  /** @param range Null for none. */
  setRange(id: number, range: number | null): void {
    this.#meet(id);
    this.#ranges[id] = range ?? NO_RANGE;
    if (range === null) this.ranged.delete(id);
    else this.ranged.add(id);
  }

  /** The item's own range; NaN for none. */
  rangeOf(id: number): number {
    // Most items have no range, and each read of an array of all items may miss the cache.
    return this.ranged.size === 0 ? NO_RANGE : this.#ranges[id];
  }

  /** Notices that an id stands for another item, and gives it the default mask and range. */
  #meet(id: number): void {
    const birth = this.birthOf(id);
    if (id >= this.#born.length) this.#reserve(id + 1);
    if (birth === this.#born[id]) return;
    this.#born[id] = birth;
    this.masks[id] = ALL_BITS;
    this.#ranges[id] = NO_RANGE;
    this.ranged.delete(id);
    this.isOther[id] = 1;
    this.hasNews = true;
  }

  #reserve(limit: number): void {
    this.#born = grow(this.#born, limit);
    this.isOther = grow(this.isOther, this.#born.length);
    this.masks = grow(this.masks, this.#born.length);
    this.#ranges = grow(this.#ranges, this.#born.length);
    this.marks = grow(this.marks, this.#born.length);
  }
}
