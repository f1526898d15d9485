import type { Object3D } from 'three';
import { getOrMake } from '../../core/arrays.js';
import { isSame, type ObjectRecord } from './ObjectRecord.js';

/** A page holds the handles of 2 ** ID_BITS consecutive ids: the low bits of an `id` tell its index on the page. */
const ID_BITS = 8;
const ID_MASK = 2 ** ID_BITS - 1;
/** Handles are renumbered once the table is longer than twice the number of records, plus SPARE_HANDLES. */
const SPARE_HANDLES = 64;

/** A page without objects: 0 stands for no handle. */
const NO_PAGE: Int32Array = new Int32Array(ID_MASK + 1);

/**
 * The records of all followed objects, in the order in which they were met. The number of a record in that order is its
 * handle: callers keep per-object state in arrays by handle.
 *
 * Pages of ids lead from an object to its handle. three counts ids up, so the ids of a scene lie close together: a page
 * takes 4 bytes for each object (a map takes 37), and objects made together share a cache line.
 */
export class RecordTable {
  size = 0;
  /** Number of times that handles were renumbered. */
  renumberings = 0;
  /** Records by handle; null for an object that has gone, and at 0, as handles begin with 1. */
  #records: (ObjectRecord | null)[] = [null];
  readonly #pages = new Map<number, Int32Array>();
  /** The page of the last lookup, and its number. */
  #page: Int32Array = NO_PAGE;
  #key = -1;
  /** Records whose object shares its id with another object, as happens with several copies of three. */
  readonly #others = new Map<number, ObjectRecord[]>();

  /** The largest handle. */
  get last(): number {
    return this.#records.length - 1;
  }

  /** All records, by handle. The list is the caller's. */
  all(): ObjectRecord[] {
    return this.#records.filter((record) => record !== null);
  }

  has(object: Object3D): boolean {
    return this.get(object) !== undefined;
  }

  get(object: Object3D | null | undefined): ObjectRecord | undefined {
    // Children that were set by hand may be anything.
    if (!object) return undefined;
    const record = this.#at(object.id);
    if (record !== null && record.object === object) return record;
    return this.#others.size > 0 ? this.#others.get(object.id)?.find((other) => other.object === object) : undefined;
  }

  /** The record of the object behind a proxy, or of a proxy of the object. */
  getByProxy(object: Object3D): ObjectRecord | undefined {
    const { id } = object;
    return (
      [this.#at(id), ...(this.#others.get(id) ?? [])].find((record) => record && isSame(object, record.object)) ??
      undefined
    );
  }

  /** Adds the record of an object that has none yet, behind all other records. */
  add(record: ObjectRecord): void {
    if (this.#records.length > 2 * this.size + SPARE_HANDLES) this.#renumber();
    this.#append(record);
  }

  delete(record: ObjectRecord): void {
    const { id } = record.object;
    this.#records[record.handle] = null;
    this.size--;
    if (this.#turnTo(id)[id & ID_MASK] === record.handle) this.#page[id & ID_MASK] = 0;
    else this.#others.set(id, this.#others.get(id)?.filter((other) => other !== record) ?? []);
  }

  clear(): void {
    this.#records = [null];
    this.size = 0;
    this.#pages.clear();
    this.#key = -1;
    this.#others.clear();
  }

  #append(record: ObjectRecord): void {
    const { id } = record.object;
    record.handle = this.#records.push(record) - 1;
    this.size++;
    if (this.#turnTo(id) === NO_PAGE) {
      this.#page = new Int32Array(ID_MASK + 1);
      this.#pages.set(this.#key, this.#page);
    }
    if (this.#page[id & ID_MASK] === 0) this.#page[id & ID_MASK] = record.handle;
    else getOrMake(this.#others, id, makeList).push(record);
  }

  /** Renumbers all records from the first handle on, in their order, and drops unused pages. */
  #renumber(): void {
    const records = this.all();
    this.clear();
    for (const record of records) this.#append(record);
    this.renumberings++;
  }

  #at(id: number): ObjectRecord | null {
    return this.#records[this.#turnTo(id)[id & ID_MASK]];
  }

  #turnTo(id: number): Int32Array {
    const key = id >>> ID_BITS;
    if (key !== this.#key) {
      this.#key = key;
      this.#page = this.#pages.get(key) ?? NO_PAGE;
    }
    return this.#page;
  }
}

function makeList(): ObjectRecord[] {
  return [];
}
