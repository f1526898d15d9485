import type { Object3D } from 'three';
import { isAtHome, type ObjectRecord } from '../objects/ObjectRecord.js';
import type { RecordTable } from '../objects/RecordTable.js';

/**
 * The order in which three visits objects, for renderers that do not sort draws, and for hits at the same distance.
 *
 * The order is remembered from one traversal of the whole scene, and checked for the records in question: while each of
 * them, and each ancestor, has the same index among its siblings, their order is the same. So sorting children by hand,
 * which fires no event, is noticed as well.
 */
export class WalkOrder {
  readonly #records: RecordTable;
  readonly #root: Object3D;
  /** Records in three's order, and for each the index of its object among its siblings. */
  #walk: ObjectRecord[] = [];
  #childIndices: number[] = [];

  constructor(root: Object3D, records: RecordTable) {
    this.#root = root;
    this.#records = records;
  }

  /** Forgets the order, which holds records, once an object has gone. */
  forget(): void {
    if (this.#walk.length === 0) return;
    this.#walk = [];
    this.#childIndices = [];
  }

  /** All records in the order in which three visits them now. */
  all(): readonly ObjectRecord[] {
    this.#walkAll();
    return this.#walk;
  }

  sort(records: ObjectRecord[]): void {
    this.assignOrder(records);
    records.sort((a, b) => a.order - b.order);
  }

  /** Makes the `order` of each given record valid. */
  assignOrder(records: readonly ObjectRecord[]): void {
    if (!this.#isValid(records)) this.#walkAll();
  }

  #isValid(records: readonly ObjectRecord[]): boolean {
    const checked = new Set<ObjectRecord>();
    for (const record of records) {
      for (let r: ObjectRecord | null = record; r !== null && !checked.has(r); r = r.parent) {
        if (this.#walk[r.order] !== r) return false;
        if (r.parent !== null && r.parent.object.children[this.#childIndices[r.order]] !== r.object) return false;
        checked.add(r);
      }
    }
    return true;
  }

  #walkAll(): void {
    this.#walk = [];
    this.#childIndices = [];
    // Added objects that are not below the root come behind the root and its descendants.
    const stack: Object3D[] = [];
    for (const { object, parent } of this.#records.all()) if (parent === null) stack.push(object);
    stack.push(this.#root);
    const indices = stack.map(() => 0);
    const parents: (ObjectRecord | null)[] = stack.map(() => null);
    for (let object = stack.pop(); object !== undefined; object = stack.pop()) {
      const index = indices.pop() as number;
      const parent = parents.pop();
      const record = this.#records.get(object);
      if (record === undefined || this.#walk[record.order] === record) continue;
      // An object listed by two parents comes after the parent that it is followed below.
      if (record.parent !== parent && isAtHome(record)) continue;
      record.order = this.#walk.length;
      this.#walk.push(record);
      this.#childIndices.push(index);
      const { children } = object;
      for (let i = children.length - 1; i >= 0; i--) {
        stack.push(children[i]);
        indices.push(i);
        parents.push(record);
      }
    }
  }
}

interface Records {
  recordOf(object: Object3D | null): ObjectRecord | undefined;
}

/**
 * Below zero when three visits `a` first, above zero when three visits `b` first. Compares a few objects without
 * traversing the scene; both are followed, or children of followed objects.
 */
export function compareVisits(records: Records, a: Object3D, b: Object3D): number {
  const left = pathTo(a, records);
  const right = pathTo(b, records);
  let depth = 0;
  while (depth < left.length && left[depth] === right[depth]) depth++;
  // A parent comes before its descendants.
  if (depth === 0 || depth === left.length || depth === right.length) return left.length - right.length;
  const { children } = left[depth - 1];
  return children.indexOf(left[depth]) - children.indexOf(right[depth]);
}

/** An object and its ancestors, from the top. */
function pathTo(object: Object3D, records: Records): Object3D[] {
  const path: Object3D[] = [];
  for (let o: Object3D | null = object; o !== null; ) {
    const record = records.recordOf(o);
    path.push(record?.object ?? o);
    o = record === undefined ? o.parent : (record.parent?.object ?? null);
  }
  return path.reverse();
}
