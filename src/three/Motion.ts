import { Object3D } from 'three';
import { grow } from '../core/grow.js';
import type { Tracked } from './Tracked.js';

/** Numbers kept of each object: position, quaternion and scale; and its world matrix. */
const LOCAL = 10;
const WORLD = 16;

/**
 * The objects that may move, parents before children, with what is needed to see which of them did.
 *
 * A pass does what `Object3D.updateMatrixWorld` does, but composes only matrices whose position, quaternion or scale
 * changed. Where three makes both matrices from these alone, and neither they nor the parent changed, the object is
 * known to be where it was; in all other cases its world matrix is compared.
 */
export class Motion {
  #list: (Tracked | null)[] = [];
  #local = new Float64Array(LOCAL * 64);
  #world = new Float64Array(WORLD * 64);
  #gone = 0;
  #pass = 0;
  /** The last pass was ended by an exception, so that some objects were not told that their parents moved. */
  #interrupted = false;

  /** Number of objects on the list. */
  get size(): number {
    return this.#list.length - this.#gone;
  }

  /** Adds an object behind all others; its parent must have come before, or be at rest. */
  add(record: Tracked): void {
    this.remove(record);
    record.slot = this.#list.length;
    this.#list.push(record);
    if (this.#local.length < LOCAL * this.#list.length) {
      this.#local = grow(this.#local, 0);
      this.#world = grow(this.#world, 0);
    }
    this.#keep(record);
  }

  /** Takes an object off the list. */
  remove(record: Tracked): void {
    if (record.slot < 0) return;
    this.#list[record.slot] = null;
    record.slot = -1;
    this.#gone++;
  }

  /** Updates the matrices of all objects, and calls `look` for each, with whether its world matrix changed. */
  run(look: (record: Tracked, moved: boolean) => void): void {
    if (this.#gone > this.#list.length >> 1) this.#compact();
    this.#pass++;
    const all = this.#interrupted;
    this.#interrupted = true;
    for (const record of this.#list) if (record !== null) look(record, this.#follow(record, all));
    this.#interrupted = false;
  }

  /** Updates the matrices of one object whose parent's are up to date, whether it changed or not. */
  refresh(record: Tracked): void {
    record.changed = this.#pass;
    updateMatrices(record, true, false);
    if (record.slot >= 0) this.#keep(record);
  }

  clear(): void {
    for (const record of this.#list) if (record) record.slot = -1;
    this.#list = [];
    this.#gone = 0;
  }

  /** Updates the matrices of an object; true when its world matrix changed. With `all`, as if its parent had moved. */
  #follow(record: Tracked, all: boolean): boolean {
    const { object, parent } = record;
    const composed = this.#isComposed(record);
    // Of what is above the root nobody tells whether it moved.
    const parentMoved = all || (parent === null ? object.parent !== null : parent.changed === this.#pass);
    if (composed && !parentMoved && parent !== null && !parent.managed && isMadeByThree(object, parent.object))
      return false;
    updateMatrices(record, parentMoved, composed);
    const moved = this.#hasMoved(record);
    if (moved) record.changed = this.#pass;
    if (moved || !composed) this.#keep(record);
    return moved;
  }

  /** True when the local matrix is composed of the position, quaternion and scale that the object has now. */
  #isComposed(record: Tracked): boolean {
    const local = this.#local;
    const o = LOCAL * record.slot;
    const { position: p, quaternion: q, scale: s, pivot } = record.object;
    // biome-ignore format: aligned lines show the symmetry
    return p.x === local[o] && p.y === local[o + 1] && p.z === local[o + 2]
        && q.x === local[o + 3] && q.y === local[o + 4] && q.z === local[o + 5] && q.w === local[o + 6]
        && s.x === local[o + 7] && s.y === local[o + 8] && s.z === local[o + 9] && !pivot;
  }

  /** True when the world matrix differs from the one kept; one with NaN in it always does. */
  #hasMoved(record: Tracked): boolean {
    const world = this.#world;
    const o = WORLD * record.slot;
    const { elements } = record.object.matrixWorld;
    for (let i = 0; i < WORLD; i++) if (elements[i] !== world[o + i]) return true;
    return false;
  }

  #keep(record: Tracked): void {
    const local = this.#local;
    const o = LOCAL * record.slot;
    const { position: p, quaternion: q, scale: s, matrixWorld, matrixAutoUpdate, pivot } = record.object;
    this.#world.set(matrixWorld.elements, WORLD * record.slot);
    local[o] = p.x;
    local[o + 1] = p.y;
    local[o + 2] = p.z;
    local[o + 3] = q.x;
    local[o + 4] = q.y;
    local[o + 5] = q.z;
    local[o + 6] = q.w;
    local[o + 7] = s.x;
    local[o + 8] = s.y;
    local[o + 9] = s.z;
    // A matrix that is made of anything else is not known to be right next time.
    if (!matrixAutoUpdate || pivot || record.managed) local[o] = Number.NaN;
  }

  #compact(): void {
    let n = 0;
    for (const record of this.#list) {
      if (record === null) continue;
      this.#local.copyWithin(LOCAL * n, LOCAL * record.slot, LOCAL * record.slot + LOCAL);
      this.#world.copyWithin(WORLD * n, WORLD * record.slot, WORLD * record.slot + WORLD);
      record.slot = n;
      this.#list[n++] = record;
    }
    this.#list.length = n;
    this.#gone = 0;
  }
}

/** What `Object3D.updateMatrixWorld` does for the object alone. `composed`: the local matrix is known to be right. */
function updateMatrices(record: Tracked, parentMoved: boolean, composed: boolean): void {
  const { object, parent } = record;
  record.managed = hasOwnUpdate(object) || parent?.managed === true;
  if (parent?.managed) return;
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
    !hasOwnUpdate(object)
  );
}

/** Methods that were put in the place of an object's `updateMatrixWorld`, with what was there before. */
export const standIns: WeakMap<Object3D['updateMatrixWorld'], Object3D['updateMatrixWorld']> = new WeakMap();

/** Cameras, skinned meshes and objects of the user's may do more than the plain method, for all that is below them. */
export function hasOwnUpdate(object: Object3D): boolean {
  return (
    object.updateMatrixWorld !== Object3D.prototype.updateMatrixWorld &&
    standIns.get(object.updateMatrixWorld) !== Object3D.prototype.updateMatrixWorld
  );
}
