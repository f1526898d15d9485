import type { Object3D } from 'three';
import { grow } from '../../core/grow.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';

/** Numbers kept of each object: position, quaternion and scale; and its world matrix. */
const LOCAL = 10;
const WORLD = 16;

/** The transforms of objects as they were kept last, by slot. */
export class Transforms {
  #local = new Float64Array(LOCAL * 64);
  #world = new Float64Array(WORLD * 64);

  /** Makes room for so many slots. */
  reserve(slots: number): void {
    this.#local = grow(this.#local, LOCAL * slots);
    this.#world = grow(this.#world, WORLD * slots);
  }

  /** Forgets what is kept at a slot: its object counts as changed until something is. */
  forget(slot: number): void {
    this.#world[WORLD * slot] = Number.NaN;
  }

  /** Moves what is kept at these slots to the slots from 0 on, in room for so many, and forgets the rest. */
  arrange(slots: readonly number[], room: number): void {
    const local = new Float64Array(LOCAL * room);
    const world = new Float64Array(WORLD * room);
    slots.forEach((from, to) => {
      local.set(this.#local.subarray(LOCAL * from, LOCAL * from + LOCAL), LOCAL * to);
      world.set(this.#world.subarray(WORLD * from, WORLD * from + WORLD), WORLD * to);
    });
    this.#local = local;
    this.#world = world;
  }

  /**
   * True when three would make both matrices of an object from what it made them of before. Of the local matrix, which
   * three would make anew whatever was written there, only the position is compared: all of it would cost more than
   * making it.
   */
  isSame(slot: number, { position: p, quaternion: q, scale: s, pivot, matrix }: Object3D): boolean {
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

  /**
   * Keeps the transforms of an object; true when its world matrix is not the one that was kept. Unless three makes its
   * matrices of these alone, they count as changed.
   */
  keep({ slot, object, parent, managed }: ObjectRecord): boolean {
    const isOther = this.differs(slot, object);
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
    return isOther;
  }
}
