import type { Object3D } from 'three';
import type { ObjectRecord } from '../objects/ObjectRecord.js';

/**
 * What every query asks of entries, by id. Kept side by side, as records lie far apart in memory: to read one for each
 * object that is found costs more than to find it.
 */
export class EntriesById {
  /** Null for ids that no entry has, here and in the other lists. */
  readonly records: (ObjectRecord | null)[] = [];
  readonly objects: (Object3D | null)[] = [];
  /** The record of the parent of each; null for an object without a followed one. */
  readonly parents: (ObjectRecord | null)[] = [];
  /**
   * Whether an entry has nothing below it and no instances, and lies in something. These are given to renderers unseen,
   * who check `visible` and layers of each themselves.
   */
  readonly isLeaf: (boolean | null)[] = [];
  readonly #lists: unknown[][] = [this.records, this.objects, this.parents, this.isLeaf];

  add(record: ObjectRecord): void {
    const { id, object, parent } = record;
    // Filled up one by one, so that the arrays stay dense.
    while (this.records.length <= id) for (const list of this.#lists) list.push(null);
    this.records[id] = record;
    this.objects[id] = object;
    this.parents[id] = parent;
    this.isLeaf[id] = parent !== null && object.children.length === 0 && !record.hasInstances;
  }

  remove(id: number): void {
    for (const list of this.#lists) list[id] = null;
  }

  clear(): void {
    for (const list of this.#lists) list.length = 0;
  }
}
