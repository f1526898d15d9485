import { Matrix4 } from 'three';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import type { Hierarchy } from './Hierarchy.js';
import type { Motion } from './Motion.js';

/**
 * Static objects that an update has to examine all the same: they were touched, or something above them moved. They join
 * one pass over the objects that may move, so that three's order of updates is kept.
 */
export class RestingObjects {
  readonly #hierarchy: Hierarchy;
  readonly #motion: Motion;
  /** Objects that the next update examines, with all below them; static or not. */
  readonly touched: Set<ObjectRecord> = new Set();
  /** Static objects that are on the list of `Motion` until the end of the update. */
  readonly #awake = new Set<ObjectRecord>();
  /** The world matrix above the root, as of the last update. */
  readonly #above = new Matrix4();

  constructor(hierarchy: Hierarchy, motion: Motion) {
    this.#hierarchy = hierarchy;
    this.#motion = motion;
  }

  /** Has the next pass visit the static objects at and below an object, and everything below those. */
  wake(top: ObjectRecord): void {
    for (const record of this.#hierarchy.subtree(top.object)) {
      if (!isBelowRest(record)) continue;
      // Objects that may move are listed behind those they lie below.
      this.#motion.add(record);
      if (record.isStatic) this.#awake.add(record);
    }
  }

  /** Wakes a static root when what is above it moved, which no pass over what is below it shows. */
  followAbove(top: ObjectRecord): void {
    const above = top.object.parent?.matrixWorld ?? IDENTITY;
    if (above.equals(this.#above)) return;
    this.#above.copy(above);
    if (top.isStatic) this.wake(top);
  }

  /** Touches the static children of an object that moved in the pass. */
  touchChildren({ object }: ObjectRecord): void {
    for (const child of object.children) {
      const below = this.#hierarchy.records.get(child);
      if (!below?.isStatic) continue;
      this.touched.add(below);
      // Now, as objects that may move below it, and others that depend on it, come later in the pass.
      for (const resting of this.#hierarchy.subtree(child)) if (resting.slot < 0) this.#motion.refresh(resting);
    }
  }

  /** Takes static objects off the list again, after the pass. */
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

const IDENTITY = new Matrix4();

/** True for a static object, or one below it. */
function isBelowRest(record: ObjectRecord): boolean {
  for (let r: ObjectRecord | null = record; r !== null; r = r.parent) if (r.isStatic) return true;
  return false;
}
