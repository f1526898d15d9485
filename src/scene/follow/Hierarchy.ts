import type { Object3D } from 'three';
import { type ChildEvent, ChildListeners } from '../../three/ChildListeners.js';
import type { Flags } from '../../three/kinds.js';
import { describe } from '../objects/checks.js';
import {
  FLAGGED,
  hasLeft,
  hasStaticFlag,
  holdsUpwards,
  isSame,
  ObjectRecord,
  PARENT,
  rawOf,
  SPRITE,
  STATIC,
} from '../objects/ObjectRecord.js';
import { RecordTable } from '../objects/RecordTable.js';
import { WalkOrder } from './WalkOrder.js';

interface HierarchyEvents {
  /** An object is followed from now on; parents come before children, in three's order. */
  followed(record: ObjectRecord): void;
  /** A traversal followed the last `count` objects, and may have failed; `only` is the object if it is just one. */
  tracked(count: number, only: Object3D | null): void;
  /** An object is no longer followed; called before the calls for its descendants. */
  untracked(record: ObjectRecord): void;
  /** A followed object gets its first children; called once. The children need not be followed. */
  childAdded(parent: ObjectRecord): void;
  /** A child came to a followed object (1) or left it (-1), by an event; NaN when other children may have changed. */
  childCounted(parent: ObjectRecord, more: number): void;
  /** All children of a followed object are known, however they came; not called after an exception. */
  reconciled(parent: ObjectRecord): void;
}

/**
 * Follows which objects are in a scene. three fires the events of children added and removed at their direct parent
 * only, so every object below the root gets listeners. All traversals are loops, as scenes may be very deep.
 *
 * Objects are followed where `children` lists them, as three visits them there. Events and callers may name a proxy of
 * a followed object, or the object behind a followed proxy: {@link recordOf} finds the record by either.
 */
export class Hierarchy {
  readonly root: Object3D;
  readonly records: RecordTable = new RecordTable();
  /** Objects that change without events, so every update examines them: past and present parents, sprites, skinned. */
  readonly watched: Set<ObjectRecord> = new Set();
  /** Unfollowed objects with followed parents: objects removed by the user, and the library's own helpers. */
  readonly #excluded = new Set<Object3D>();
  /** The static marks, true or false, of objects that are not followed yet; null until there is one. */
  #marked: WeakMap<Object3D, boolean> | null = null;
  /** Objects that cannot be followed and have been warned about. */
  readonly #warned = new WeakSet<Object3D>();
  readonly #events: HierarchyEvents;
  /** The order in which three visits the followed objects. */
  readonly walkOrder: WalkOrder;

  constructor(root: Object3D, events: HierarchyEvents) {
    this.root = root;
    this.walkOrder = new WalkOrder(root, this.records);
    this.#events = events;
  }

  /**
   * Follows an object and all its descendants; objects that are followed already only get their new parent. Objects
   * that are not extensible cannot get listeners: they are left out with their descendants, and a warning says so.
   * @throws TypeError if `top` itself is new and not extensible, RangeError for an object that lies below itself; after
   * an exception no further object is followed.
   */
  track(top: Object3D): void {
    const parent = this.#parentOf(top);
    const found = parent === null ? rawOf(top) : this.#excluded.has(top) ? top : childOf(parent.object, top);
    if (!this.records.has(found) && !Object.isExtensible(found)) throw new TypeError(`SceneIndex: ${deafness(found)}`);
    this.#track(found, parent);
  }

