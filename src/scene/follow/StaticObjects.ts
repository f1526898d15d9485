import { Matrix4 } from 'three';
import { hasStaticFlag, holdsUpwards, type ObjectRecord } from '../objects/ObjectRecord.js';
import type { Hierarchy } from './Hierarchy.js';
import type { Motion } from './Motion.js';
import { RecordSets } from './RecordSets.js';

/**
 * Static objects that an update has to examine all the same: they were touched, or something above them moved. They
 * join one pass over the objects that may move, so that three's order of updates is kept.
 */
export class StaticObjects extends RecordSets {
  readonly #hierarchy: Hierarchy;
  readonly #motion: Motion;
  /** Objects that the next update examines, with all below them; static or not. */
  readonly touched: Set<ObjectRecord> = this.makeSet();
  /** Static objects that are on the list of `Motion` until the end of the update. */
  readonly listed: Set<ObjectRecord> = this.makeSet();
  /** Those whose matrices were left as they were: the next update that makes matrices lists them again. */
  readonly #left = this.makeSet();
  /** The world matrix above the root, as of the last update. */
  readonly #above = new Matrix4();

  constructor(hierarchy: Hierarchy, motion: Motion) {
    super();
    this.#hierarchy = hierarchy;
    this.#motion = motion;
  }

  /**
   * Marks an object and all below it static, or not. Of three's flags there, only later changes count.
   * @param keepsFlagged Whether what is static below it, and has the flag or is below one that has, stays static.
   */
  mark(record: ObjectRecord, isStatic: boolean, keepsFlagged = false): void {
    const { parent } = record;
    if (parent?.isStatic === false && record.isStatic !== isStatic)
      parent.inheritance.staticChildren += isStatic ? 1 : -1;
    for (const below of this.#hierarchy.subtree(record.object)) {
      const above = below === record ? null : below.parent;
      const hasFlag = hasStaticFlag(below.object);
      if (hasFlag) this.#hierarchy.flagged.add(below);
      else this.#hierarchy.flagged.delete(below);
      const isKept = keepsFlagged && above !== null && below.isStatic && (hasFlag || above.isStatic);
      below.isStatic = isStatic || isKept;
      if (below.staticChildren > 0) below.inheritance.staticChildren = 0;
      if (below.isStatic && above?.isStatic === false) above.inheritance.staticChildren++;
      // It is visited once more, as things may have been done to it before, and after, it was marked.
      if (below.isStatic) this.listed.add(below);
      // It is listed behind what it lies below.
      else if (below.slot < 0 || (below.parent !== null && below.parent.slot > below.slot)) this.#motion.add(below);
    }
  }

  /** Marks an object, and all below it, by those of three's flags that have changed since they were read. */
  readFlags(top: ObjectRecord): void {
    for (const record of this.#hierarchy.subtree(top.object)) {
      const flag = hasStaticFlag(record.object);
      if (flag !== this.#hierarchy.flagged.has(record)) this.mark(record, flag, true);
    }
  }

  /** Has the next pass visit the static objects at and below an object, and all below these. */
  list(top: ObjectRecord): void {
    for (const record of this.#hierarchy.subtree(top.object)) {
      if (!holdsUpwards(record, (above) => above.isStatic)) continue;
      // Objects that may move are listed behind those they lie below.
      this.#motion.add(record);
      if (record.isStatic) this.listed.add(record);
    }
  }

  /** Lists a static root when what is above it moved, which a pass over what is below it does not show. */
  listIfParentMoved(top: ObjectRecord): void {
    const above = top.object.parent?.matrixWorld ?? IDENTITY;
    if (above.equals(this.#above)) return;
    this.#above.copy(above);
    if (top.isStatic) this.list(top);
  }

  /** Touches the static children of an object that moved in the pass. */
  touchChildren({ object }: ObjectRecord): void {
    for (const child of object.children) {
      const below = this.#hierarchy.records.get(child);
      if (!below?.isStatic) continue;
      this.touched.add(below);
      this.listed.add(below);
      // Now, as objects that may move below it, and others that depend on it, come later in the pass.
      for (const record of this.#hierarchy.subtree(child)) if (record.slot < 0) this.#motion.refresh(record);
    }
  }

  /** Lists what was left as it was, for a pass that makes matrices. */
  relist(): void {
    for (const record of this.#left) if (!this.#left.has(record.parent as ObjectRecord)) this.list(record);
    this.#left.clear();
  }

  /** Takes static objects off the list again, after the pass, which may have left matrices as they were. */
  unlist(asIs: boolean): void {
    for (const record of this.listed) {
      if (record.isStatic) this.#motion.remove(record);
      if (asIs) this.#left.add(record);
    }
    this.listed.clear();
  }
}

const IDENTITY = new Matrix4();
