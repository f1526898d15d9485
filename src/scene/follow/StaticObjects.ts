import { Matrix4 } from 'three';
import {
  FLAGGED,
  hasStaticFlag,
  holdsUpwards,
  LEFT,
  LISTED,
  NEW,
  type ObjectRecord,
  STATIC,
  TOUCHED,
} from '../objects/ObjectRecord.js';
import type { Hierarchy } from './Hierarchy.js';
import type { Motion } from './Motion.js';
import type { Todo } from './Todo.js';

/**
 * Static objects that an update has to examine all the same: they were touched, or something above them moved. They
 * join one pass over the objects that may move, so that three's order of updates is kept.
 */
export class StaticObjects {
  readonly #hierarchy: Hierarchy;
  readonly #motion: Motion;
  readonly #todo: Todo;
  /** The world matrix above the root, as of the last update. */
  readonly #above = new Matrix4();

  constructor(hierarchy: Hierarchy, motion: Motion, todo: Todo) {
    this.#hierarchy = hierarchy;
    this.#motion = motion;
    this.#todo = todo;
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
      below.set(FLAGGED, hasFlag);
      const isKept = keepsFlagged && above !== null && below.isStatic && (hasFlag || above.isStatic);
      below.set(STATIC, isStatic || isKept);
      if (below.staticChildren > 0) below.inheritance.staticChildren = 0;
      if (below.isStatic && above?.isStatic === false) above.inheritance.staticChildren++;
      // It is visited once more, as things may have been done to it before, and after, it was marked.
      if (below.isStatic) this.#todo.add(below, LISTED);
      // It is listed behind what it lies below.
      else if (below.slot < 0 || (below.parent !== null && below.parent.slot > below.slot))
        this.#motion.addAgain(below);
    }
  }

  /** Marks an object, and all below it, by those of three's flags that have changed since they were read. */
  readFlags(top: ObjectRecord): void {
    for (const record of this.#hierarchy.subtree(top.object)) {
      const flag = hasStaticFlag(record.object);
      if (flag !== record.has(FLAGGED)) this.mark(record, flag, true);
    }
  }

  /** Has the next pass visit the static objects at and below an object, and all below these. */
  list(top: ObjectRecord): void {
    if (top.parent !== null) this.listNew(top.parent);
    for (const record of this.#hierarchy.subtree(top.object)) {
      if (!holdsUpwards(record, (above) => above.isStatic)) continue;
      // Objects that may move are listed behind those they lie below.
      this.#motion.addAgain(record);
      if (record.isStatic) this.#todo.add(record, LISTED);
    }
  }

  /**
   * Has the pass visit an object, if it is new, behind the new static ones that it lies below. The pass visits no other new static
   * objects: their matrices are made behind it, so nothing of what they were like has to be kept.
   */
  listNew(record: ObjectRecord): void {
    if (!isUnlisted(record)) return;
    if (isUnlisted(record.parent)) {
      const path: ObjectRecord[] = [];
      for (let r = record.parent; r !== null && isUnlisted(r); r = r.parent) path.push(r);
      for (const r of path.reverse()) this.#motion.add(r);
    }
    this.#motion.add(record);
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
      this.#todo.add(below, TOUCHED | LISTED);
      // Now, as objects that may move below it, and others that depend on it, come later in the pass.
      for (const record of this.#hierarchy.subtree(child)) if (record.slot < 0) this.#motion.refresh(record);
    }
  }

  /** Lists what was left as it was, for a pass that makes matrices. */
  relist(): void {
    const left = this.#todo.having(LEFT);
    for (const record of left) if (record.parent?.has(LEFT) !== true) this.list(record);
    for (const record of left) record.set(LEFT, false);
  }

  /** Takes static objects off the list again, after the pass, which may have left matrices as they were. */
  unlist(asIs: boolean): void {
    this.#todo.each(LISTED, (record) => {
      if (record.isStatic) this.#motion.remove(record);
      if (asIs) this.#todo.add(record, LEFT);
    });
  }
}

/** True for a new object that the pass is not to visit so far. */
function isUnlisted(record: ObjectRecord | null): boolean {
  return record !== null && record.slot < 0 && record.has(NEW);
}

const IDENTITY = new Matrix4();
