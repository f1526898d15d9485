import { Object3D } from 'three';
import { nextLook, resumeLook } from '../facts/looks.js';
import { hasLeft, MANAGED, NEW, type ObjectRecord } from '../objects/ObjectRecord.js';
import type { Hierarchy } from './Hierarchy.js';
import { LastLooks, MOST_FOUND } from './LastLook.js';

/** A list of at most this many objects is put in three's order before a walk, whether or not the order may matter. */
const SHORT_LIST = 256;

/** Receives the objects that are not known to be unchanged since the last walk. */
export interface Visitor {
  /** Only an object's world matrix and bounds changed; unless `isTurned`, only the position in the matrix. */
  moved(record: ObjectRecord, isTurned: boolean): void;
  /** Any property of the object may have changed; `moved` says whether the world matrix did. */
  examine(record: ObjectRecord, moved: boolean): void;
}

/**
 * The objects that may move, parents before children, and the walk over them.
 *
 * A walk does the work of `Object3D.updateMatrixWorld` for each object, but skips objects whose matrices would stay the
 * same. A matrix may depend on more than the object's ancestors, as a matrix shared with another object does; then it
 * depends on the order in which three updates objects. So the list is kept in that order while there are such matrices.
 * Children that were reordered by hand are noticed in short lists only.
 */
export class Motion {
  /** Number of changes of world matrices so far. */
  changes = 0;
  #list: (ObjectRecord | null)[] = [];
  readonly #last = new LastLooks();
  readonly #hierarchy: Hierarchy;
  #walk = 0;
  /** Matrices changed in walks from this number on are news: the first walk after the last one that made matrices. */
  #since = 0;
  /** Whether the last walk left all matrices as they were. */
  #asIs = false;
  /** Number of empty elements in the list. */
  #gone = 0;
  /** Number of list elements that the last walk visited. */
  #end = 0;
  /** The last walk ended with an exception, so some objects do not know that their parents moved. */
  #interrupted = false;
  /** Whether the list is in three's order, and whether the order may matter. */
  #isOrdered = true;
  #orderMatters = false;
  /** True within a method of an object. It may be the page's own: its errors are no fault of the index. */
  isInMethod = false;

  constructor(hierarchy: Hierarchy) {
    this.#hierarchy = hierarchy;
  }

  /** Number of objects on the list. */
  get size(): number {
    return this.#list.length - this.#gone;
  }

  /** True when the last walk met an object that may have changed the matrix of another object anywhere. */
  get mayHaveChangedOthers(): boolean {
    return this.#orderMatters;
  }

  /** Adds a new object behind all others; its parent is listed before, or static. The next walk examines the object. */
  add(record: ObjectRecord): void {
    record.walkIndex = this.#list.push(record) - 1;
    this.#last.add(record);
    this.#orderMatters ||= this.dependsOnOrder(record.object);
  }

  /** Adds an object that may be on the list already. */
  addAgain(record: ObjectRecord): void {
    // Children that were added to the object by hand stay unknown.
    const unknown = this.unknownChildren(record);
    this.remove(record);
    this.add(record);
    if (unknown !== 0) this.countChildren(record, -unknown);
    this.#isOrdered &&= isLastOfWalk(record.object, this.#hierarchy.root);
  }

