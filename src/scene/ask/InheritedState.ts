import type { Object3D } from 'three';
import { type Flags, isAggregate } from '../../three/kinds.js';
import type { Inheritance, ObjectRecord } from '../objects/ObjectRecord.js';

/** Reach of a traversal below an object: none, in a clipping or bundle group, which renderers always visit, in a LOD, or free. */
export const HIDDEN = 0;
const IN_GROUP = 1;
export const IN_LOD = 2;
export const OPEN = 3;

/** Shared by all instances, as each marks the same records with its rounds. */
let rounds = 0;

/**
 * The state that objects inherit from their ancestors: whether all are visible, and which kind of aggregate contains
 * the object. Layers of ancestors do not matter. Each parent is resolved once per round. Getters may begin other rounds
 * in between: answers overwritten by these are found again.
 */
export class InheritedState {
  protected readonly root: Object3D | null;
  readonly #path: ObjectRecord[] = [];
  #round = ++rounds;

  /** @param root The only top that counts as reached. Null for queries: ancestors of tops count, aggregates do not. */
  constructor(root: Object3D | null) {
    this.root = root;
  }

  /** Begins a round, in which answers of earlier rounds no longer count. */
  beginRound(): void {
    this.#round = ++rounds;
  }

  /** Reach of a traversal below a record now, in a new round: code of the page may have run since the last round. */
  findReach(record: ObjectRecord | null): number {
    this.beginRound();
    return record === null ? HIDDEN : this.resolve(record).reach;
  }

  /** The inheritance of a record's children in this round. */
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
    const { root } = this;
    const round = this.#round;
    const path = this.#path;
    let known: ObjectRecord | null = record;
    for (; known !== null && known.inheritance.round !== round; known = known.parent) path.push(known);
    let reach = known === null ? this.#reachOfTop(path[path.length - 1].object) : known.inheritance.reach;
    while (path.length > start) {
      const r = path.pop() as ObjectRecord;
      const { object } = r;
      const above = reach;
      if (object !== root) {
        if (reach !== HIDDEN && !object.visible) reach = HIDDEN;
        // Parts of an aggregate are reached through the topmost one.
        if (root !== null && reach === OPEN && isAggregate(object)) reach = (object as Flags).isLOD ? IN_LOD : IN_GROUP;
      }
      this.handDown(r, above);
      const { inheritance } = r;
      inheritance.round = round;
      inheritance.reach = reach;
    }
  }

  /** Called for each resolved record after its parent, with the `reach` of the parent. */
  protected handDown(_record: ObjectRecord, _above: number): void {}

  #reachOfTop(top: Object3D): number {
    return (this.root === null ? isVisible(top.parent) : top === this.root) ? OPEN : HIDDEN;
  }
}

/** True when an object and all its ancestors are visible. */
export function isVisible(object: Object3D | null): boolean {
  for (let o = object; o !== null; o = o.parent) if (!o.visible) return false;
  return true;
}
