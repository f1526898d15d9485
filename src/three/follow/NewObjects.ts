import type { ObjectRecord } from '../objects/ObjectRecord.js';

/** Objects that came since the last update, in the order in which they came: a list, and a flag of each record. */
export class NewObjects {
  /** A record without its flag has gone again. */
  #list: ObjectRecord[] = [];
  #gone = 0;

  get size(): number {
    return this.#list.length - this.#gone;
  }

  add(record: ObjectRecord): void {
    record.isNew = true;
    this.#list.push(record);
  }

  /** Lets go of an object that went before the next update. */
  forget(record: ObjectRecord): void {
    if (!record.isNew) return;
    record.isNew = false;
    this.#gone++;
    // So that what comes and goes without an update is not kept.
    if (2 * this.#gone > this.#list.length) this.settle([]);
  }

  /** A list of them, which stays as it is. */
  all(): ObjectRecord[] {
    return this.#list.filter((record) => record.isNew);
  }

  /** These are new no longer; others that came meanwhile still are. */
  settle(records: readonly ObjectRecord[]): void {
    for (const record of records) record.isNew = false;
    this.#list = this.all();
    this.#gone = 0;
  }
}
