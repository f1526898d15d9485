import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { type Structure, structureOf } from '../contract/Structure.js';
import { grow } from '../core/arrays.js';
import { BOX, copyBox } from '../core/box.js';
import { IdList, type ItemIds, LIVE } from '../core/ids.js';

// News of an item since the last tick, as bits.
/** The id stands for another item, or for none. */
export const OTHER = 1;
const OTHER_MASK = 2;

const ALL_BITS = -1;

/** What all observers share of the items of an index: which are new or gone, their masks and ranges. */
export class SeenItems {
  readonly structure: Structure;
  /** By item, what is new since the last tick; to be read during a tick. */
  news: Uint8Array = new Uint8Array(16);
  /** Items that have a range of their own, and in a tick their ranges and boxes in the same order. */
  readonly ranged: IdList = new IdList();
  ranges: Float64Array = new Float64Array(16);
  boxes: Float64Array = new Float64Array(16 * BOX);
  readonly #ids: ItemIds;
  /** Items with news. */
  readonly #changed = new IdList();
  /** The birth of each id at the last tick; 0 for none. */
  #born = new Int32Array(16);
  #limit = 0;
  /** By item, masks and the births of the items that they were given to. */
  #masks = new Int32Array(0);
  #maskedSince = new Int32Array(0);
  /** The births of the items that ranges were given to, and by item its place among `ranged`. */
  #rangedSince = new Int32Array(16);
  readonly #placeOf = new Map<number, number>();

  /** @throws TypeError for what is no index. */
  constructor(index: SpatialIndex) {
    this.structure = structureOf(index, 'Interest.index');
    this.#ids = this.structure.ids;
  }

  /** Whether anything is new that takes items out of views, wherever they are. */
  get hasNews(): boolean {
    return this.#changed.length > 0;
  }

  /** Above all ids of the last tick. */
  get limit(): number {
    return this.#limit;
  }

  /** How many items there are. */
  get count(): number {
    return this.#ids.size;
  }

  /** True for the id of an item in this tick. */
  isLive(id: number): boolean {
    return this.#born[id] !== 0;
  }

  /** Begins a tick. */
  begin(): void {
    const { next, born, limit } = this.#ids;
    const end = Math.max(limit, this.#limit);
    this.#reserve(end);
    const before = this.#born;
    for (let id = 0; id < end; id++) {
      // Beyond the end of an array the value is undefined.
      const now = next[id] === LIVE ? born[id] + 1 : 0;
      if (now === before[id]) continue;
      before[id] = now;
      this.#note(id, OTHER);
    }
    this.#limit = limit;
    this.#readRanged();
  }

  end(): void {
    const { ids, length } = this.#changed;
    for (let i = 0; i < length; i++) this.news[ids[i]] = 0;
    this.#changed.length = 0;
  }

  /** Tells an item from later ones with the same id; 0 for none. */
  birthOf(id: number): number {
    // Allocations count from 1, but an index that was loaded has forgotten its own: all are 0.
    return this.#ids.has(id) ? this.#ids.born[id] + 1 : 0;
  }

  /** True for an item that the last tick has seen. */
  isKnown(id: number): boolean {
    return id < this.#limit && this.birthOf(id) === this.#born[id];
  }

  setMask(id: number, mask: number): void {
    if (id >= this.#masks.length) {
      this.#masks = grow(this.#masks, id + 1);
      this.#maskedSince = grow(this.#maskedSince, this.#masks.length);
    }
    this.#masks[id] = mask;
    this.#maskedSince[id] = this.birthOf(id);
    this.#reserve(id + 1);
    this.#note(id, OTHER_MASK);
  }

  /** The mask of an item, by default all bits. */
  maskOf(id: number): number {
    return this.#maskedSince[id] === this.#ids.born[id] + 1 ? this.#masks[id] : ALL_BITS;
  }

  /** @param range Null for none. */
  setRange(id: number, range: number | null): void {
    let place = this.#placeOf.get(id);
    if (range === null) {
      if (place !== undefined) this.#dropRange(place);
      return;
    }
    if (place === undefined) {
      place = this.ranged.length;
      this.ranged.reserve(1)[this.ranged.length++] = id;
      this.#placeOf.set(id, place);
      if (place === this.ranges.length) {
        this.ranges = grow(this.ranges, place + 1);
        this.#rangedSince = grow(this.#rangedSince, place + 1);
        this.boxes = grow(this.boxes, BOX * this.ranges.length);
      }
    }
    this.ranges[place] = range;
    this.#rangedSince[place] = this.birthOf(id);
  }

  /** The range of an item; undefined if it has none of its own. */
  rangeOf(id: number): number | undefined {
    const place = this.#placeOf.get(id);
    return place === undefined ? undefined : this.ranges[place];
  }

  readBox(id: number, out: Float64Array): void {
    this.structure.read(id, out);
  }

  #note(id: number, what: number): void {
    if (this.news[id] === 0) this.#changed.reserve(1)[this.#changed.length++] = id;
    this.news[id] |= what;
  }

  /** Reads the boxes of items with ranges, and forgets the ranges of those that are gone. */
  #readRanged(): void {
    const { ranged } = this;
    for (let n = 0; n < ranged.length; ) {
      const id = ranged.ids[n];
      if (this.birthOf(id) !== this.#rangedSince[n]) {
        this.#dropRange(n);
        continue;
      }
      this.readBox(id, box);
      copyBox(box, 0, this.boxes, BOX * n++);
    }
  }

  /** The last of the list takes the place. */
  #dropRange(place: number): void {
    const { ranged, ranges } = this;
    const last = --ranged.length;
    this.#placeOf.delete(ranged.ids[place]);
    if (place === last) return;
    ranged.ids[place] = ranged.ids[last];
    ranges[place] = ranges[last];
    this.#rangedSince[place] = this.#rangedSince[last];
    this.#placeOf.set(ranged.ids[place], place);
  }

  #reserve(limit: number): void {
    if (limit <= this.news.length) return;
    this.news = grow(this.news, limit);
    this.#born = grow(this.#born, this.news.length);
  }
}

// Filled and read within a call, which runs no user code.
const box = new Float64Array(BOX);
