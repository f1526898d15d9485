import { Object3D } from 'three';
import { nextLook, resumeLook } from '../facts/looks.js';
import { hasLeft, MANAGED, NEW, type ObjectRecord } from '../objects/ObjectRecord.js';
import type { Hierarchy } from './Hierarchy.js';
import { LastLooks, LONGEST } from './LastLook.js';

/** Up to this length the list is put in order whenever it is not. */
const SHORT = 256;

/** What a pass calls for the objects that are not known to be as they were in the last one. */
export interface Visitor {
  /** Nothing but the world matrix of an object changed, and with it its bounds; unless `isTurned`, only the position. */
  moved(record: ObjectRecord, isTurned: boolean): void;
  /** Anything may have changed; `moved` says whether the world matrix did. */
  examine(record: ObjectRecord, moved: boolean): void;
}

/**
 * The objects that may move, parents before children, and the pass that updates their matrices.
 *
 * A pass does for each object what `Object3D.updateMatrixWorld` does, but skips those that would get the matrices they
 * have. A matrix may depend on more than what is above its object, as one does that is shared with another object; then
 * it depends on the order of three's walk. So the list is kept in that order while there are such objects; children
 * that changed places by hand are noticed in short lists only.
 */
export class Motion {
  /** How many changes of world matrices there have been. */
  changes = 0;
  #list: (ObjectRecord | null)[] = [];
  readonly #last = new LastLooks();
  readonly #hierarchy: Hierarchy;
  /** Number of the last pass. */
  #pass = 0;
  /** The first pass whose changes count: the one behind the last that made matrices. */
  #since = 0;
  /** Whether it left all matrices as they were. */
  #asIs = false;
  /** Number of empty places in the list. */
  #gone = 0;
  /** Slots that the last pass visited. */
  #end = 0;
  /** The last pass ended with an exception, so some objects do not know that their parents moved. */
  #interrupted = false;
  /** Whether the list is in the order of the walk, and whether that may matter. */
  #isOrdered = true;
  #orderMatters = false;
  /** Within a method of an object, which may be the page's own: what it throws is no fault of the index. */
  isInMethod = false;

  constructor(hierarchy: Hierarchy) {
    this.#hierarchy = hierarchy;
  }

  /** Number of objects on the list. */
  get size(): number {
    return this.#list.length - this.#gone;
  }

  /** True when the last pass met an object that may have changed the matrix of another, wherever that is. */
  get mayHaveChangedOthers(): boolean {
    return this.#orderMatters;
  }

  /** Adds a new object behind all others; its parent must be listed before it, or be static. The next pass examines it. */
  add(record: ObjectRecord): void {
    record.slot = this.#list.push(record) - 1;
    this.#last.add(record);
    this.#orderMatters ||= this.dependsOnOrder(record.object);
  }

  /** Adds an object that may be on the list by now. */
  addAgain(record: ObjectRecord): void {
    // Children that came to it by hand stay unknown.
    const unknown = this.unknownChildren(record);
    this.remove(record);
    this.add(record);
    if (unknown !== 0) this.countChildren(record, -unknown);
    this.#isOrdered &&= isLastOfWalk(record.object, this.#hierarchy.root);
  }

