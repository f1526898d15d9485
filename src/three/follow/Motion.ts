import { Object3D } from 'three';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import type { Hierarchy } from './Hierarchy.js';
import { TransformCache } from './TransformCache.js';

/** Up to so many objects are put in order whenever they are not. */
const SHORT = 256;

/** Told of an object that is not seen to be as it was, with whether its world matrix changed. */
type Look = (record: ObjectRecord, moved: boolean) => void;

/**
 * The objects that may move, parents before children, with what is needed to see which of them did.
 *
 * A pass does for each what `Object3D.updateMatrixWorld` does, but for those of which it would make the same matrices as
 * they have. Where a matrix may depend on more than what is above its object, as one that is another object's world
 * matrix does, it depends on the order of three's walk. So the list is put in that order while there are such objects; but
 * that children changed places by hand is noticed in short lists only.
 */
export class Motion {
  #list: (ObjectRecord | null)[] = [];
  readonly #cache = new TransformCache();
  readonly #tracker: Hierarchy;
  #gone = 0;
  #pass = 0;
  /** Slots that the last pass came by. */
  #end = 0;
  /** The last pass was ended by an exception, so that some objects were not told that their parents moved. */
  #interrupted = false;
  /** Whether the list is in the order of the walk, and whether that may matter. */
  #isOrdered = true;
  #orderMatters = false;

  constructor(tracker: Hierarchy) {
    this.#tracker = tracker;
  }

  /** Number of objects on the list. */
  get size(): number {
    return this.#list.length - this.#gone;
  }

  /** Adds an object behind all others; its parent must have come before, or be at rest. The next pass looks at it. */
  add(record: ObjectRecord): void {
    this.remove(record);
    record.slot = this.#list.length;
    this.#list.push(record);
    this.#cache.add(record);
    this.#isOrdered &&= isLastOfWalk(record.object, this.#tracker.root);
    this.#orderMatters ||= this.#dependsOnOrder(record.object);
  }

  /** Takes an object off the list. */
  remove(record: ObjectRecord): void {
    if (record.slot < 0) return;
    this.#list[record.slot] = null;
    this.#cache.remove(record.slot);
    record.slot = -1;
    this.#gone++;
  }

  /** An object got a child, or lost one, and told so. */
  countChildren(record: ObjectRecord, more: number): void {
    if (record.slot >= 0) this.#cache.countChildren(record.slot, more);
  }

  /** True when nobody gave an object on the list children, or took some, by hand since this was asked last. */
  hasToldChildren(record: ObjectRecord): boolean {
    return record.slot < 0 || this.#cache.hasToldChildren(record.slot, record.object);
  }

