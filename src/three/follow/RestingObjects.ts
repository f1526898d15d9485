import type { ObjectRecord } from '../objects/ObjectRecord.js';
import type { Hierarchy } from './Hierarchy.js';
import type { Motion } from './Motion.js';

/**
 * What is at rest, and to be looked at all the same: it was touched, or something above it moved. It joins the pass over
 * what may move, once, so that it is updated as three would in that order.
 */
export class RestingObjects {
  readonly #tracker: Hierarchy;
  readonly #motion: Motion;
  /** To be looked at by the next update, with all that is below; at rest or not. */
  readonly touched: Set<ObjectRecord> = new Set();
  /** At rest, but on the list of those that may move until the end of the update. */
  readonly #awake = new Set<ObjectRecord>();

  constructor(tracker: Hierarchy, motion: Motion) {
    this.#tracker = tracker;
    this.#motion = motion;
  }

  /** Has the next pass come by what is at rest, of an object and all below it, and by what is below that. */
  wake(top: ObjectRecord): void {
    for (const record of this.#tracker.subtree(top.object)) {
      if (!isBelowRest(record)) continue;
      // What may move comes behind what it lies below.
      this.#motion.add(record);
      if (record.isStatic) this.#awake.add(record);
    }
  }

  /** Told of an object that moved in the pass, with children at rest. */
  touchChildren({ object }: ObjectRecord): void {
    for (const child of object.children) {
      const below = this.#tracker.records.get(child);
      if (!below?.isStatic) continue;
      this.touched.add(below);
      // At once: what may move below it, and what depends on it, comes later in the pass.
      for (const resting of this.#tracker.subtree(child)) if (resting.slot < 0) this.#motion.refresh(resting);
    }
  }

  /** The pass is over. */
  letRest(): void {
    if (this.#awake.size === 0) return;
    for (const record of this.#awake) if (record.isStatic) this.#motion.remove(record);
    this.#awake.clear();
  }

  forget(record: ObjectRecord): void {
    this.touched.delete(record);
    this.#awake.delete(record);
  }

  clear(): void {
    this.touched.clear();
    this.#awake.clear();
  }
}

/** True for what is at rest, or lies below something that is. */
function isBelowRest(record: ObjectRecord): boolean {
  for (let r: ObjectRecord | null = record; r !== null; r = r.parent) if (r.isStatic) return true;
  return false;
}
