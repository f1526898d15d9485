import type { Object3D } from 'three';
import { type Flags, isAggregate } from '../../three/kinds.js';
import type { Inheritance, ObjectRecord } from '../objects/ObjectRecord.js';

/** How far a traversal gets below an object: not at all; in a clipping or bundle group; in a LOD; or everywhere. */
export const HIDDEN = 0;
const IN_GROUP = 1;
export const IN_LOD = 2;
export const OPEN = 3;

/** Number of rounds so far. All instances of the class count them together, as they write them to the same records. */
let rounds = 0;

/**
 * The state that objects inherit from their ancestors: whether all are visible, and which kind of aggregate contains
 * the object. Layers of ancestors do not matter. A round lasts from one call of `beginRound` to the next, and resolves
 * each parent once. Getters may begin rounds of other instances meanwhile: answers overwritten then are found again.
 */
export class InheritedState {
  protected readonly root: Object3D | null;
  readonly #path: ObjectRecord[] = [];
  #round = ++rounds;

  /** @param root The object at which passes begin. With null, for queries, LODs and groups do not limit a traversal. */
  constructor(root: Object3D | null) {
    this.root = root;
  }

  /** Begins a round: answers of earlier rounds no longer count. */
  beginRound(): void {
    this.#round = ++rounds;
  }

  /** How far a traversal gets below a record (HIDDEN to OPEN), found anew, as the page's code may have changed it. */
  findReach(record: ObjectRecord | null): number {
    this.beginRound();
    return record === null ? HIDDEN : this.resolve(record).reach;
  }

  /** The state that a record hands down to its children, in the present round. */
  resolve(record: ObjectRecord): Inheritance {
    const { inheritance } = record;
    if (inheritance.round === this.#round) return inheritance;
    const { length } = this.#path;
    try {
      this.#resolveFrom(record, length);
    } finally {
      // A getter threw: drops the rest of its path.
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
        // Aggregates within an aggregate change nothing: the topmost one decides.
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
