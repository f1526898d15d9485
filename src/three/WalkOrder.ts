import type { Object3D } from 'three';
import type { Tracked } from './Tracked.js';

/**
 * Puts objects in the order in which three visits them, for renderers that do not sort what they draw.
 *
 * The order is kept from one walk over the whole scene and checked for the objects in question: while each of them, and
 * of those above it, has the place among its siblings that it had then, they follow each other as they did. So children
 * that were sorted by hand, of which nobody tells, are noticed as well.
 */
export class WalkOrder {
  readonly #records: ReadonlyMap<Object3D, Tracked>;
  readonly #root: Object3D;
  /** The walk, and the place of each object of it among its siblings. */
  #walk: Tracked[] = [];
  #places: number[] = [];

  constructor(root: Object3D, records: ReadonlyMap<Object3D, Tracked>) {
    this.#root = root;
    this.#records = records;
  }

  /** Lets go of all records: an object went. */
  forget(): void {
    if (this.#walk.length === 0) return;
    this.#walk = [];
    this.#places = [];
  }

  /** Sorts records of objects below the root. */
  sort(records: Tracked[]): void {
    if (!this.#isKept(records)) this.#number();
    records.sort((a, b) => a.order - b.order);
  }

  #isKept(records: readonly Tracked[]): boolean {
    const looked = new Set<Tracked>();
    for (const record of records) {
      let r = record;
      for (let { parent } = r; parent !== null && !looked.has(r); { parent } = r) {
        if (this.#walk[r.order] !== r || parent.object.children[this.#places[r.order]] !== r.object) return false;
        looked.add(r);
        r = parent;
      }
    }
    return true;
  }

  #number(): void {
    this.#walk = [];
    this.#places = [];
    const pending = [this.#root];
    const places = [0];
    for (let object = pending.pop(); object !== undefined; object = pending.pop()) {
      const place = places.pop() as number;
      const record = this.#records.get(object);
      if (record === undefined) continue;
      record.order = this.#walk.length;
      this.#walk.push(record);
      this.#places.push(place);
      const { children } = object;
      for (let i = children.length - 1; i >= 0; i--) {
        pending.push(children[i]);
        places.push(i);
      }
    }
  }
}
