import { enableSimd, IdList, type SpatialIndex } from 'three-scene-index/core';
import { STEP } from '../protocol/limits.js';
import type { Region } from '../protocol/regions/index.js';
import { type EntityBytes, levelIn, readEntityBytes, writeEntityBytes } from './EntityBytes.js';
import { grow } from './grow.js';
import { Movers } from './Movers.js';
import { openRegion, type RegionPlace, type Saved } from './openRegion.js';

// Else the first ticks would be answered without the kernels.
enableSimd();

/** How a world is made, and which part of it this is. */
export interface WorldOptions extends RegionPlace {
  seed?: number;
}

/** What an entity is; more than one byte has no room on the wire. */
export const PLAYER = 0;
export const KINDS = ['player', 'deer', 'wolf', 'cart', 'drone'];
const EVERYWHERE = [-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity];
const NONE = -1;

/**
 * Entities that move on a plane, in an index: those of one region, and of its neighbours what is near the border. They are
 * known by the ids of the index, which are used again; which id stands for another entity changes within `step` alone.
 */
export class World {
  readonly region: Region;
  readonly size: number;
  /** By id. */
  x: Float64Array = new Float64Array(1024);
  z: Float64Array = new Float64Array(1024);
  /** The same in steps of the wire. */
  stepsX: Int32Array = new Int32Array(1024);
  stepsZ: Int32Array = new Int32Array(1024);
  kind: Uint8Array = new Uint8Array(1024);
  level: Uint8Array = new Uint8Array(1024);
  /** In which tick it moved last, by id. */
  movedAt: Int32Array = new Int32Array(1024);
  /** Which entity it is, unique in all regions, by id; -1 for none. */
  entity: Float64Array = new Float64Array(1024).fill(NONE);
  tick = 0;
  /** Ids that have stood for another entity, or none, before this tick. */
  readonly appeared: number[] = [];
  /** Ids that stand for another entity, or none, since this tick. */
  readonly gone: number[] = [];
  /** Ids of entities that were here before, and have another level since this tick. */
  readonly levelled: number[] = [];
  /** Why the last message that another region should have understood was passed over; null if none was. */
  refused: string | null = null;

  readonly #movers: Movers;
  readonly #leaving = new Set<number>();
  /** Its own entities whose level may be another than is known here. */
  readonly #relevelled = new Set<number>();
  #known = new IdList();
  #found = new IdList();

  /** @throws as `openRegion` does. */
  constructor(options: WorldOptions, saved?: Saved) {
    const { size, seed = 1 } = options;
    this.size = size;
    this.#movers = new Movers(size, seed);
    this.region = openRegion(options, saved);
    for (const entity of this.region.entities()) this.#take(entity);
  }

  get index(): SpatialIndex {
    return this.region.index;
  }

  /** The ids of all that this world moves. */
  get ids(): Int32Array {
    const { entities, count } = this.#movers;
    return Int32Array.from(entities.subarray(0, count), (entity) => this.region.itemOf(entity));
  }

  get count(): number {
    return this.#movers.count;
  }

  /** Numbers from 0 to 1, the same for the same seed. */
  get next(): () => number {
    return this.#movers.next;
  }

  /** True where a place is in this part of the world. */
  owns(x: number, z: number): boolean {
    return this.region.map.regionAt(x, z) === this.region.region;
  }

  /** Adds an entity that wanders by itself unless it is a player, and returns its id. */
  add(entity: number, kind: number, x: number, z: number, ticket = 0n): number {
    const bytes = writeEntityBytes({ kind, level: 1, vx: 0, vz: 0, ticket });
    const id = this.region.add(entity, [x, 0, z, x, 0, z], bytes);
    if (id >= this.x.length) this.#reserve(id);
    this.#place(id, x, z);
    this.#movers.add(entity, x, z, kind !== PLAYER);
    return id;
  }

  /** Lets an entity go with the next step. */
  remove(id: number): void {
    this.#leaving.add(this.region.entityOf(id));
  }

  /** Where a player goes from now on, in units a second. */
  steer(id: number, vx: number, vz: number): void {
    const entity = this.region.entityOf(id);
    if (!this.region.owns(entity)) return;
    this.#movers.steer(entity, vx, vz);
    this.#noteSpeed(entity, vx, vz);
  }

  /** Gives one of its own entities another level, 0 to 255, which all regions that see it get to know; with the next step. */
  setLevel(id: number, level: number): void {
    const entity = this.region.entityOf(id);
    if (!this.region.owns(entity)) throw new RangeError(`World.setLevel: ${id} is of another region, or nothing`);
    this.#write(entity, { level });
    this.#relevelled.add(entity);
  }

  /** Puts an entity elsewhere at once. */
  teleport(id: number, x: number, z: number): void {
    this.#movers.place(this.region.entityOf(id), x, z);
  }

