import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { structureOf } from '../contract/Structure.js';
import { grow } from '../core/arrays.js';
import { BOX } from '../core/box.js';
import { IdList, type ItemIds } from '../core/ids.js';

// What is new of an id since the last tick, as bits.
/** It stands for another item, or for none. */
export const OTHER = 1;
const OTHER_MASK = 2;

const ALL_BITS = -1;
const NO_RANGE = Number.NaN;
/** How many marks an observer has for items. */
const MARKS = 4;
const LAST_MARK = 255;

/** What all observers share of the items of an index: which are new or gone, their masks and ranges. */
export class SeenItems {
  readonly index: SpatialIndex;
  /** By id, what is new since the last tick; to be read during a tick. */
  news: Uint8Array = new Uint8Array(0);
  masks: Int32Array = new Int32Array(0);
  /** Items with ranges of their own, in a tick. */
  readonly ranged: IdList = new IdList();
  /** By id, what the observer whose turn it is knows of the item. Others' marks are lower, so nothing has to be cleared. */
  marks: Uint8Array = new Uint8Array(0);
  readonly #ids: ItemIds;
  /** By id, the birth of the item that all of the above belongs to. */
  #born = new Int32Array(0);
  readonly #changed = new IdList();
  readonly #withRange = new Set<number>();
  #ranges = new Float64Array(0);
  #lastMark = 0;

  /** @throws TypeError for what is no index. */
  constructor(index: SpatialIndex) {
    // Only this tells that an id was given to another item between two ticks.
    this.#ids = structureOf(index, 'Interest.index').ids;
    this.index = index;
  }

  /** Whether anything is new that takes items out of views, wherever they are. */
  get hasNews(): boolean {
    return this.#changed.length > 0;
  }

  /** Above all ids so far. */
  get limit(): number {
    return this.#born.length;
  }

  /** Begins a tick. */
  begin(): void {
    this.#reserve(this.#ids.limit);
    for (let id = 0; id < this.#born.length; id++) this.#meet(id);
    this.ranged.length = 0;
    for (const id of this.#withRange) push(id, this.ranged);
  }

  end(): void {
    const { ids, length } = this.#changed;
    for (let i = 0; i < length; i++) this.news[ids[i]] = 0;
    this.#changed.length = 0;
  }

  /** The first of the marks that an observer may use in this tick: no item has it or a higher one. */
  takeMarks(): number {
    if (this.#lastMark + MARKS > LAST_MARK) {
      this.marks.fill(0);
      this.#lastMark = 0;
    }
    const first = this.#lastMark + 1;
    this.#lastMark += MARKS;
    return first;
  }

  /** Tells an item from later ones with the same id; 0 for none. */
  birthOf(id: number): number {
    // Allocations count from 1, but an index that was loaded has forgotten its own: all are 0.
    return this.#ids.has(id) ? this.#ids.born[id] + 1 : 0;
  }

  /** True for an item that the last tick has seen. */
  isKnown(id: number): boolean {
    return this.birthOf(id) === this.#born[id] && (this.news[id] & OTHER) === 0;
  }

  setMask(id: number, mask: number): void {
    this.#reserve(id + 1);
    this.#meet(id);
    this.masks[id] = mask;
    this.#note(id, OTHER_MASK);
  }

  /** @param range Null for none. */
  setRange(id: number, range: number | null): void {
    this.#reserve(id + 1);
    this.#meet(id);
    this.#ranges[id] = range ?? NO_RANGE;
    if (range === null) this.#withRange.delete(id);
    else this.#withRange.add(id);
  }

  /** The item's own range, in a tick; NaN for none. */
  rangeOf(id: number): number {
    // Most have none, and each look into an array of all items may miss the cache.
    return this.ranged.length === 0 ? NO_RANGE : this.#ranges[id];
  }

  /** Whether an item is within a distance from a point. */
  isWithin(range: number, point: Float64Array, id: number): boolean {
    return squareTo(point, this.index.getBox(id, box)) <= range * range;
  }

  /** Writes the squares of the distances from a point to some items. */
  squaresTo(point: Float64Array, { ids, length }: IdList, out: Float64Array): void {
    const { index } = this;
    for (let i = 0; i < length; i++) out[i] = squareTo(point, index.getBox(ids[i], box));
  }

  /** Notices that an id stands for another item, whose mask and range nobody has set. */
  #meet(id: number): void {
    const birth = this.birthOf(id);
    if (birth === this.#born[id]) return;
    this.#born[id] = birth;
    this.masks[id] = ALL_BITS;
    this.#ranges[id] = NO_RANGE;
    this.#withRange.delete(id);
    this.#note(id, OTHER);
  }

  #note(id: number, what: number): void {
    if (this.news[id] === 0) push(id, this.#changed);
    this.news[id] |= what;
  }

  #reserve(limit: number): void {
    if (limit <= this.#born.length) return;
    this.#born = grow(this.#born, limit);
    this.news = grow(this.news, this.#born.length);
    this.masks = grow(this.masks, this.#born.length);
    this.#ranges = grow(this.#ranges, this.#born.length);
    this.marks = grow(this.marks, this.#born.length);
  }
}

/** Of the distance from a point to the nearest point of a box; the expression of queries. */
function squareTo(point: Float64Array, b: Float64Array): number {
  const x = point[0];
  const y = point[1];
  const z = point[2];
  const dx = (x < b[0] ? b[0] : x > b[3] ? b[3] : x) - x;
  const dy = (y < b[1] ? b[1] : y > b[4] ? b[4] : y) - y;
  const dz = (z < b[2] ? b[2] : z > b[5] ? b[5] : z) - z;
  return dx * dx + dy * dy + dz * dz;
}

export function push(id: number, list: IdList): void {
  if (list.length === list.ids.length) list.reserve(1);
  list.ids[list.length++] = id;
}

// Filled and read within a call, which runs no user code.
const box = new Float64Array(BOX);