  /** The record of an object. An object with our listener but no record is a proxy, or the object behind a proxy. */
  recordOf(object: Object3D | null | undefined): ObjectRecord | undefined {
    if (!object) return undefined;
    const record = this.records.get(object);
    if (record !== undefined || !this.#listeners.areOn(object)) return record;
    return this.records.getByProxy(object);
  }

  /** Marks an object that is not followed yet as static, or not. */
  markBefore(object: Object3D, isStatic: boolean): void {
    this.#marked ??= new WeakMap();
    this.#marked.set(rawOf(object), isStatic);
  }

  /** Stops following an object and its descendants; false when the object was not followed. */
  untrack(top: Object3D): boolean {
    if (!this.records.has(top)) return false;
    this.walkOrder.forget();
    const gone = this.subtree(top);
    for (const below of gone) {
      if (this.#excluded.size > 0) for (const child of below.object.children) this.#excluded.delete(child);
      this.#drop(below);
    }
    // Children that were removed by hand earlier are still followed.
    for (const above of gone) {
      if (above.followed === 0) continue;
      for (const { object, parent } of this.records.all()) if (parent === above) this.untrack(object);
    }
    this.#exclude(top);
    return true;
  }

  /** Takes in changes made by hand to an object's parent or children. `children` decides, as three visits children. */
  reconcile(record: ObjectRecord): void {
    const { object, parent } = record;
    if (this.records.get(object) !== record) return;
    if (parent !== null && hasLeft(record)) {
      // Another child may have come in the object's place.
      this.#events.childCounted(parent, Number.NaN);
      this.#followAway(object);
      return;
    }
    const children = new Set(object.children);
    const gone: Object3D[] = [];
    let here = 0;
    for (const child of children) if (this.records.get(child)?.parent === record) here++;
    for (const other of here < record.followed ? this.records.all() : []) {
      if (other.parent === record && !children.has(other.object)) gone.push(other.object);
    }
    for (const child of gone) this.#followAway(child);
    for (const child of children) {
      if (!this.#excluded.has(child) && this.#isTakenBy(record, child)) this.#track(child, record);
    }
    this.#events.reconciled(record);
  }

  /**
   * True for a child that is to be followed below a parent, and is not yet. A child listed by two parents stays below
   * its own `parent` if that is one of the two, else below the parent found first.
   */
  #isTakenBy(parent: ObjectRecord, child: Object3D): boolean {
    const known = this.records.get(child);
    if (known === undefined || known.parent === null) return true;
    if (known.parent === parent) return false;
    // The traversal refuses an object that lies below itself.
    const isAbove = holdsUpwards(parent, (over) => over === known);
    return isAbove || isSame(child.parent, parent.object) || !known.parent.object.children.includes(child);
  }

  /** The topmost objects of the scene that are not followed; their descendants are not followed either. */
  get excluded(): ReadonlySet<Object3D> {
    if (this.#excluded.size === 0) return this.#excluded;
    // Some of these objects may have been removed by hand, without an event.
    for (const object of this.#excluded) if (this.#parentOf(object) === null) this.#excluded.delete(object);
    return this.#excluded;
  }

  /**
   * The record whose entry stands for an object; null for none. Null too if a part's LOD has gone: parts removed from a
   * LOD by hand, without an event, are followed until the next update.
   */
  entryOf(record: ObjectRecord): ObjectRecord | null {
    if (!record.isPart) return record.isEntry ? record : null;
    const aggregate = record.aggregate as ObjectRecord;
    return this.records.get(aggregate.object) === aggregate ? aggregate : null;
  }

  /** The records of an object and its descendants, each once, parents before children, in three's order. */
  subtree(top: Object3D): Iterable<ObjectRecord> {
    const first = this.records.get(top);
    if (first === undefined) return [];
    if (top.children.length === 0) return [first];
    const found = new Set<ObjectRecord>();
    const stack = [top];
    while (stack.length > 0) {
      const record = this.records.get(stack.pop());
      if (record === undefined || found.has(record)) continue;
      found.add(record);
      const { children } = record.object;
      for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]);
    }
    return found;
  }

  dispose(): void {
    for (const { object } of this.records.all()) this.#listeners.remove(object);
    this.records.clear();
    this.watched.clear();
    this.walkOrder.forget();
    this.#excluded.clear();
  }

  #parentOf({ parent }: Object3D): ObjectRecord | null {
    return this.recordOf(parent) ?? null;
  }

  /** Stops following an object that has left its parent's children; follows it below the parent that lists it now. */
  #followAway(object: Object3D): void {
    this.untrack(object);
    this.#excluded.delete(object);
    const parent = this.#parentOf(object);
    if (parent?.object.children.includes(object)) this.#track(object, parent);
  }