  /**
   * Updates the matrices of all objects, and calls `look` for each that is not seen to be as it was in the last pass.
   * @param force Whether the root's matrix is to be made anew whatever its flags say.
   */
  run(look: Look, force: boolean): void {
    if (this.#isToBeOrdered()) this.#arrange(this.#tracker.walkOrder.all());
    else if (this.#gone > this.#list.length >> 1) this.#arrange(this.#list);
    this.#orderMatters = false;
    const list = this.#list;
    const cache = this.#cache;
    const pass = ++this.#pass;
    cache.geometries.look();
    const isCareful = cache.classes.look() || this.#interrupted;
    const all = this.#interrupted;
    this.#interrupted = true;
    for (let slot = 0; slot < list.length; slot++) {
      if (!isCareful) slot = cache.seek(slot, list.length, pass);
      if (slot === list.length) break;
      const record = list[slot];
      if (record === null) continue;
      look(record, this.#follow(record, all || (force && record.object === this.#tracker.root)));
      if (record.slot >= 0) cache.keepThings(record);
    }
    this.#interrupted = false;
    this.#end = list.length;
  }

  /** True when the last pass came by an object. */
  hasRun({ slot }: ObjectRecord): boolean {
    return slot >= 0 && slot < this.#end;
  }

  /** True when something else has changed the world matrix of an object since the last pass. */
  isStrayed(record: ObjectRecord): boolean {
    return record.slot >= 0 && this.#cache.differs(record.slot, record.object);
  }

  /** Updates the matrices of one object behind the pass; its parent's are up to date. */
  refresh(record: ObjectRecord): void {
    record.changed = this.#pass;
    this.#update(record, false);
    if (record.slot >= 0) this.#cache.keepMatrices(record);
  }

  clear(): void {
    for (const record of this.#list) if (record) record.slot = -1;
    this.#list = [];
    this.#cache.clear();
    this.#gone = 0;
  }

  /** Updates the matrices of an object; true when its world matrix is not the one it had after the last pass. */
  #follow(record: ObjectRecord, force: boolean): boolean {
    const { object, slot, parent } = record;
    // It was taken away by hand: three does not come by.
    if (parent !== null && object.parent !== parent.object && !parent.object.children.includes(object)) return true;
    this.#orderMatters ||= this.#dependsOnOrder(object);
    // What others made of it for a moment went to what is at rest below it as well.
    const strayed = record.staticChildren > 0 && this.#cache.differs(slot, object);
    this.#update(record, force);
    // A method of the user's may have taken it off the list.
    if (record.slot !== slot) return true;
    const moved = strayed || this.#cache.differs(slot, object);
    if (moved) record.changed = this.#pass;
    this.#cache.keepMatrices(record);
    return moved;
  }

  /** What `Object3D.updateMatrixWorld` does for the object alone. */
  #update(record: ObjectRecord, force: boolean): void {
    const { object, parent } = record;
    // Read first, as what it throws must leave the object as it is.
    const above = object.parent;
    const update = this.#updateOf(object);
    const isOwn = update !== Object3D.prototype.updateMatrixWorld;
    const isManaged = parent !== null && isTakenCareOf(parent);
    record.managed = isOwn || isManaged;
    if (isManaged) return;
    // Of what is above an object from elsewhere nobody tells whether it moved.
    const isForced = force || (parent === null ? object !== this.#tracker.root : this.#forces(parent));
    if (isOwn) {
      update.call(object, isForced);
      return;
    }
    if (object.matrixAutoUpdate) object.updateMatrix();
    if (!object.matrixWorldNeedsUpdate && !isForced) return;
    if (object.matrixWorldAutoUpdate) {
      if (above === null) object.matrixWorld.copy(object.matrix);
      else object.matrixWorld.multiplyMatrices(above.matrixWorld, object.matrix);
    }
    object.matrixWorldNeedsUpdate = false;
    record.forcedIn = this.#pass;
  }

  /** True when three has the children of an object make their world matrices anew in this pass, whatever their flags. */
  #forces(record: ObjectRecord): boolean {
    for (let r: ObjectRecord | null = record; r !== null; r = r.parent) {
      if (r.object.matrixAutoUpdate || r.forcedIn === this.#pass) return true;
      // One that may move was asked itself in this pass.
      if (r.slot >= 0) return false;
    }
    return false;
  }

  /** True when an object may get other matrices if other objects, that are not above it, are updated after it. */
  #dependsOnOrder(object: Object3D & { isCamera?: boolean; isSkinnedMesh?: boolean }): boolean {
    // Its matrix may be another object's.
    if (!object.matrixAutoUpdate) return true;
    if (this.#updateOf(object) === Object3D.prototype.updateMatrixWorld) return false;
    const isPlain = (object.isCamera || object.isSkinnedMesh) && !Object.hasOwn(object, 'updateMatrixWorld');
    return !isPlain;
  }

  /** The method by which three updates an object, and all below it. The root's may have been replaced by one of ours. */
  #updateOf(object: Object3D): Object3D['updateMatrixWorld'] {
    const { updateMatrixWorld } = object;
    return (object === this.#tracker.root ? replacedUpdates.get(updateMatrixWorld) : undefined) ?? updateMatrixWorld;
  }

  /**
   * True when the list is not in the order of the walk and that may matter. Of a short list it always may: what an object
   * depends on is only known when the pass comes by.
   */
  #isToBeOrdered(): boolean {
    const isShort = this.size <= SHORT;
    if (!this.#isOrdered) return isShort || this.#orderMatters;
    return isShort && this.#orderMatters && this.#hasMovedSiblings();
  }

  /** True when children were put in another order by hand. */
  #hasMovedSiblings(): boolean {
    const { parents, records } = this.#tracker;
    for (const { object } of parents) {
      let last = -1;
      for (const child of object.children) {
        const slot = records.get(child)?.slot ?? -1;
        if (slot >= 0 && slot < last) return true;
        if (slot >= 0) last = slot;
      }
    }
    return false;
  }

  /** Puts those that are on the list in the order given; those it leaves out come behind, as they were. */
  #arrange(order: readonly (ObjectRecord | null)[]): void {
    const list: ObjectRecord[] = [];
    const slots: number[] = [];
    for (const record of [...order, ...this.#list]) {
      if (record === null || record.slot < 0) continue;
      list.push(record);
      slots.push(record.slot);
      record.slot = -1;
    }
    this.#cache.arrange(slots);
    list.forEach((record, slot) => {
      record.slot = slot;
    });
    this.#isOrdered ||= order !== this.#list;
    this.#list = list;
    this.#gone = 0;
  }
}

/** Methods that were put in the place of an object's `updateMatrixWorld`, with what was there before. */
export const replacedUpdates: WeakMap<Object3D['updateMatrixWorld'], Object3D['updateMatrixWorld']> = new WeakMap();

/** True when what lies below an object is updated by a method of its own, or of one above it. One at rest does nothing. */
function isTakenCareOf(record: ObjectRecord): boolean {
  if (!record.managed) return false;
  let manager = record;
  while (manager.parent?.managed) manager = manager.parent;
  return manager.slot >= 0;
}

/** True when three's walk from the root visits nothing behind an object. */
function isLastOfWalk(object: Object3D, root: Object3D): boolean {
  if (object.children.length > 0) return false;
  for (let o: Object3D | null = object; o !== root; o = o.parent) {
    if (o === null || o.parent === null || o.parent.children[o.parent.children.length - 1] !== o) return false;
  }
  return true;
}
