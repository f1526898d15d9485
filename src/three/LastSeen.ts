import { type BufferGeometry, Object3D } from 'three';
import { grow } from '../core/grow.js';
import { giveBackMark, type Mark, NO_MARK, takeMark } from './marks.js';
import { SharedParts } from './SharedParts.js';
import type { Tracked } from './Tracked.js';
import { geometryOf } from './worldBounds.js';

/** Numbers kept of each object: position, quaternion and scale; and its world matrix. */
const LOCAL = 10;
const WORLD = 16;
/** Other things kept of each: itself, the record of its parent, its geometry, its `raycast`, and whether it is culled. */
const THINGS = 5;

/** Every so many passes an object's world matrix is compared all the same. */
const TURNS = 16;

/**
 * What objects were like when they were looked at last, by their slots. Side by side in memory, so that an object which
 * is as it was is passed by without a look at its record.
 */
export class LastSeen {
  readonly shared: SharedParts = new SharedParts();
  #local = new Float64Array(LOCAL * 64);
  #world = new Float64Array(WORLD * 64);
  #things: unknown[] = [];
  #turn = 0;
  #isCareful = false;
  /** Left on objects whose matrices are those kept; while all marks are taken, every world matrix is compared. */
  #mark: Mark = NO_MARK;

  /** Begins a pass; in a careful one all world matrices are compared. */
  begin(pass: number, isCareful: boolean): void {
    this.#turn = pass & (TURNS - 1);
    this.#isCareful = isCareful;
    if (this.#mark === NO_MARK) this.#mark = takeMark(this);
  }

  /** Makes room for so many slots. */
  reserve(slots: number): void {
    if (this.#local.length >= LOCAL * slots) return;
    this.#local = grow(this.#local, LOCAL * slots);
    this.#world = grow(this.#world, WORLD * slots);
  }

  /** Takes note of an object at the slot behind all others. */
  add(record: Tracked): void {
    this.reserve(record.slot + 1);
    this.#things.push(record.object, null, null, null, null);
    this.keepMatrices(record);
    this.keepThings(record);
  }

  remove(slot: number): void {
    const t = THINGS * slot;
    this.#unmark(this.#things[t] as Object3D);
    if (this.#things[t + 2] !== null) this.shared.drop(this.#things[t + 2] as BufferGeometry);
    this.#things.fill(null, t, t + THINGS);
  }

  /** Copies what is known at one slot to another that comes before it. */
  move(from: number, to: number): void {
    this.#local.copyWithin(LOCAL * to, LOCAL * from, LOCAL * from + LOCAL);
    this.#world.copyWithin(WORLD * to, WORLD * from, WORLD * from + WORLD);
    this.#things.copyWithin(THINGS * to, THINGS * from, THINGS * from + THINGS);
  }

  /** Forgets all from a slot on. */
  truncate(slots: number): void {
    this.#things.length = THINGS * slots;
  }

  clear(): void {
    for (let t = 0; t < this.#things.length; t += THINGS) this.#unmark(this.#things[t] as Object3D | null);
    this.#things.length = 0;
    this.shared.clear();
    giveBackMark(this);
    this.#mark = NO_MARK;
  }

  /**
   * True when an object is where it was and what it was: three makes both its matrices from position, quaternion, scale
   * and parent, and none of these changed, nor did anything that its bounds or traits are made of.
   * @param pass Number of the present pass, in which parents that moved say so.
   */
  isStill(slot: number, pass: number): boolean {
    const things = this.#things;
    const t = THINGS * slot;
    const parent = things[t + 1] as Tracked | null;
    if (parent === null || parent.changed === pass || parent.managed) return false;
    const object = things[t] as Object3D;
    const { changed } = this.shared;
    try {
      return (
        this.isComposed(slot, object) &&
        object.matrixAutoUpdate &&
        object.matrixWorldAutoUpdate &&
        object.parent === parent.object &&
        object.raycast === things[t + 3] &&
        object.frustumCulled === things[t + 4] &&
        object.updateMatrixWorld === Object3D.prototype.updateMatrixWorld &&
        geometryOf(object) === things[t + 2] &&
        (changed.size === 0 || !changed.has(things[t + 2] as BufferGeometry))
      );
    } catch {
      // Whatever is wrong with the object, measuring it finds out.
      return false;
    }
  }

  /**
   * True when the matrices are those made of the position, quaternion and scale that the object has now. It is not enough
   * that these are the same: they may have been others for a moment, in which somebody had matrices made.
   */
  isComposed(slot: number, object: Object3D): boolean {
    const { position: p, quaternion: q, scale: s, pivot } = object;
    const local = this.#local;
    const o = LOCAL * slot;
    // biome-ignore format: aligned lines show the symmetry
    return p.x === local[o] && p.y === local[o + 1] && p.z === local[o + 2]
        && q.x === local[o + 3] && q.y === local[o + 4] && q.z === local[o + 5] && q.w === local[o + 6]
        && s.x === local[o + 7] && s.y === local[o + 8] && s.z === local[o + 9] && !pivot
        && this.#isUntouched(slot, object);
  }

  /** True when the world matrix is the one kept. To read it takes as long as all the rest. */
  #isUntouched(slot: number, object: Object3D): boolean {
    const flag = object.matrixWorldNeedsUpdate;
    if (flag === this.#mark && !this.#isCareful && (slot & (TURNS - 1)) !== this.#turn) return true;
    if (flag || this.#differs(slot, object)) return false;
    this.#putMark(object);
    return true;
  }

  /** True when the world matrix differs from the one kept; one with NaN in it always does. */
  hasMoved(record: Tracked): boolean {
    return this.#differs(record.slot, record.object);
  }

  #differs(slot: number, { matrixWorld: { elements } }: Object3D): boolean {
    const world = this.#world;
    const o = WORLD * slot;
    for (let i = 0; i < WORLD; i++) if (elements[i] !== world[o + i]) return true;
    return false;
  }

  keepMatrices(record: Tracked): void {
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
    else this.#putMark(record.object);
  }

  /** Takes note of all but the matrices. Call it when bounds and traits are known to be looked at again if they must. */
  keepThings(record: Tracked): void {
    const things = this.#things;
    const t = THINGS * record.slot;
    const { object } = record;
    let geometry: BufferGeometry | null = null;
    // Without a parent here an object is never taken to be still: one with instances, whose number is asked each time.
    let parent = record.hasInstances ? null : record.parent;
    try {
      geometry = geometryOf(object);
    } catch {
      parent = null;
    }
    if (geometry !== things[t + 2]) {
      if (geometry !== null) this.shared.use(geometry);
      if (things[t + 2] !== null) this.shared.drop(things[t + 2] as BufferGeometry);
    }
    this.shared.noteKind(object);
    things[t + 1] = parent;
    things[t + 2] = geometry;
    things[t + 3] = object.raycast;
    things[t + 4] = object.frustumCulled;
  }

  /** The mark of another owner stays: it tells nothing here, and there that the matrices are as that one left them. */
  #putMark(object: Object3D): void {
    if (object.matrixWorldNeedsUpdate === false && this.#mark !== NO_MARK) object.matrixWorldNeedsUpdate = this.#mark;
  }

  #unmark(object: Object3D | null): void {
    if (object === null || this.#mark === NO_MARK) return;
    if (object.matrixWorldNeedsUpdate === this.#mark) object.matrixWorldNeedsUpdate = false;
  }
}