  /** @param parent The record of the object whose `children` list `top`. */
  #track(top: Object3D, parent: ObjectRecord | null): void {
    const followed: ObjectRecord[] = [];
    try {
      this.#followAll(top, parent, followed);
      this.#events.tracked(followed.length, followed.length === 1 ? followed[0].object : null);
    } catch (error) {
      this.#events.tracked(followed.length, null);
      this.#unfollow(top, followed);
      throw error;
    }
  }

  /** @param followed Gets the records that are made. */
  #followAll(top: Object3D, above: ObjectRecord | null, followed: ObjectRecord[]): void {
    /** Objects met that were followed before; most traversals meet none. */
    let visited: Set<Object3D> | null = null;
    /** Objects that stay static: they had been added without a parent, or lay below such an object, and get one now. */
    let wereStatic: Set<Object3D> | null = null;
    if (above !== null) this.#noteParent(above);
    const stack = [top];
    const parents = [above];
    while (stack.length > 0) {
      const object = stack.pop() as Object3D;
      const parent = parents.pop() as ObjectRecord | null;
      // Children that were set by hand may be anything.
      if ((object as Flags | null)?.isObject3D !== true) continue;
      let record = this.records.get(object);
      const isHelper = (object as Flags).isSceneIndexHelper === true;
      if (isHelper || (record === undefined && !Object.isExtensible(object))) {
        if (!isHelper) this.#warnOf(object);
        this.#exclude(object);
        continue;
      }
      if (record !== undefined) {
        if (holdsUpwards(parent, (over) => over === record)) {
          throw new RangeError(`SceneIndex: ${describe(object)} is a descendant of itself`);
        }
        visited ??= new Set();
        if (visited.has(object)) continue;
        visited.add(object);
        if (record.parent !== parent && object !== this.root) {
          wereStatic ??= new Set();
          this.#leaveOldParent(record, wereStatic);
          record = undefined;
        }
      }
      if (this.#excluded.size > 0) this.#excluded.delete(object);
      record ??= this.#follow(object, parent, wereStatic?.has(object) === true, followed);
      // Children may have been put there by hand, without an event.
      if (object.children.length > 0) this.#noteParent(record);
      for (let i = object.children.length - 1; i >= 0; i--) {
        stack.push(object.children[i]);
        parents.push(record);
      }
    }
  }

  /** Stops following an object with a new parent, and its descendants: their records depend on the parent. */
  #leaveOldParent({ object, parent }: ObjectRecord, wereStatic: Set<Object3D>): void {
    if (parent === null) {
      for (const below of this.subtree(object)) if (below.isStatic) wereStatic.add(below.object);
    } else this.#events.childCounted(parent, Number.NaN);
    this.untrack(object);
  }

  /** Warns once about an object that cannot get listeners. */
  #warnOf(object: Object3D): void {
    if (!this.#warned.has(object)) console.warn(`SceneIndex: ${deafness(object)}; it is left out with its descendants`);
    this.#warned.add(object);
  }

  #unfollow(top: Object3D, followed: readonly ObjectRecord[]): void {
    if (followed.length > 0) this.walkOrder.forget();
    for (const record of followed) if (this.records.get(record.object) === record) this.#drop(record);
    if (!this.records.has(top)) this.#exclude(top);
  }

  #drop(record: ObjectRecord): void {
    const { object, parent } = record;
    if (parent) parent.inheritance.followed--;
    if (record.isStatic && parent && !parent.isStatic) parent.inheritance.staticChildren--;
    this.records.delete(record);
    this.watched.delete(record);
    this.#listeners.remove(object);
    this.#events.untracked(record);
  }

  /** Excludes an object whose parent is followed. */
  #exclude(object: Object3D): void {
    if (object !== this.root && this.#parentOf(object) !== null) this.#excluded.add(object);
  }

  #follow(object: Object3D, parent: ObjectRecord | null, isStatic: boolean, followed: ObjectRecord[]): ObjectRecord {
    const record = new ObjectRecord(object, parent);
    const wanted = this.#marked?.get(rawOf(object));
    const hasFlag = hasStaticFlag(object);
    if (hasFlag) record.bits |= FLAGGED;
    if (record.has(SPRITE)) this.watched.add(record);
    record.set(STATIC, wanted ?? (isStatic || hasFlag || parent?.isStatic === true));
    if (wanted !== undefined) this.#marked?.delete(rawOf(object));
    if (parent) parent.inheritance.followed++;
    if (record.isStatic && parent && !parent.isStatic) parent.inheritance.staticChildren++;
    this.records.add(record);
    followed.push(record);
    this.#listeners.add(object);
    this.#events.followed(record);
    return record;
  }

  #noteParent(record: ObjectRecord): void {
    if (record.has(PARENT)) return;
    // Keeps the set in the order in which objects became parents.
    this.watched.delete(record);
    this.watched.add(record);
    this.#events.childAdded(record);
  }

  readonly #listeners = new ChildListeners(
    (event: ChildEvent): void => {
      const parent = this.recordOf(event.target);
      if (parent !== undefined) this.#events.childCounted(parent, 1);
      const child = parent === undefined ? event.child : childOf(parent.object, event.child);
      this.#track(child, parent ?? null);
    },
    (event: ChildEvent): void => {
      const parent = this.recordOf(event.target);
      // A proxy of the parent may have replaced other children as well: objects by their proxies, or the reverse.
      if (parent !== undefined) this.#events.childCounted(parent, parent.object === event.target ? -1 : Number.NaN);
      // By the time of the event the child may have a new parent, by `attach` or by hand.
      const child = this.recordOf(event.child);
      if (child !== undefined && child.parent === parent) this.untrack(child.object);
      else if (this.#parentOf(event.child) === null) this.#excluded.delete(event.child);
    },
  );
}

/** The child that is the named object, a proxy of it, or the object behind it. The newest child usually stands last. */
function childOf({ children }: Object3D, named: Object3D): Object3D {
  const last = children[children.length - 1];
  if (isSame(last, named)) return last;
  return (children.includes(named) ? named : children.find((child) => isSame(child, named))) ?? named;
}

/** The reason why an object that is not extensible cannot be followed. */
function deafness(object: Object3D): string {
  return `${describe(object)} is not extensible, so it cannot be listened to`;
}
