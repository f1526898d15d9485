import type { ObjectRecord } from '../objects/ObjectRecord.js';

/** Sets of records, each of which is forgotten by all of them at once. */
export class RecordSets {
  readonly #sets: Set<ObjectRecord>[] = [];

  protected makeSet(): Set<ObjectRecord> {
    const set = new Set<ObjectRecord>();
    this.#sets.push(set);
    return set;
  }

  forget(record: ObjectRecord): void {
    for (const set of this.#sets) set.delete(record);
  }

  clear(): void {
    for (const set of this.#sets) set.clear();
  }
}
