import { Object3D } from 'three';
import { LastSeen } from './LastSeen.js';
import type { Tracked } from './Tracked.js';

/**
 * The objects that may move, parents before children, with what is needed to see which of them did.
 *
 * A pass does what `Object3D.updateMatrixWorld` does, but composes only matrices whose position, quaternion or scale
 * changed. Where three makes both matrices from these alone, and neither they nor the parent changed, the object is
 * known to be where it was; in all other cases its world matrix is compared.
 */
export class Motion {
  #list: (Tracked | null)[] = [];
  readonly #seen = new LastSeen();
  #gone = 0;
  #pass = 0;
  /** The last pass was ended by an exception, so that some objects were not told that their parents moved. */
  #interrupted = false;
  /** Somebody has changed a world matrix by hand, from which those below were made. */
  #isSuspicious = false;

  /** Number of objects on the list. */
  get size(): number {
    return this.#list.length - this.#gone;
  }

  /** Makes room for so many more objects at once. */
  reserve(count: number): void {
    this.#seen.reserve(this.#list.length + count);
  }

  /** Adds an object behind all others; its parent must have come before, or be at rest. */
  add(record: Tracked): void {
    this.remove(record);
    record.slot = this.#list.length;
    this.#list.push(record);
    this.#seen.add(record);
  }

  /** Takes an object off the list. */
  remove(record: Tracked): void {
    if (record.slot < 0) return;
    this.#list[record.slot] = null;
    this.#seen.remove(record.slot);
    record.slot = -1;
    this.#gone++;
  }

  /**
   * Updates the matrices of all objects, and calls `look`, with whether its world matrix changed, for each that is not
   * seen to be as it was in the last pass.
   */
  run(look: (record: Tracked, moved: boolean) => void): void {
    this.#isSuspicious = false;
    this.#runOnce(look, false);
    if (this.#isSuspicious) this.#runOnce(look, true);
  }

  #runOnce(look: (record: Tracked, moved: boolean) => void, isSuspicious: boolean): void {
    if (this.#gone > this.#list.length >> 1) this.#compact();
    const list = this.#list;
    const seen = this.#seen;
    const pass = ++this.#pass;
    const all = this.#interrupted;
    this.#interrupted = true;
    const isCareful = seen.shared.look() || all;
    seen.begin(pass, isSuspicious);
    for (let slot = 0; slot < list.length; slot++) {
      if (!isCareful && seen.isStill(slot, pass)) continue;
      const record = list[slot];
      if (record === null) continue;
      look(record, this.#follow(record, all));
      if (record.slot >= 0) seen.keepThings(record);
    }
    this.#interrupted = false;
  }

  /** True when something else has changed the world matrix of an object since the last pass. */
  isStrayed(record: Tracked): boolean {
    return record.slot >= 0 && this.#seen.hasMoved(record);
  }

  /** Updates the matrices of one object whose parent's are up to date, whether it changed or not. */
  refresh(record: Tracked): void {
    if (record.isStatic && record.parent?.managed) this.#updateFrom(record.parent);
    record.changed = this.#pass;
    updateMatrices(record, true, false);
    if (record.slot >= 0) this.#seen.keepMatrices(record);
  }

  /** Has who takes care of a managed object at rest do so, once in a pass, as nobody else calls it. */
  #updateFrom(managed: Tracked): void {
    let top = managed;
    while (top.parent?.managed) top = top.parent;
    if (!top.isStatic || top.changed === this.#pass) return;
    top.changed = this.#pass;
    updateMatrices(top, true, false);
  }

  clear(): void {
    for (const record of this.#list) if (record) record.slot = -1;
    this.#list = [];
    this.#seen.clear();
    this.#gone = 0;
  }

  /** Updates the matrices of an object; true when its world matrix changed. With `all`, as if its parent had moved. */
  #follow(record: Tracked, all: boolean): boolean {
    const { object, parent } = record;
    const composed = this.#seen.isComposed(record.slot, object);
    // Of what is above the root nobody tells whether it moved, or is there no longer.
    const parentMoved = all || parent === null || parent.changed === this.#pass;
    if (composed && !parentMoved && parent !== null && !parent.managed && isMadeByThree(object, parent.object))
      return false;
    // The matrix may have been made by others, of what the object was for a moment, and what is below it by that.
    const strayed = !composed && this.#seen.hasMoved(record);
    if (strayed && parent !== null && this.isStrayed(parent)) this.#isSuspicious = true;
    const { managed } = record;
    updateMatrices(record, parentMoved, composed);
    const moved = this.#seen.hasMoved(record);
    if (moved || strayed) record.changed = this.#pass;
    if (moved || !composed || record.managed !== managed) this.#seen.keepMatrices(record);
    return moved;
  }

  #compact(): void {
    let n = 0;
    for (const record of this.#list) {
      if (record === null) continue;
      this.#seen.move(record.slot, n);
      record.slot = n;
      this.#list[n++] = record;
    }
    this.#list.length = n;
    this.#seen.truncate(n);
    this.#gone = 0;
  }
}

/** What `Object3D.updateMatrixWorld` does for the object alone. `composed`: the local matrix is known to be right. */
function updateMatrices(record: Tracked, parentMoved: boolean, composed: boolean): void {
  const { object, parent } = record;
  const isNested = parent !== null && isAccelerated(object);
  record.managed = isNested || hasOwnUpdate(object) || parent?.managed === true;
  if (parent?.managed) return;
  if (isNested) {
    object.updateMatrixWorld(parentMoved);
    return;
  }
  if (hasOwnUpdate(object)) {
    (standIns.get(object.updateMatrixWorld) ?? object.updateMatrixWorld).call(object, parentMoved);
    return;
  }
  if (object.matrixAutoUpdate && !composed) object.updateMatrix();
  if (!object.matrixWorldNeedsUpdate && !parentMoved) return;
  if (object.matrixWorldAutoUpdate) {
    if (object.parent === null) object.matrixWorld.copy(object.matrix);
    else object.matrixWorld.multiplyMatrices(object.parent.matrixWorld, object.matrix);
  }
  object.matrixWorldNeedsUpdate = false;
}

/** True when an update by three would make both matrices anew from what the object and its parent hold. */
function isMadeByThree(object: Object3D, parent: Object3D): boolean {
  return (
    object.matrixAutoUpdate &&
    object.matrixWorldAutoUpdate &&
    !object.matrixWorldNeedsUpdate &&
    object.parent === parent &&
    !hasOwnUpdate(object) &&
    !isAccelerated(object)
  );
}

/** Methods that were put in the place of an object's `updateMatrixWorld`, with what was there before. */
export const standIns: WeakMap<Object3D['updateMatrixWorld'], Object3D['updateMatrixWorld']> = new WeakMap();

/** True for a root of an index that is updated with the root's matrices, and takes care of all that is below. */
function isAccelerated(object: Object3D): boolean {
  return standIns.has(object.updateMatrixWorld);
}

/** Cameras, skinned meshes and objects of the user's may do more than the plain method, for all that is below them. */
export function hasOwnUpdate(object: Object3D): boolean {
  return (
    object.updateMatrixWorld !== Object3D.prototype.updateMatrixWorld &&
    standIns.get(object.updateMatrixWorld) !== Object3D.prototype.updateMatrixWorld
  );
}
