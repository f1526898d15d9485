import { grow } from './checks.js';

/** What an item of the index is to a region. */
export const FOREIGN = 0;
/** An entity of the region's own. */
export const OWN = 1;
/** One that was given away, until the other region says that it has it. */
export const LEAVING = 2;
/** One of another region. */
export const GHOST = 3;

export const NO_BYTES: Uint8Array = new Uint8Array(0);

/** The entities that a region knows, by the ids of their items. */
export class EntityTable {
  kind: Uint8Array = new Uint8Array(16);
  entity: Float64Array = new Float64Array(16);
  /** How many regions have owned an entity so far, by what its owner knew: the higher one is right. */
  epoch: Int32Array = new Int32Array(16);
  /** Of a ghost the region that told of it last, of one that is leaving the region that it goes to. */
  region: Int32Array = new Int32Array(16);
  /** Numbered by whoever goes through the entities, to know which it has met. */
  mark: Float64Array = new Float64Array(16);
  /** Replaced and never written, so that they may be kept. */
  readonly payload: Uint8Array[] = [];
  /** How many are the region's own. */
  owned = 0;
  readonly #items = new Map<number, number>();

  /** The item of an entity; -1 for one that is not known. */
  itemOf(entity: number): number {
    return this.#items.get(entity) ?? -1;
  }

  /** The item of an entity of the region's own, or -1. */
  ownItemOf(entity: number): number {
    const item = this.#items.get(entity);
    return item !== undefined && this.kind[item] === OWN ? item : -1;
  }

  /** All items with an entity. */
  items(): IterableIterator<number> {
    return this.#items.values();
  }

  add(item: number, entity: number, payload: Uint8Array): void {
    if (item >= this.kind.length) this.#grow(item + 1);
    this.kind[item] = FOREIGN;
    this.entity[item] = entity;
    this.mark[item] = 0;
    this.payload[item] = payload;
    this.#items.set(entity, item);
  }

  /** @param region See `region`; the own one for an entity of the region's own. */
  become(item: number, kind: number, region: number, epoch: number): void {
    if (this.kind[item] === OWN) this.owned--;
    if (kind === OWN) this.owned++;
    this.kind[item] = kind;
    this.region[item] = region;
    this.epoch[item] = epoch;
  }

  delete(item: number): void {
    if (this.kind[item] === OWN) this.owned--;
    this.#items.delete(this.entity[item]);
    this.kind[item] = FOREIGN;
    this.payload[item] = NO_BYTES;
  }

  #grow(length: number): void {
    this.kind = grow(this.kind, length);
    this.entity = grow(this.entity, length);
    this.epoch = grow(this.epoch, length);
    this.region = grow(this.region, length);
    this.mark = grow(this.mark, length);
  }
}