  /** Takes account of a walk in which the last so many objects were added. The place of a single one in the order is looked up. */
  noteWalk(count: number, only: Object3D | null): void {
    if (count === this.#list.length) this.#isOrdered = true;
    else if (count > 0) this.#isOrdered &&= only !== null && isLastOfWalk(only, this.#hierarchy.root);
  }

  /** Takes an object off the list. */
  remove(record: ObjectRecord): void {
    if (record.slot < 0) return;
    this.#list[record.slot] = null;
    this.#last.at(record.slot).remove(record.slot);
    record.slot = -1;
    this.#gone++;
  }

  /** Takes account of an event: an object got a child, 1, or lost one, -1; with NaN its children count as unknown. */
  countChildren(record: ObjectRecord, more: number): void {
    if (record.slot >= 0) this.#last.at(record.slot).countChildren(record.slot, more);
  }

  /** By how many the number of an object's children differs from what is known; 0 while it is not on the list. */
  unknownChildren({ slot, object }: ObjectRecord): number {
    return slot < 0 ? 0 : object.children.length - this.#last.at(slot).knownChildren(slot);
  }

  /**
   * Updates the matrices of all objects, and visits those that are not known to be as they were in the last pass.
   * @param force Whether the root's matrix is made anew whatever its flags say.
   * @param asIs Whether all matrices are left as they are: then only what others wrote counts.
   */
  run(visitor: Visitor, force: boolean, asIs: boolean): void {
    if (this.#shouldBeOrdered()) this.#arrange(this.#hierarchy.walkOrder.all());
    this.#orderMatters = false;
    this.#pass++;
    // What has changed while matrices were left as they are counts until they are made.
    if (!this.#asIs) this.#since = this.#pass;
    this.#asIs = asIs;
    this.#last.geometries.findChanged();
    const all = this.#interrupted;
    this.#interrupted = true;
    if (all) for (let slot = 0; slot < this.#list.length; slot++) this.#visit(slot, visitor, force, true);
    else this.#visitChanged(visitor, force);
    this.#interrupted = false;
    this.#end = this.#list.length;
  }

  /** Visits the objects that are not known to be unchanged. */
  #visitChanged(visitor: Visitor, force: boolean): void {
    const list = this.#list;
    const last = this.#last;
    // What is found holds until another object than a plain one without children is visited: the root always is. Where
    // that is frequent, few are looked at ahead.
    let ahead = 1;
    const known = Math.min(this.#end, list.length);
    for (let from = 0; from < known; from = last.foundTo) {
      const count = last.at(from).list(from, Math.min(from + ahead, known), this.#since, this.#asIs);
      ahead = Math.min(2 * ahead, LONGEST);
      for (let i = 0; i < count; i++) {
        const slot = last.found[i];
        if (slot >= 0) {
          this.#move(list[slot], visitor);
          continue;
        }
        this.#visit(~slot, visitor, force, false);
        last.foundTo = ~slot + 1;
        ahead = 1;
        break;
      }
    }
    // Of those that came since the last pass nothing is known yet.
    for (let slot = known; slot < list.length; slot++) this.#visit(slot, visitor, force, false);
  }

  #visit(slot: number, visitor: Visitor, force: boolean, all: boolean): void {
    const record = this.#list[slot];
    if (record === null) return;
    visitor.examine(record, this.#update(record, all || (force && record.object === this.#hierarchy.root)));
    // What is new is kept once it is known.
    if (!record.has(NEW)) this.keep(record);
  }

  /** Keeps everything but the matrices of an object as it is now. */
  keep(record: ObjectRecord): void {
    if (record.slot >= 0) this.#last.at(record.slot).snapshotRefs(record);
  }

  /** True when the place of so many new objects in the order of the walk may matter. */
  mayOrderMatter(count: number): boolean {
    return this.#orderMatters || this.size + count <= SHORT;
  }

  /** True when the last pass visited an object. */
  hasRun({ slot }: ObjectRecord): boolean {
    return slot >= 0 && slot < this.#end;
  }

  /** True when something else has changed the world matrix of an object since the last pass. */
  worldChanged(record: ObjectRecord): boolean {
    return record.slot >= 0 && this.#last.at(record.slot).worldChanged(record.slot, record.object);
  }

  /** True when an object may have other traits than it had when {@link keep}, or the last pass, saw it. */
  hasOtherTraits({ slot, object }: ObjectRecord): boolean {
    return slot < 0 || this.#last.at(slot).hasOtherTraits(slot, object);
  }

  /** Closes the gaps of the list once most of its places are empty. */
  tidy(): void {
    if (this.#gone > this.#list.length >> 1) this.#arrange(this.#list);
  }

  /** Updates the matrices of one object outside the pass; its parent's are up to date. */
  refresh(record: ObjectRecord): void {
    record.changed = this.#pass;
    this.changes++;
    this.isInMethod = true;
    this.#updateAlone(record, false);
    this.isInMethod = false;
    if (record.slot >= 0) this.#last.at(record.slot).snapshotTransforms(record, this.#asIs);
  }

  /** True when three makes the world matrices of an object's children anew in, and after, the last pass, whatever their flags. */
  forces(record: ObjectRecord): boolean {
    for (let r: ObjectRecord | null = record; r !== null; r = r.parent) {
      if (r.object.matrixAutoUpdate || r.forcedIn === this.#pass) return true;
      // An object that may move was updated itself in this pass.
      if (r.slot >= 0) return false;
    }
    return false;
  }

  clear(): void {
    for (const record of this.#list) if (record) record.slot = -1;
    this.#list = [];
    this.#last.clear();
    this.#gone = 0;
  }

  /**
   * Does what {@link #update} does, for a plain object of which nothing but the matrices may have changed. Written out,
   * as this is what an update costs where many things move.
   */
  #move(record: ObjectRecord | null, visitor: Visitor): void {
    // A getter that ran since it was found may have taken it off the list.
    if (record === null) return;
    const { object } = record;
    object.updateMatrix();
    object.matrixWorld.multiplyMatrices((record.parent as ObjectRecord).object.matrixWorld, object.matrix);
    object.matrixWorldNeedsUpdate = false;
    this.changes++;
    record.changed = this.#pass;
    visitor.moved(record, this.#last.at(record.slot).keepMoved(record.slot, object, this.#since));
  }

  /** Updates the matrices of an object; true when its world matrix is not the one it had after the last pass. */
  #update(record: ObjectRecord, force: boolean): boolean {
    const { object, slot } = record;
    if (hasLeft(record)) return true;
    this.#orderMatters ||= this.dependsOnOrder(object);
    // A matrix that others wrote since the last pass may have gone to what is static below as well.
    const wasMoved = record.staticChildren > 0 && this.#last.at(slot).worldChanged(slot, object);
    this.isInMethod = true;
    this.#updateAlone(record, force);
    this.isInMethod = false;
    // An own `updateMatrixWorld` may have taken the object off the list.
    if (record.slot !== slot) return true;
    if (!this.#last.at(record.slot).snapshotTransforms(record, this.#asIs) && !wasMoved) return false;
    record.changed = this.#pass;
    this.changes++;
    return true;
  }

  /** What `Object3D.updateMatrixWorld` does for the object alone. */
  #updateAlone(record: ObjectRecord, force: boolean): void {
    if (this.#asIs) return;
    const { object, parent } = record;
    // Read first, as a getter that throws must leave the object as it is.
    const above = object.parent;
    const update = this.#updateOf(object);
    const isOwn = update !== Object3D.prototype.updateMatrixWorld;
    const isManaged = parent !== null && isManagedBy(parent);
    record.set(MANAGED, isOwn || isManaged);
    if (isManaged) return;
    // Nothing reports movement above an object that was added from elsewhere, so assume it happened.
    const isForced = force || (parent === null ? object !== this.#hierarchy.root : this.forces(parent));
    if (isOwn) {
      // It may change what was compared before, and ask about it.
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
    // Of what has none below nobody asks.
    if (!object.matrixAutoUpdate && object.children.length > 0) record.inheritance.forcedIn = this.#pass;
  }

  /** True when an object may get other matrices if other objects, that are not above it, are updated after it. */
  dependsOnOrder(object: Object3D & { isCamera?: boolean; isSkinnedMesh?: boolean }): boolean {
    // Its matrix may be another object's.
    if (!object.matrixAutoUpdate) return true;
    if (this.#updateOf(object) === Object3D.prototype.updateMatrixWorld) return false;
    return !(object.isCamera || object.isSkinnedMesh) || Object.hasOwn(object, 'updateMatrixWorld');
  }

  /** The method by which three updates an object; only the root's may have been replaced by one of ours. */
  #updateOf(object: Object3D): Update {
    return object === this.#hierarchy.root ? updateOf(object) : object.updateMatrixWorld;
  }

  /**
   * True when the list is not in the order of the walk and that may matter. In a short list it always may: what an
   * object depends on is only known when the pass visits it.
   */
  #shouldBeOrdered(): boolean {
    // A single object has its order, and finding it out takes a walk over the whole scene.
    const isShort = this.size > 1 && this.size <= SHORT;
    if (!this.#isOrdered) return isShort || this.#orderMatters;
    return isShort && this.#orderMatters && this.#hasMovedSiblings();
  }

  /** True when children were put in another order by hand. */
  #hasMovedSiblings(): boolean {
    const { watched, records } = this.#hierarchy;
    for (const { object } of watched) {
      let last = -1;
      for (const child of object.children) {
        const slot = records.get(child)?.slot ?? -1;
        if (slot >= 0 && slot < last) return true;
        if (slot >= 0) last = slot;
      }
    }
    return false;
  }

  /** Puts the list in the order given; records that the order lacks come behind, as they were. */
  #arrange(order: readonly (ObjectRecord | null)[]): void {
    const list: ObjectRecord[] = [];
    const slots: number[] = [];
    for (const record of order === this.#list ? order : [...order, ...this.#list]) {
      if (record === null || record.slot < 0) continue;
      list.push(record);
      slots.push(record.slot);
      record.slot = -1;
    }
    this.#last.arrange(slots);
    list.forEach((record, slot) => {
      record.slot = slot;
    });
    this.#isOrdered ||= order !== this.#list;
    this.#list = list;
    this.#gone = 0;
  }
}

/** True when three's walk from the root visits nothing behind an object. */
function isLastOfWalk(object: Object3D, root: Object3D): boolean {
  if (object.children.length > 0) return false;
  for (let o: Object3D | null = object; o !== root; o = o.parent) {
    if (o === null || o.parent === null || o.parent.children[o.parent.children.length - 1] !== o) return false;
  }
  return true;
}

/** True when an object, or one above it, updates all below it by a method of its own. A static object does nothing. */
function isManagedBy(record: ObjectRecord): boolean {
  if (!record.has(MANAGED)) return false;
  let manager = record;
  while (manager.parent?.has(MANAGED)) manager = manager.parent;
  return manager.slot >= 0;
}

type Update = Object3D['updateMatrixWorld'];

/** Our methods in the place of an object's `updateMatrixWorld`, with what was there before. */
export const replacedUpdates: WeakMap<Update, Update> = new WeakMap();

/** The `updateMatrixWorld` of an object, as if nothing of ours had been put in its place. */
export function updateOf({ updateMatrixWorld }: Object3D): Update {
  return replacedUpdates.get(updateMatrixWorld) ?? updateMatrixWorld;
}
