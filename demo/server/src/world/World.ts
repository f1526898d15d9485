import { enableSimd, Packed } from 'three-scene-index/core';
import { STEP } from '../protocol/limits.js';
import { grow } from './grow.js';
import { Movers } from './Movers.js';

// Else the first ticks would be answered without the kernels.
enableSimd();

/** How the entities of a world are made. */
export interface WorldOptions {
  /** The world is a square from 0 to this along x and z. */
  size: number;
  seed?: number;
}

/** What an entity is; more than one byte has no room on the wire. */
export const PLAYER = 0;
export const KINDS = ['player', 'deer', 'wolf', 'cart', 'drone'];

/**
 * Entities that move on a plane, in an index. They are known by the ids of the index, which are used again; what is
 * removed remains until the next `step`, so that within a tick no id stands for two entities.
 */
export class World {
  readonly index: Packed = new Packed({ planar: true });
  readonly size: number;
  /** By id. */
  x: Float64Array = new Float64Array(1024);
  z: Float64Array = new Float64Array(1024);
  /** The same in steps of the wire. */
  stepsX: Int32Array = new Int32Array(1024);
  stepsZ: Int32Array = new Int32Array(1024);
  kind: Uint8Array = new Uint8Array(1024);
  /** In which tick it moved last, by id. */
  movedAt: Int32Array = new Int32Array(1024);
  tick = 0;

  readonly #movers: Movers;
  readonly #leaving = new Set<number>();

  constructor({ size, seed = 1 }: WorldOptions) {
    this.size = size;
    this.#movers = new Movers(size, seed);
  }

  /** All that this world moves, in an order that changes when one is removed. */
  get ids(): Int32Array {
    return this.#movers.ids.subarray(0, this.#movers.count);
  }

  /** Numbers from 0 to 1, the same for the same seed. */
  get next(): () => number {
    return this.#movers.next;
  }

  get count(): number {
    return this.#movers.count;
  }

  /** Adds an entity that wanders by itself unless it is a player, and returns its id. */
  add(kind: number, x: number, z: number): number {
    const id = this.index.add([x, 0, z, x, 0, z]);
    this.#reserve(id);
    this.kind[id] = kind;
    this.#place(id, x, z);
    this.#movers.add(id, x, z, kind !== PLAYER);
    return id;
  }

  /** Lets an entity go with the next step. */
  remove(id: number): void {
    this.#leaving.add(id);
  }

  /** Where a player goes from now on, in units a second. */
  steer(id: number, vx: number, vz: number): void {
    this.#movers.steer(id, vx, vz);
  }

  /** Puts an entity elsewhere at once. */
  teleport(id: number, x: number, z: number): void {
    this.#movers.place(id, x, z);
  }

  /** Moves all by a step of time, in seconds, and brings the index up to date; returns the ids that are free from now on. */
  step(seconds: number): number[] {
    this.tick++;
    const gone = [...this.#leaving];
    this.#leaving.clear();
    for (const id of gone) {
      this.#movers.remove(id);
      this.index.remove(id);
    }
    const { ids, count, boxes } = this.#movers;
    this.#movers.step(seconds, this.tick);
    for (let slot = 0; slot < count; slot++) {
      const id = ids[slot];
      const x = boxes[6 * slot];
      const z = boxes[6 * slot + 2];
      if (x !== this.x[id] || z !== this.z[id]) this.#place(id, x, z);
    }
    this.index.updateAll(this.ids, boxes.subarray(0, 6 * count));
    return gone;
  }

  #place(id: number, x: number, z: number): void {
    this.x[id] = x;
    this.z[id] = z;
    this.stepsX[id] = Math.round(x / STEP);
    this.stepsZ[id] = Math.round(z / STEP);
    this.movedAt[id] = this.tick;
  }

  #reserve(id: number): void {
    if (id < this.x.length) return;
    const capacity = 2 ** Math.ceil(Math.log2(id + 1));
    this.x = grow(this.x, capacity);
    this.z = grow(this.z, capacity);
    this.stepsX = grow(this.stepsX, capacity);
    this.stepsZ = grow(this.stepsZ, capacity);
    this.kind = grow(this.kind, capacity);
    this.movedAt = grow(this.movedAt, capacity);
  }
}
