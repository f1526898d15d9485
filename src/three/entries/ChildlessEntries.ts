import type { Object3D } from 'three';
import { isAggregate, type ObjectRecord } from '../objects/ObjectRecord.js';

/**
 * The entries that have nothing below them, by id. They are given to renderers unseen, as these check `visible` and
 * layers of each themselves; reading them here would cost time, as they lie far apart in memory.
 */
export class ChildlessEntries {
  /** Null for ids of other entries, and of none. */
  readonly objects: (Object3D | null)[] = [];
  /** The record of the parent of each. */
  readonly parents: (ObjectRecord | null)[] = [];

  /** @param byId Records of the present entries. */
  constructor(byId: readonly (ObjectRecord | null)[]) {
    for (const record of byId) if (record !== null) this.add(record);
  }

  /** Adds an entry that got an id, if it has nothing below it. */
  add({ id, object, parent }: ObjectRecord): void {
    // Filled up one by one, so that the arrays stay dense.
    while (this.objects.length <= id) {
      this.objects.push(null);
      this.parents.push(null);
    }
    if (parent === null || object.children.length > 0 || isAggregate(object)) return;
    this.objects[id] = object;
    this.parents[id] = parent;
  }

  /** Removes an entry that goes, or gets something below it. */
  remove(id: number): void {
    if (id < 0) return;
    this.objects[id] = null;
    this.parents[id] = null;
  }

  clear(): void {
    this.objects.length = 0;
    this.parents.length = 0;
  }
}
