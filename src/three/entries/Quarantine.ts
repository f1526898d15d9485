import { describe, describeError } from '../objects/describe.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';

/** Objects kept out of the index because their bounds are NaN, or cannot be computed, until they have valid ones. */
export class Quarantine {
  readonly records: Set<ObjectRecord> = new Set();
  readonly #warned = new WeakSet<object>();

  /**
   * Takes in an object, with one warning in its life.
   * @param problem What was thrown when its bounds were computed; null for bounds that are NaN.
   */
  add(record: ObjectRecord, problem: unknown): void {
    this.records.add(record);
    if (this.#warned.has(record.object)) return;
    this.#warned.add(record.object);
    const reason =
      problem === null ? 'its bounds are NaN' : `its bounds cannot be computed (${describeError(problem)})`;
    // In words alone: a console keeps the objects that it is given.
    console.warn(`SceneIndex: ${describe(record.object)} is in no result, ${reason}`);
  }

  remove(record: ObjectRecord): void {
    if (this.records.size > 0) this.records.delete(record);
  }
}
