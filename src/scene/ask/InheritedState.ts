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
 * What objects inherit from their ancestors: whether all above is visible, which kind of aggregate stands for them, and in
 * a pass their group order and the listed ancestor that covers them. Layers of what is above do not matter. Each parent
 * is resolved once per round. Getters may begin other rounds in between: answers that these overwrite are found again.
 */
export class InheritedState {
  readonly #root: Object3D | null;
  readonly #path: ObjectRecord[] = [];
  #round = ++rounds;
  /** Even. An object's `passMark` equals it when the object is nominated in this pass, and is one more when listed. */
  #pass = 0;
  /** Null outside of passes. */
  #mask: number | null = null;

  /** @param root It counts as reached, and no other top does. Null for queries: all above counts, aggregates do not. */
  constructor(root: Object3D | null) {
    this.#root = root;
  }

  /** Begins a round, where answers of earlier ones no longer count; that of a pass has its layers. */
  begin(layers: { readonly mask: number } | null = null): void {
    this.#round = ++rounds;
    this.#pass += 2;
    this.#mask = layers?.mask ?? null;
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
    const { inheritance } = record;
    if (inheritance.round === this.#round) return inheritance;
    const { length } = this.#path;
    try {
      this.#resolveFrom(record, length);
    } finally {
      // A getter threw.
      if (this.#path.length > length) this.#path.length = length;
    }
    return inheritance;
  }

  #resolveFrom(record: ObjectRecord, start: number): void {
    const root = this.#root;
    const round = this.#round;
    const mask = this.#mask;
    const path = this.#path;
    let known: ObjectRecord | null = record;
    for (; known !== null && known.inheritance.round !== round; known = known.parent) path.push(known);
    let reach = known === null ? this.#reachOfTop(path[path.length - 1].object) : known.inheritance.reach;
    let order = known === null ? 0 : known.inheritance.groupOrder;
    let cover = known === null ? null : known.inheritance.coveredBy;
    while (path.length > start) {
      const r = path.pop() as ObjectRecord;
      const { object } = r;
      if (object !== root) {
        if (mask !== null) {
          if (cover === null && reach === OPEN && r.passMark >= this.#pass && this.isDrawn(r)) cover = r;
          if ((object as Flags).isGroup && (maskOf(object) & mask) !== 0) order = object.renderOrder;
        }
        if (reach !== HIDDEN && !object.visible) reach = HIDDEN;
        // Parts of an aggregate are reached through the topmost one.
        if (root !== null && reach === OPEN && isAggregate(object)) reach = (object as Flags).isLOD ? IN_LOD : IN_GROUP;
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
