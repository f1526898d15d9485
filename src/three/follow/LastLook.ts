import { type BufferGeometry, Object3D } from 'three';
import { grow } from '../../core/grow.js';
import { geometryOf } from '../bounds/worldBounds.js';
import type { Flags, ObjectRecord } from '../objects/ObjectRecord.js';
import { RaycastClasses } from '../objects/RaycastClasses.js';
import { GeometryVersions } from './GeometryVersions.js';
import { Transforms } from './Transforms.js';

/**
 * Things kept of each object: itself, the record of its parent, its geometry, `raycast`, `frustumCulled` and `matrix`.
 */
const THINGS = 6;

/**
 * What each object that may move was like when it was looked at last, by slot. Kept side by side in memory, so that an
 * unchanged object is passed without reading its record.
 */
export class LastLook {
  readonly geometries: GeometryVersions = new GeometryVersions();
  readonly classes: RaycastClasses = new RaycastClasses();
  readonly transforms: Transforms = new Transforms();
  #childCounts = new Int32Array(64);
  /** 1 for objects that are plain. */
  #plain = new Uint8Array(64);
  #things: unknown[] = [];

  /** Adds an object at the slot behind all others. It counts as changed until something is kept of it. */
  add({ slot, object }: ObjectRecord): void {
    if (this.#childCounts.length <= slot) {
      this.#childCounts = grow(this.#childCounts, slot + 1);
      this.#plain = grow(this.#plain, slot + 1);
      this.transforms.reserve(this.#childCounts.length);
    }
    this.#things.push(object, null, null, null, null, null);
    this.#childCounts[slot] = object.children.length;
    this.transforms.forget(slot);
  }

  remove(slot: number): void {
    const t = THINGS * slot;
    const geometry = this.#things[t + 2] as BufferGeometry | null;
    if (geometry !== null) this.geometries.drop(geometry);
    this.#things.fill(null, t, t + THINGS);
  }

  /** Moves what is kept at these slots to the slots from 0 on, and forgets the rest. */
  arrange(slots: readonly number[]): void {
    const room = Math.max(64, slots.length);
    const childCounts = new Int32Array(room);
    const plain = new Uint8Array(room);
    const things: unknown[] = [];
    slots.forEach((from, to) => {
      childCounts[to] = this.#childCounts[from];
      plain[to] = this.#plain[from];
      for (let t = THINGS * from; t < THINGS * from + THINGS; t++) things.push(this.#things[t]);
    });
    this.#childCounts = childCounts;
    this.#plain = plain;
    this.#things = things;
    this.transforms.arrange(slots, room);
  }

  clear(): void {
    this.#things.length = 0;
    this.geometries.clear();
    this.classes.clear();
  }

  /**
   * The first slot, from a given one on, whose object is not known to be unchanged; `end` where there is none. The
   * result is `~slot` for a plain object of which all is known to be unchanged but its matrices.
   *
   * An object is unchanged when three makes both its matrices from position, quaternion, scale and parent, and none of
   * these changed, nor did anything that its bounds or traits are made of. The world matrix is compared as well, as
   * other code may have written it, or updated it while the object was elsewhere for a moment. So by induction over the
   * hierarchy every world matrix is what three would make now.
   */
  seek(from: number, end: number, pass: number): number {
    const { transforms } = this;
    let slot = from;
    try {
      for (; slot < end; slot++) {
        const object = this.#things[THINGS * slot] as Object3D | null;
        if (object === null || !this.#isKnown(slot, object)) return slot;
        const parent = this.#things[THINGS * slot + 1] as ObjectRecord;
        if (parent.changed === pass || !transforms.isSame(slot, object) || transforms.differs(slot, object)) {
          return this.#plain[slot] === 1 && isAlone(object) ? ~slot : slot;
        }
      }
    } catch {
      // Reported by `Entries.#measure`.
    }
    return slot;
  }

  /** True when nothing but the matrices of an object may have changed, and three makes them as it does by default. */
  #isKnown(slot: number, object: Object3D): boolean {
    const things = this.#things;
    const t = THINGS * slot;
    const parent = things[t + 1] as ObjectRecord | null;
    if (parent === null || parent.managed) return false;
    const { changed } = this.geometries;
    return (
      object.updateMatrixWorld === Object3D.prototype.updateMatrixWorld &&
      object.matrixAutoUpdate &&
      object.matrixWorldAutoUpdate &&
      !object.matrixWorldNeedsUpdate &&
      object.parent === parent.object &&
      object.raycast === things[t + 3] &&
      object.frustumCulled === things[t + 4] &&
      object.matrix === things[t + 5] &&
      object.children.length === this.#childCounts[slot] &&
      geometryOf(object) === things[t + 2] &&
      (changed.size === 0 || !changed.has(things[t + 2] as BufferGeometry))
    );
  }

  /** Keeps everything but the matrices. Call it once changes of bounds and traits have been taken account of. */
  keepThings(record: ObjectRecord): void {
    const { slot, object, parent, hasInstances } = record;
    const things = this.#things;
    const t = THINGS * slot;
    let geometry: BufferGeometry | null = null;
    // An object without a parent here never counts as unchanged: so the number of instances is read each time.
    let known = hasInstances ? null : parent;
    try {
      geometry = geometryOf(object);
    } catch {
      known = null;
    }
    if (geometry !== things[t + 2]) {
      if (geometry !== null) this.geometries.use(geometry);
      if (things[t + 2] !== null) this.geometries.drop(things[t + 2] as BufferGeometry);
    }
    this.classes.note(object);
    this.#plain[slot] = this.#isPlain(record) ? 1 : 0;
    things[t + 1] = known;
    things[t + 2] = geometry;
    things[t + 3] = object.raycast;
    things[t + 4] = object.frustumCulled;
    things[t + 5] = object.matrix;
  }

  /**
   * True for an object of whose matrices nothing is made but its own bounds, by its shape, while {@link isAlone} holds.
   */
  #isPlain({ object, shape, managed }: ObjectRecord): boolean {
    return shape !== null && !managed && (object as Flags).isBone !== true;
  }

  /** An event said that an object has so many children more. */
  countChildren(slot: number, more: number): void {
    this.#childCounts[slot] += more;
  }

  /** True when events account for the number of an object's children. The number of now counts as known then. */
  hasToldChildren(slot: number, { children }: Object3D): boolean {
    const isTold = children.length === this.#childCounts[slot];
    this.#childCounts[slot] = children.length;
    return isTold;
  }
}

/** True while nothing is below an object and its local matrix is made as by default. */
function isAlone({ children, updateMatrix }: Object3D): boolean {
  return children.length === 0 && updateMatrix === Object3D.prototype.updateMatrix;
}