  /** Notes that a traversal added the last `count` objects. If it is one, its position in three's order is checked. */
  noteWalk(count: number, only: Object3D | null): void {
    if (count === this.#list.length) this.#isOrdered = true;
    else if (count > 0) this.#isOrdered &&= only !== null && isLastOfWalk(only, this.#hierarchy.root);
  }

  remove(record: ObjectRecord): void {
    if (record.walkIndex < 0) return;
    this.#list[record.walkIndex] = null;
    this.#last.at(record.walkIndex).remove(record.walkIndex);
    record.walkIndex = -1;
    this.#gone++;
  }

  /** Counts an event: an object got a child (1) or lost one (-1); with NaN its children count as unknown. */
  countChildren(record: ObjectRecord, more: number): void {
    if (record.walkIndex >= 0) this.#last.at(record.walkIndex).countChildren(record.walkIndex, more);
  }

  /** The number of an object's children minus the known number; 0 while the object is not on the list. */
  unknownChildren({ walkIndex, object }: ObjectRecord): number {
    return walkIndex < 0 ? 0 : object.children.length - this.#last.at(walkIndex).knownChildren(walkIndex);
  }

  /**
   * Updates the matrices of all objects, and visits the objects that are not known to be unchanged since the last walk.
   * @param force Whether the root's matrix is made anew whatever its flags say.
   * @param asIs Whether all matrices are left as they are: then only changes by other code count.
   */
  run(visitor: Visitor, force: boolean, asIs: boolean): void {
    if (this.#shouldBeOrdered()) this.#arrange(this.#hierarchy.walkOrder.all());
    this.#orderMatters = false;
    this.#walk++;
    // Changes of walks that left matrices as they were count until a walk makes matrices.
    if (!this.#asIs) this.#since = this.#walk;
    this.#asIs = asIs;
    this.#last.geometries.findChanged();
    const all = this.#interrupted;
    this.#interrupted = true;
    if (all)
      for (let walkIndex = 0; walkIndex < this.#list.length; walkIndex++) this.#visit(walkIndex, visitor, force, true);
    else this.#visitChanged(visitor, force);
    this.#interrupted = false;
    this.#end = this.#list.length;
  }

  /** Visits the objects that are not known to be unchanged. */
  #visitChanged(visitor: Visitor, force: boolean): void {
    const list = this.#list;
    const last = this.#last;
    // Results of the comparison hold until the walk visits an object that is not plain or has children, such as the
    // root. After each such visit the comparison looks one object ahead, then twice as many each time.
    let ahead = 1;
    const known = Math.min(this.#end, list.length);
    for (let from = 0; from < known; from = last.foundTo) {
      const count = last.at(from).list(from, Math.min(from + ahead, known), this.#since, this.#asIs);
      ahead = Math.min(2 * ahead, MOST_FOUND);
      for (let i = 0; i < count; i++) {
        const walkIndex = last.found[i];
        if (walkIndex >= 0) {
          this.#move(list[walkIndex], visitor);
          continue;
        }
        this.#visit(~walkIndex, visitor, force, false);
        last.foundTo = ~walkIndex + 1;
        ahead = 1;
        break;
      }
    }
    // Nothing is known yet of objects that came since the last walk.
    for (let walkIndex = known; walkIndex < list.length; walkIndex++) this.#visit(walkIndex, visitor, force, false);
  }

  #visit(walkIndex: number, visitor: Visitor, force: boolean, all: boolean): void {
    const record = this.#list[walkIndex];
    if (record === null) return;
    visitor.examine(record, this.#update(record, all || (force && record.object === this.#hierarchy.root)));
    // The state of a new object is kept once the object is measured.
    if (!record.has(NEW)) this.keep(record);
  }

  /** Keeps the present state of an object except its matrices. */
  keep(record: ObjectRecord): void {
    if (record.walkIndex >= 0) this.#last.at(record.walkIndex).snapshotRefs(record);
  }

  /** True when the position of `count` new objects in three's order may matter. */
  mayOrderMatter(count: number): boolean {
    return this.#orderMatters || this.size + count <= SHORT_LIST;
  }

  /** True when the last walk visited an object. */
  hasRun({ walkIndex }: ObjectRecord): boolean {
    return walkIndex >= 0 && walkIndex < this.#end;
  }

  /** True when other code has changed the world matrix of an object since the last walk. */
  worldChanged(record: ObjectRecord): boolean {
    return record.walkIndex >= 0 && this.#last.at(record.walkIndex).worldChanged(record.walkIndex, record.object);
  }

  /** True when an object's traits may have changed since {@link keep}, or the last walk, saw them. */
  hasOtherTraits({ walkIndex, object }: ObjectRecord): boolean {
    return walkIndex < 0 || this.#last.at(walkIndex).hasOtherTraits(walkIndex, object);
  }

  /** Closes the gaps of the list once most of its elements are empty. */
  tidy(): void {
    if (this.#gone > this.#list.length >> 1) this.#arrange(this.#list);
  }

  /** Updates the matrices of one object outside the walk; its parent's matrices are up to date. */
  refresh(record: ObjectRecord): void {
    record.changed = this.#walk;
    this.changes++;
    this.isInMethod = true;
    this.#updateAlone(record, false);
    this.isInMethod = false;
    if (record.walkIndex >= 0) this.#last.at(record.walkIndex).snapshotTransforms(record, this.#asIs);
  }

  /** True when three would make the world matrices of a record's children anew, whatever their flags say. */
  forces(record: ObjectRecord): boolean {
    for (let r: ObjectRecord | null = record; r !== null; r = r.parent) {
      if (r.object.matrixAutoUpdate || r.forcedIn === this.#walk) return true;
      // An object that may move was updated in this walk.
      if (r.walkIndex >= 0) return false;
    }
    return false;
  }

  clear(): void {
    for (const record of this.#list) if (record) record.walkIndex = -1;
    this.#list = [];
    this.#last.clear();
    this.#gone = 0;
  }

  /** Does {@link #update} for a plain object with new matrices at most; inlined, as most of a walk's time goes here. */
  #move(record: ObjectRecord | null, visitor: Visitor): void {
    // A getter that ran since the comparison may have taken the object off the list.
    if (record === null) return;
    const { object } = record;
    object.updateMatrix();
    object.matrixWorld.multiplyMatrices((record.parent as ObjectRecord).object.matrixWorld, object.matrix);
    object.matrixWorldNeedsUpdate = false;
    this.changes++;
    record.changed = this.#walk;
    visitor.moved(record, this.#last.at(record.walkIndex).keepMoved(record.walkIndex, object, this.#since));
  }

  /** Updates the matrices of an object; true when its world matrix has changed since the last walk, or may have. */
  #update(record: ObjectRecord, force: boolean): boolean {
    const { object, walkIndex } = record;
    if (hasLeft(record)) return true;
    this.#orderMatters ||= this.dependsOnOrder(object);
    // Other code that wrote the matrix since the last walk may have updated static descendants as well.
    const wasMoved = record.staticChildren > 0 && this.#last.at(walkIndex).worldChanged(walkIndex, object);
    this.isInMethod = true;
    this.#updateAlone(record, force);
    this.isInMethod = false;
    // An own `updateMatrixWorld` may have taken the object off the list.
    if (record.walkIndex !== walkIndex) return true;
    if (!this.#last.at(record.walkIndex).snapshotTransforms(record, this.#asIs) && !wasMoved) return false;
    record.changed = this.#walk;
    this.changes++;
    return true;
  }

  /** Does the same as `Object3D.updateMatrixWorld` for the object alone. */
  #updateAlone(record: ObjectRecord, force: boolean): void {
    if (this.#asIs) return;
    const { object, parent } = record;
    // The parent is read first, as a getter that throws must leave the object as it is.
    const above = object.parent;
    const update = this.#updateOf(object);
    const isOwn = update !== Object3D.prototype.updateMatrixWorld;
    const isManaged = parent !== null && isManagedBy(parent);
    record.set(MANAGED, isOwn || isManaged);
    if (isManaged) return;
    // No event reports movement above an added object that is not below the root, so assume it happened.
    const isForced = force || (parent === null ? object !== this.#hierarchy.root : this.forces(parent));
    if (isOwn) {
      // The method may change facts that were compared before, and query the index about them.
      resumeLook(0);
      update.call(object, isForced);
      resumeLook(nextLook());
      return;
    }
    if (object.matrixAutoUpdate) object.updateMatrix();
    if (!object.matrixWorldNeedsUpdate && !isForced) return;
    if (object.matrixWorldAutoUpdate) {
      if (above === null) object.matrixWorld.copy(object.matrix);
      else object.matrixWorld.multiplyMatrices(above.matrixWorld, object.matrix);
    }
    object.matrixWorldNeedsUpdate = false;
    // Objects without children are skipped: no other object depends on their flags.
    if (!object.matrixAutoUpdate && object.children.length > 0) record.inheritance.forcedIn = this.#walk;
  }

  /** True when an object's matrices may depend on being updated before or after objects that are not its ancestors. */
  dependsOnOrder(object: Object3D & { isCamera?: boolean; isSkinnedMesh?: boolean }): boolean {
    // The matrix may be shared with another object.
    if (!object.matrixAutoUpdate) return true;
    if (this.#updateOf(object) === Object3D.prototype.updateMatrixWorld) return false;
    return !(object.isCamera || object.isSkinnedMesh) || Object.hasOwn(object, 'updateMatrixWorld');
  }

  /** The method by which three updates an object; only the root's may have been replaced by the library. */
  #updateOf(object: Object3D): Update {
    return object === this.#hierarchy.root ? updateOf(object) : object.updateMatrixWorld;
  }

  /**
   * True when the list is not in three's order and the order may matter. In a short list it always may: the
   * dependencies of an object are only known when the walk visits it.
   */
  #shouldBeOrdered(): boolean {
    // A single object is always in order, and checking would take a traversal of the whole scene.
    const isShort = this.size > 1 && this.size <= SHORT_LIST;
    if (!this.#isOrdered) return isShort || this.#orderMatters;
    return isShort && this.#orderMatters && this.#hasMovedSiblings();
  }

  /** True when children were reordered by hand. */
  #hasMovedSiblings(): boolean {
    const { watched, records } = this.#hierarchy;
    for (const { object } of watched) {
      let last = -1;
      for (const child of object.children) {
        const walkIndex = records.get(child)?.walkIndex ?? -1;
        if (walkIndex >= 0 && walkIndex < last) return true;
        if (walkIndex >= 0) last = walkIndex;
      }
    }
    return false;
  }

  /** Puts the list in the given order; records missing from that order come behind, as they were. */
  #arrange(order: readonly (ObjectRecord | null)[]): void {
    const list: ObjectRecord[] = [];
    const indices: number[] = [];
    for (const record of order === this.#list ? order : [...order, ...this.#list]) {
      if (record === null || record.walkIndex < 0) continue;
      list.push(record);
      indices.push(record.walkIndex);
      record.walkIndex = -1;
    }
    this.#last.arrange(indices);
    list.forEach((record, walkIndex) => {
      record.walkIndex = walkIndex;
    });
    this.#isOrdered ||= order !== this.#list;
    this.#list = list;
    this.#gone = 0;
  }
}

/** True when three's traversal from the root visits no object after this one. */
function isLastOfWalk(object: Object3D, root: Object3D): boolean {
  if (object.children.length > 0) return false;
  for (let o: Object3D | null = object; o !== root; o = o.parent) {
    if (o === null || o.parent === null || o.parent.children[o.parent.children.length - 1] !== o) return false;
  }
  return true;
}

/** True when an object or its ancestor updates all descendants by an own method, which the walk calls: none static. */
function isManagedBy(record: ObjectRecord): boolean {
  if (!record.has(MANAGED)) return false;
  let manager = record;
  while (manager.parent?.has(MANAGED)) manager = manager.parent;
  return manager.walkIndex >= 0;
}

type Update = Object3D['updateMatrixWorld'];

/** The library's methods in place of an object's `updateMatrixWorld`, with the methods they replaced. */
export const replacedUpdates: WeakMap<Update, Update> = new WeakMap();

/** The `updateMatrixWorld` of an object, as if the library had not replaced it. */
export function updateOf({ updateMatrixWorld }: Object3D): Update {
  return replacedUpdates.get(updateMatrixWorld) ?? updateMatrixWorld;
}
