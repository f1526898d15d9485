import type { Object3D } from 'three';
import { type Flags, type Inheritance, isAggregate, maskOf, type ObjectRecord } from '../objects/ObjectRecord.js';

/** How a walk from the top gets below an object: not, in a group that renderers always walk, in a LOD, or freely. */
export const HIDDEN = 0;
const IN_GROUP = 1;
export const IN_LOD = 2;
export const OPEN = 3;

/** Shared by all, as each marks the same records with its rounds. */
let rounds = 0;

/**
 * What objects inherit from their ancestors: whether all above them is visible, which kind of aggregate stands for them,
 * and, in a pass, their group order and the listed ancestor that covers them. Layers of what is above do not matter.
 *
 * Each parent is resolved once per round. Getters of objects may begin other rounds in between, which overwrite answers:
 * those are then found again.
 */
export class InheritedState {
  readonly #root: Object3D | null;
  readonly #path: ObjectRecord[] = [];
  #round = 0;
  /** Even. An object's `passMark` equals it when the object is nominated in this pass, and is one more when listed. */
  #pass = 0;
  /** Null outside of passes. */
  #mask: number | null = null;

  /**
   * @param root Where a renderer has come: it counts as reached, and nothing else at the top does. Null for queries: all
   * that is above counts, and aggregates do not.
   */
  constructor(root: Object3D | null) {
    this.#root = root;
  }

  /** Begins a round: answers of earlier ones no longer count. */
  begin(): void {
    this.#round = ++rounds;
  }

  beginPass({ mask }: { readonly mask: number }): void {
    this.begin();
    this.#pass += 2;
    this.#mask = mask;
  }

  /** Marks an object to be listed if the pass reaches it. All are nominated before anything is resolved. */
  nominate(record: ObjectRecord): void {
    if (record.passMark < this.#pass) record.passMark = this.#pass;
  }

  isNominated(record: ObjectRecord): boolean {
    return record.passMark === this.#pass;
  }

  enlist(record: ObjectRecord): void {
    record.passMark = this.#pass + 1;
  }

  isListed(record: ObjectRecord): boolean {
    return record.passMark === this.#pass + 1;
  }

  /** True when the renderer draws the object once it reaches it: an aggregate's layers do not hide its parts. */
  isDrawn({ object }: ObjectRecord): boolean {
    return object.visible && (isAggregate(object) || (maskOf(object) & (this.#mask as number)) !== 0);
  }

  /** How a walk gets below a record now, in a round of its own: code of the page may have run since the last. */
  findReach(record: ObjectRecord | null): number {
    this.begin();
    return record === null ? HIDDEN : this.resolve(record).reach;
  }

  /** What counts for the children of a record in this round: `reach` and, in a pass, `groupOrder` and `coveredBy`. */
  resolve(record: ObjectRecord): Inheritance {
    const round = this.#round;
    const { inheritance } = record;
    if (inheritance.round !== round) this.#resolvePath(record, round);
    return inheritance;
  }

  #resolvePath(record: ObjectRecord, round: number): void {
    const path = this.#path;
    const start = path.length;
    let known: ObjectRecord | null = record;
    for (; known !== null && known.inheritance.round !== round; known = known.parent) path.push(known);
    try {
      this.#handDown(known, start, round);
    } finally {
      // A getter threw.
      if (path.length > start) path.length = start;
    }
  }

  /** Resolves what the path holds from a place on, with what is known of the object above that. */
  #handDown(known: ObjectRecord | null, start: number, round: number): void {
    const root = this.#root;
    const mask = this.#mask;
    const path = this.#path;
    let reach = known === null ? this.#reachOfTop(path[path.length - 1].object) : known.inheritance.reach;
    let order = known === null ? 0 : known.inheritance.groupOrder;
    let cover = known === null ? null : known.inheritance.coveredBy;
    while (path.length > start) {
      const r = path.pop() as ObjectRecord;
      const { object } = r;
      if (object !== root) {
        const mayCover = mask !== null && cover === null && reach === OPEN && r.passMark >= this.#pass;
        if (mayCover && this.isDrawn(r)) cover = r;
        if (reach !== HIDDEN && !object.visible) reach = HIDDEN;
        // Parts of an aggregate are reached through the topmost one.
        if (reach === OPEN && root !== null && isAggregate(object)) reach = (object as Flags).isLOD ? IN_LOD : IN_GROUP;
        if (mask !== null && (object as Flags).isGroup && (maskOf(object) & mask) !== 0) order = object.renderOrder;
      }
      const { inheritance } = r;
      inheritance.round = round;
      inheritance.reach = reach;
      if (mask === null) continue;
      inheritance.groupOrder = order;
      inheritance.coveredBy = cover;
    }
  }

  #reachOfTop(top: Object3D): number {
    return (this.#root === null ? isVisible(top.parent) : top === this.#root) ? OPEN : HIDDEN;
  }
}

/** True when an object and all above it are visible. */
export function isVisible(object: Object3D | null): boolean {
  for (let o = object; o !== null; o = o.parent) if (!o.visible) return false;
  return true;
}