  /**
   * Takes in what other regions say, moves all by a step of time, in seconds, and brings the index up to date. Whatever is
   * no message, or comes from a world that is cut in another way, is passed over: see `refused`.
   */
  step(seconds: number, inbox: readonly Uint8Array[] = []): void {
    const { region } = this;
    this.tick++;
    for (const bytes of inbox) this.#hear(bytes);
    for (const entity of region.departed) this.#forget(entity);
    for (const entity of region.arrived) if (region.owns(entity)) this.#take(entity);
    for (const entity of this.#leaving) {
      this.#forget(entity);
      if (region.owns(entity)) region.remove(entity);
    }
    this.#leaving.clear();
    if (region.recovering.length === 0) this.#move(seconds);
    region.tick();
    for (const entity of region.departed) this.#forget(entity);
    this.#look();
  }

  #hear(bytes: Uint8Array): void {
    try {
      this.region.import(bytes);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.refused = error.message;
    }
  }

  #move(seconds: number): void {
    const { entities, boxes, speeds, count } = this.#movers;
    this.#movers.step(seconds, this.tick, (slot) => {
      this.#noteSpeed(entities[slot], speeds[2 * slot], speeds[2 * slot + 1]);
    });
    this.region.moveAll(entities.subarray(0, count), boxes.subarray(0, 6 * count));
  }

  /** Begins to move an entity that has become its own. */
  #take(entity: number): void {
    if (this.#movers.has(entity)) return;
    const { kind, vx, vz } = readEntityBytes(this.region.payloadOf(entity));
    this.index.getBox(this.region.itemOf(entity), box);
    this.#movers.add(entity, box[0], box[2], kind !== PLAYER, vx, vz);
    this.#relevelled.add(entity);
  }

  #forget(entity: number): void {
    if (this.#movers.has(entity)) this.#movers.remove(entity);
  }

  /** Notes the speed of an entity, so that it goes along with it. Where there are no others, nobody asks. */
  #noteSpeed(entity: number, vx: number, vz: number): void {
    if (this.region.map.count > 1) this.#write(entity, { vx, vz });
  }

  #write(entity: number, changes: Partial<EntityBytes>): void {
    const bytes = readEntityBytes(this.region.payloadOf(entity));
    this.region.setPayload(entity, writeEntityBytes({ ...bytes, ...changes }));
  }

  /** Reads where all are, which are others, and who has another level. */
  #look(): void {
    const { region, index } = this;
    const [before, now] = [this.#known, this.#found];
    this.appeared.length = this.gone.length = this.levelled.length = 0;
    index.queryBox(EVERYWHERE, now);
    for (let i = 0; i < now.length; i++) {
      const id = now.ids[i];
      index.getBox(id, box);
      if (id >= this.x.length) this.#reserve(id);
      if (box[0] !== this.x[id] || box[2] !== this.z[id]) this.#place(id, box[0], box[2]);
      const is = region.entityOf(id);
      if (this.entity[id] === is) {
        if (region.isGhost(id)) this.#lookAtLevel(id);
        continue;
      }
      if (this.entity[id] !== NONE) this.gone.push(id);
      this.entity[id] = is;
      const { kind, level } = readEntityBytes(region.payloadOf(is));
      this.kind[id] = kind;
      this.level[id] = level;
      this.appeared.push(id);
    }
    for (const entity of this.#relevelled) if (region.owns(entity)) this.#lookAtLevel(region.itemOf(entity));
    this.#relevelled.clear();
    for (let i = 0; i < before.length; i++) {
      const id = before.ids[i];
      if (index.has(id) || this.entity[id] === NONE) continue;
      this.entity[id] = NONE;
      this.gone.push(id);
    }
    this.#known = now;
    this.#found = before;
  }

  #lookAtLevel(id: number): void {
    const level = levelIn(this.region.payloadOf(this.entity[id]));
    if (level === this.level[id]) return;
    this.level[id] = level;
    this.levelled.push(id);
  }

  #place(id: number, x: number, z: number): void {
    this.x[id] = x;
    this.z[id] = z;
    this.stepsX[id] = Math.round(x / STEP);
    this.stepsZ[id] = Math.round(z / STEP);
    this.movedAt[id] = this.tick;
  }

  #reserve(id: number): void {
    const { length } = this.x;
    const capacity = 2 ** Math.ceil(Math.log2(id + 1));
    this.x = grow(this.x, capacity);
    this.z = grow(this.z, capacity);
    this.stepsX = grow(this.stepsX, capacity);
    this.stepsZ = grow(this.stepsZ, capacity);
    this.kind = grow(this.kind, capacity);
    this.level = grow(this.level, capacity);
    this.movedAt = grow(this.movedAt, capacity);
    this.entity = grow(this.entity, capacity).fill(NONE, length);
  }
}

const box = new Float64Array(6);
