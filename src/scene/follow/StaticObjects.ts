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

/** Static objects to be examined all the same: touched or below a moved object. They join the walk in three's order. */
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
   * Marks an object and its descendants static, or not. Afterwards only changes of three's flags count.
   * @param keepsFlagged Whether a static descendant stays static if it has three's flag or a parent that stays static.
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
      // Static objects are visited once more, as they may have been changed before, and after, they were marked.
      if (below.isStatic) this.#todo.add(below, LISTED);
      // A moving object is listed behind its parent.
      else if (below.walkIndex < 0 || (below.parent !== null && below.parent.walkIndex > below.walkIndex))
        this.#motion.addAgain(below);
    }
  }

  /** Marks an object and its descendants according to each of three's flags that has changed since it was read. */
  readFlags(top: ObjectRecord): void {
    for (const record of this.#hierarchy.subtree(top.object)) {
      const flag = hasStaticFlag(record.object);
      if (flag !== record.has(FLAGGED)) this.mark(record, flag, true);
    }
  }

  /** Puts the static objects at and below an object, with all their descendants, on the list of the next walk. */
  list(top: ObjectRecord): void {
    if (top.parent !== null) this.listNew(top.parent);
    for (const record of this.#hierarchy.subtree(top.object)) {
      if (!holdsUpwards(record, (above) => above.isStatic)) continue;
      // Objects that may move are listed behind their ancestors.
      this.#motion.addAgain(record);
      if (record.isStatic) this.#todo.add(record, LISTED);
    }
  }

  /**
   * Puts a new object on the list of the walk, behind its new static ancestors. The walk visits no other new static
   * objects: their matrices are made after the walk, so none of their state has to be kept.
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

  /** Lists a static root when an object above it moved, as a walk over the root's descendants does not notice that. */
  listIfParentMoved(top: ObjectRecord): void {
    const above = top.object.parent?.matrixWorld ?? IDENTITY;
    if (above.equals(this.#above)) return;
    this.#above.copy(above);
    if (top.isStatic) this.list(top);
  }

  /** Touches the static children of an object that moved in the walk. */
  touchChildren({ object }: ObjectRecord): void {
    for (const child of object.children) {
      const below = this.#hierarchy.records.get(child);
      if (!below?.isStatic) continue;
      this.#todo.add(below, TOUCHED | LISTED);
      // The matrices are made now, as moving objects below, and objects that depend on them, come later in the walk.
      for (const record of this.#hierarchy.subtree(child)) if (record.walkIndex < 0) this.#motion.refresh(record);
    }
  }

  /** Lists the objects whose matrices were left as they were, as the next walk makes matrices. */
  relist(): void {
    const left = this.#todo.having(LEFT);
    for (const record of left) if (record.parent?.has(LEFT) !== true) this.list(record);
    for (const record of left) record.set(LEFT, false);
  }

  /** Takes static objects off the list after the walk; with `asIs` notes that all listed matrices were left alone. */
  unlist(asIs: boolean): void {
    this.#todo.each(LISTED, (record) => {
      if (record.isStatic) this.#motion.remove(record);
      if (asIs) this.#todo.add(record, LEFT);
    });
  }
}

/** True for a new object that the walk is not to visit so far. */
function isUnlisted(record: ObjectRecord | null): boolean {
  return record !== null && record.walkIndex < 0 && record.has(NEW);
}

const IDENTITY = new Matrix4();
