import { Object3D } from 'three';
import { grow } from '../core/grow.js';
import type { Tracked } from './Tracked.js';

/** Numbers kept of each moving object: its world matrix, position, quaternion and scale at the last update. */
const KEPT = 26;

/**
 * The objects that may move, parents before children, with what is needed to see which of them did.
 *
 * A pass does what `Object3D.updateMatrixWorld` does, but composes only matrices whose position, quaternion or scale
 * changed, and finds what moved on the way, by whatever means: it compares world matrices.
 */
export class Motion {
  #list: (Tracked | null)[] = [];
  #kept = new Float64Array(KEPT * 64);
  #gone = 0;
  #pass = 0;

  /** Number of objects on the list. */
  get size(): number {
    return this.#list.length - this.#gone;
  }

  /** Adds an object behind all others; its parent must have come before, or be at rest. */
  add(record: Tracked): void {
    this.remove(record);
    record.slot = this.#list.length;
    this.#list.push(record);
    if (this.#kept.length < KEPT * this.#list.length) this.#kept = grow(this.#kept, KEPT * this.#list.length);
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
    const list = this.#list;
    for (let i = 0; i < list.length; i++) {
      const record = list[i];
      if (record === null) continue;
      updateMatrices(record, record.parent !== null && record.parent.changed === this.#pass, this.#isComposed(record));
      const moved = this.#hasMoved(record);
      if (moved) record.changed = this.#pass;
      look(record, moved);
    }
  }

  /** Updates the matrices of one object whose parent's are up to date, whether it changed or not. */
  refresh(record: Tracked): void {
    record.changed = this.#pass;
    updateMatrices(record, true, false);
    if (record.slot >= 0) this.#keep(record);
  }

  /** True when the local matrix is composed of the position, quaternion and scale that the object has now. */
  #isComposed(record: Tracked): boolean {
    const kept = this.#kept;
    const o = KEPT * record.slot + 16;
    const { position: p, quaternion: q, scale: s } = record.object;
    // biome-ignore format: aligned lines show the symmetry
    return p.x === kept[o] && p.y === kept[o + 1] && p.z === kept[o + 2]
        && q.x === kept[o + 3] && q.y === kept[o + 4] && q.z === kept[o + 5] && q.w === kept[o + 6]
        && s.x === kept[o + 7] && s.y === kept[o + 8] && s.z === kept[o + 9]
        && !record.object.pivot;
  }

  /** True when the world matrix differs from the one kept; keeps it then. */
  #hasMoved(record: Tracked): boolean {
    const kept = this.#kept;
    const o = KEPT * record.slot;
    const { elements } = record.object.matrixWorld;
    let i = 0;
    // NaN differs from itself; Object.is would be right, but a matrix with NaN may as well count as moving.
    while (i < 16 && elements[i] === kept[o + i]) i++;
    if (i === 16) {
      if (!this.#isComposed(record)) this.#keep(record);
      return false;
    }
    this.#keep(record);
    return true;
  }

  #keep(record: Tracked): void {
    const kept = this.#kept;
    const o = KEPT * record.slot;
    const { position: p, quaternion: q, scale: s, matrixWorld, matrixAutoUpdate, pivot } = record.object;
    for (let i = 0; i < 16; i++) kept[o + i] = matrixWorld.elements[i];
    kept[o + 16] = p.x;
    kept[o + 17] = p.y;
    kept[o + 18] = p.z;
    kept[o + 19] = q.x;
    kept[o + 20] = q.y;
    kept[o + 21] = q.z;
    kept[o + 22] = q.w;
    kept[o + 23] = s.x;
    kept[o + 24] = s.y;
    kept[o + 25] = s.z;
    // A matrix that is made of anything else is not known to be right next time.
    if (!matrixAutoUpdate || pivot || record.managed) kept[o + 16] = Number.NaN;
  }

  clear(): void {
    for (const record of this.#list) if (record) record.slot = -1;
    this.#list = [];
    this.#gone = 0;
  }

  #compact(): void {
    let n = 0;
    for (const record of this.#list) {
      if (record === null) continue;
      this.#kept.copyWithin(KEPT * n, KEPT * record.slot, KEPT * record.slot + KEPT);
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
  record.managed = parent !== null && (parent.managed || hasOwnUpdate(parent.object));
  if (record.managed) return;
  if (hasOwnUpdate(object)) {
    object.updateMatrixWorld(parentMoved);
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

/** Cameras, skinned meshes and objects of the user's may do more than the plain method, for all that is below them. */
function hasOwnUpdate(object: Object3D): boolean {
  return object.updateMatrixWorld !== Object3D.prototype.updateMatrixWorld;
}
