import type { ObjectRecord } from '../objects/ObjectRecord.js';
import type { Entries } from './Entries.js';

/** Entries whose bounds may have changed since they were measured, each once. */
export class DirtyEntries {
  readonly #entries: Entries;
  /** A record without its flag was forgotten. */
  readonly #list: ObjectRecord[] = [];

  constructor(entries: Entries) {
    this.#entries = entries;
  }

  /** Adds an entry, unless its bounds are pending: then they are measured when they are asked for. */
  add(record: ObjectRecord): void {
    if (record.isDirty || this.#entries.pending.has(record)) return;
    record.isDirty = true;
    this.#list.push(record);
  }

  forget(record: ObjectRecord): void {
    record.isDirty = false;
  }

  /** Measures all of them. */
  measure(): void {
    const list = this.#list;
    while (list.length > 0) {
      const record = list[list.length - 1];
      if (record.isDirty) this.#entries.refresh(record);
      // Cleared last, so that the next update goes on here after an exception.
      record.isDirty = false;
      list.pop();
    }
  }

  clear(): void {
    this.#list.length = 0;
  }
}
