import { type BufferGeometry, Object3D } from 'three';
import { grow } from '../../core/grow.js';
import { geometryOf } from '../bounds/worldBounds.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import { RaycastClasses } from '../objects/RaycastClasses.js';
import { GeometryVersions } from './GeometryVersions.js';

/** Numbers kept of each object: position, quaternion and scale; and its world matrix. */
const LOCAL = 10;
const WORLD = 16;
/**
 * Other things kept of each: itself, the record of its parent, its geometry, `raycast`, `frustumCulled` and `matrix`.
 */
const THINGS = 6;

/**
 * What each object that may move was like when it was looked at last, by slot. Kept side by side in memory, so that an
 * unchanged object is passed without reading its record.
 */
export class TransformCache {
  readonly geometries: GeometryVersions = new GeometryVersions();
  readonly classes: RaycastClasses = new RaycastClasses();
  #local = new Float64Array(LOCAL * 64);
  #world = new Float64Array(WORLD * 64);
  #childCounts = new Int32Array(64);
  #things: unknown[] = [];

  /** Makes room for so many slots. */
  reserve(slots: number): void {
    if (this.#childCounts.length >= slots) return;
    this.#local = grow(this.#local, LOCAL * slots);
    this.#world = grow(this.#world, WORLD * slots);
    this.#childCounts = grow(this.#childCounts, slots);
  }

  /** Adds an object at the slot behind all others. It counts as changed until something is kept of it. */
  add({ slot, object }: ObjectRecord): void {
    this.reserve(slot + 1);
    this.#things.push(object, null, null, null, null, null);
    this.#childCounts[slot] = object.children.length;
    this.#world[WORLD * slot] = Number.NaN;
  }

  remove(slot: number): void {
    const t = THINGS * slot;
    const geometry = this.#things[t + 2] as BufferGeometry | null;
    if (geometry !== null) this.geometries.drop(geometry);
    this.#things.fill(null, t, t + THINGS);
  }

  /** Moves what is kept at these slots to the slots from 0 on, and forgets the rest. */
  arrange(slots: readonly number[]): void {
    const local = new Float64Array(Math.max(64 * LOCAL, LOCAL * slots.length));
    const world = new Float64Array(Math.max(64 * WORLD, WORLD * slots.length));
    const childCounts = new Int32Array(Math.max(64, slots.length));
    const things: unknown[] = [];
    slots.forEach((from, to) => {
      local.set(this.#local.subarray(LOCAL * from, LOCAL * from + LOCAL), LOCAL * to);
      world.set(this.#world.subarray(WORLD * from, WORLD * from + WORLD), WORLD * to);
      childCounts[to] = this.#childCounts[from];
      for (let t = THINGS * from; t < THINGS * from + THINGS; t++) things.push(this.#things[t]);
    });
    this.#local = local;
    this.#world = world;
    this.#childCounts = childCounts;
    this.#things = things;
  }

  clear(): void {
    this.#things.length = 0;
    this.geometries.clear();
    this.classes.clear();
  }

  /** The first slot, from a given one on, whose object is not known to be unchanged; `end` where there is none. */
  seek(from: number, end: number, pass: number): number {
    let slot = from;
    try {
      while (slot < end && this.#isStill(slot, pass)) slot++;
    } catch {
      // Reported by `Entries.#measure`.
    }
    return slot;
  }

  /**
   * True when an object is unchanged: three makes both its matrices from position, quaternion, scale and parent, and
   * none of these changed, nor did anything that its bounds or traits are made of.
   *
   * The world matrix is compared as well, as other code may have written it, or updated it while the object was
   * elsewhere for a moment. So by induction over the hierarchy every world matrix is what three would make now. Of the
   * local matrix, which three would make anew whatever was written there, only the position is compared: all of it
   * would cost more than making it.
   */
  #isStill(slot: number, pass: number): boolean {
    const things = this.#things;
    const t = THINGS * slot;
    const parent = things[t + 1] as ObjectRecord | null;
    if (parent === null || parent.changed === pass || parent.managed) return false;
    const object = things[t] as Object3D;
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
      this.#isSameTransform(slot, object) &&
      !this.differs(slot, object) &&
      geometryOf(object) === things[t + 2] &&
      (changed.size === 0 || !changed.has(things[t + 2] as BufferGeometry))
    );
  }

  #isSameTransform(slot: number, { position: p, quaternion: q, scale: s, pivot, matrix }: Object3D): boolean {
    const local = this.#local;
    const o = LOCAL * slot;
    const { elements } = matrix;
    // biome-ignore format: aligned lines show the symmetry
    return p.x === local[o] && p.y === local[o + 1] && p.z === local[o + 2]
        && q.x === local[o + 3] && q.y === local[o + 4] && q.z === local[o + 5] && q.w === local[o + 6]
        && s.x === local[o + 7] && s.y === local[o + 8] && s.z === local[o + 9] && !pivot
        && p.x === elements[12] && p.y === elements[13] && p.z === elements[14];
  }

  /** True when the world matrix of an object is not the one kept; one with NaN in it never is. */
  differs(slot: number, { matrixWorld: { elements } }: Object3D): boolean {
    const e = elements;
    const w = this.#world;
    const o = WORLD * slot;
    // Written out: with a loop a pass takes a third longer. The position first, as it changes most often.
    // biome-ignore format: a column of the matrix to a line
    return e[12] !== w[o + 12] || e[13] !== w[o + 13] || e[14] !== w[o + 14] || e[15] !== w[o + 15]
        || e[0] !== w[o] || e[1] !== w[o + 1] || e[2] !== w[o + 2] || e[3] !== w[o + 3]
        || e[4] !== w[o + 4] || e[5] !== w[o + 5] || e[6] !== w[o + 6] || e[7] !== w[o + 7]
        || e[8] !== w[o + 8] || e[9] !== w[o + 9] || e[10] !== w[o + 10] || e[11] !== w[o + 11];
  }

  keepMatrices({ slot, object, parent, managed }: ObjectRecord): void {
    const local = this.#local;
    const o = LOCAL * slot;
    const {
      position: p,
      quaternion: q,
      scale: s,
      pivot,
      matrixWorld,
      matrixAutoUpdate,
      matrixWorldAutoUpdate,
    } = object;
    // `set` takes long to copy a plain array.
    const e = matrixWorld.elements;
    const w = this.#world;
    const k = WORLD * slot;
    for (let i = 0; i < WORLD; i++) w[k + i] = e[i];
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
    const isMadeOfThese =
      matrixAutoUpdate && matrixWorldAutoUpdate && !pivot && !managed && object.parent === (parent?.object ?? null);
    // NaN equals nothing: otherwise equal numbers would not mean equal matrices.
    if (!isMadeOfThese) local[o] = Number.NaN;
  }

  /** Keeps everything but the matrices. Call it once changes of bounds and traits have been taken account of. */
  keepThings({ slot, object, parent, hasInstances }: ObjectRecord): void {
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
    things[t + 1] = known;
    things[t + 2] = geometry;
    things[t + 3] = object.raycast;
    things[t + 4] = object.frustumCulled;
    things[t + 5] = object.matrix;
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
