import type { SpatialIndex } from 'three-scene-index/core';
import { inWords } from './checks.js';
import { GHOST, LEAVING, NO_BYTES, OWN } from './EntityTable.js';
import { exportMessage } from './exportMessage.js';
import { handOver } from './handOver.js';
import { importMessage } from './importMessage.js';
import { OwnEntities } from './OwnEntities.js';
import { RegionMap } from './RegionMap.js';
import { RegionMessage } from './RegionMessage.js';
import { type RegionOptions, readRegionOptions } from './RegionOptions.js';
import { RegionState } from './RegionState.js';
import { replayLog, writeLog } from './regionLog.js';
import { noteStored, restoreRegion, saveRegion } from './saveRegion.js';

/**
 * One region of a world that is cut by a `RegionMap`, in a process of its own: its entities, and as ghosts those of its
 * neighbours that lie within a margin, all as items of one index, which queries and `Interest` see as one world.
 *
 * In each tick, on all regions alike:
 *
 *     for (const bytes of inbox) region.import(bytes);
 *     region.moveAll(entities, boxes);                                        // simulate its own
 *     region.tick();                                                          // who crossed the border is given away
 *     for (const to of region.recipients) send(to, region.export(to));
 *     interest.tick();
 *
 * An entity is a box, an id that is unique in the whole world, and some bytes that go with it. It belongs to one region,
 * which alone may move it. Messages may be lost, doubled or late: no entity is lost or doubled by that. While one is on its
 * way to another region it stands still, as a ghost of both.
 */
export class Region {
  #state: RegionState;
  #own: OwnEntities;

  /**
   * @param map Equal for all regions.
   * @param region Which of its regions this is.
   * @throws TypeError or RangeError for arguments that are not legal.
   */
  constructor(map: RegionMap, region: number, options: RegionOptions) {
    if (!(map instanceof RegionMap)) throw new TypeError(`Region: map must be a RegionMap, got ${inWords(map)}`);
    map.check(region, 'Region.region');
    const { settings, index, incarnation } = readRegionOptions(options, 'Region');
    this.#state = new RegionState(map, region, settings, index, incarnation);
    this.#own = new OwnEntities(this.#state);
  }

  /**
   * A region as it was when `snapshot` made these bytes, in a new process. Entities that it has given away since then, and
   * those it has got, come right by what the other regions say: until `recovering` is empty all of its entities stand still,
   * and some of them may go.
   * @param incarnation See `RegionOptions`.
   * @param log Each `log` since that snapshot, in order. With it a region waits for its neighbours only.
   * @throws TypeError unless given bytes; RangeError for bytes that are damaged, cut off, no snapshot or no log.
   */
  static restore(bytes: Uint8Array, incarnation?: number, log?: readonly Uint8Array[]): Region {
    const state = restoreRegion(bytes, incarnation, 'Region.restore');
    for (const tick of log ?? []) replayLog(state, tick, 'Region.restore.log');
    const { map, index, settings } = state;
    const region = new Region(map, state.region, { ...settings, index, incarnation: state.incarnation });
    region.#state = state;
    region.#own = new OwnEntities(state);
    state.recover(log !== undefined);
    return region;
  }

  get map(): RegionMap {
    return this.#state.map;
  }

  /** Which region of the map it is. */
  get region(): number {
    return this.#state.region;
  }

  /** Where the items are; for queries, and for `Interest`. */
  get index(): SpatialIndex {
    return this.#state.index;
  }

  /** How many entities are its own. */
  get size(): number {
    return this.#state.table.owned;
  }

  /** How many ticks there have been. */
  get ticks(): number {
    return this.#state.tick;
  }

  /** The entities that are its own. */
  entities(): number[] {
    const { table } = this.#state;
    return [...table.items()].filter((item) => table.kind[item] === OWN).map((item) => table.entity[item]);
  }

  /** Entities that have become its own since the last tick, by messages. */
  get arrived(): readonly number[] {
    return this.#state.arrived;
  }

  /** Entities that are its own no longer, with or since the last tick: given away, or lost to others by a restart. */
  get departed(): readonly number[] {
    return this.#state.departed;
  }

  /** Neighbours that were not heard of for longer than ghosts live: there are none of theirs. */
  get silent(): number[] {
    return this.#state.peers.filter(({ isSilent }) => isSilent).map(({ region }) => region);
  }

  /** Regions that have not confirmed for long what they were told: nothing is given to them. */
  get deaf(): number[] {
    return this.#state.peers.filter(({ isDeaf }) => isDeaf).map(({ region }) => region);
  }

  /** After a restart the regions that have not answered yet; empty once its entities are surely its own. */
  get recovering(): number[] {
    return [...(this.#state.recovery?.waiting ?? [])];
  }

  /**
   * True while a region that was restarted waits for a snapshot of this one to be stored: make one soon, unless one is being
   * written. So it is also while this region comes back itself. Regions that never make any are not waited for.
   */
  get isSnapshotWanted(): boolean {
    return this.#state.isSnapshotWanted;
  }

  /** True once others have heard of a later incarnation of this region: this process has been replaced, and nobody listens. */
  get isReplaced(): boolean {
    return this.#state.isReplaced;
  }

  /** The regions that a message is for in this tick. */
  get recipients(): number[] {
    return this.#state.recipients.map(({ region }) => region);
  }

  /**
   * Takes in an entity of its own and returns its item. If it is not in its area it is handed over with the next tick.
   * @param entity A safe integer from 0 that no other entity has in any region, or had: regions that are restarted may take it
   * for the former one.
   * @param box minX minY minZ maxX maxY maxZ, finite.
   * @param payload Up to 65,535 bytes that go with it, as a ghost and in handovers.
   */
  add(entity: number, box: ArrayLike<number>, payload: Uint8Array = NO_BYTES): number {
    return this.#own.add(entity, box, payload);
  }

  /** Moves an entity of its own. */
  move(entity: number, box: ArrayLike<number>): void {
    this.#own.move(entity, box);
  }

  /** Moves many at once, six numbers each: faster than one by one. All are checked before the first moves. */
  moveAll(entities: ArrayLike<number>, boxes: ArrayLike<number>): void {
    this.#own.moveAll(entities, boxes);
  }

  /** Removes an entity of its own from the world. */
  remove(entity: number): void {
    this.#own.remove(entity);
  }

  /** Gives an entity of its own another payload. */
  setPayload(entity: number, payload: Uint8Array): void {
    this.#own.setPayload(entity, payload);
  }

  /** The payload of an entity that it knows, ghosts included; to be read, not written. */
  payloadOf(entity: number): Uint8Array {
    const item = this.itemOf(entity);
    if (item < 0) throw new RangeError(`Region.payloadOf: no entity ${inWords(entity)}`);
    return this.#state.table.payload[item];
  }

  /** True for an entity of its own. */
  owns(entity: number): boolean {
    return this.#state.table.ownItemOf(entity) >= 0;
  }

  /** The item of an entity that it knows, ghosts included, or -1. An entity that arrives has the item that its ghost had. */
  itemOf(entity: number): number {
    return this.#state.table.itemOf(entity);
  }

  /** The entity of an item, ghosts included; -1 for other items. */
  entityOf(item: number): number {
    const { kind, entity } = this.#state.table;
    return kind[item] > 0 ? entity[item] : -1;
  }

  /** True for an entity of another region, or on its way to one. */
  isGhost(item: number): boolean {
    const kind = this.#state.table.kind[item];
    return kind === GHOST || kind === LEAVING;
  }

  /** How many ticks ago a ghost was told of last; 0 for what is the region's own. */
  ageOf(item: number): number {
    const { table, tick } = this.#state;
    return table.kind[item] === GHOST ? tick - this.#state.peerOf(table.region[item]).heardAt : 0;
  }

  /**
   * Takes in a message. False if it is of no use: older than another one of the same region, or from or for a process that
   * has ended.
   * @throws TypeError unless given bytes; RangeError for those that are damaged, cut off, no message, or for another region,
   * map or margin. Nothing has changed then.
   */
  import(bytes: Uint8Array): boolean {
    const where = 'Region.import';
    const { hash, map, region } = this.#state;
    const message = new RegionMessage(bytes, hash, map.count, where);
    if (message.to !== region) throw new RangeError(`${where}: the message is for region ${message.to}, not ${region}`);
    return importMessage(this.#state, message);
  }

  /**
   * Ends the moves of a tick: entities that have left the area are given away, and ghosts of neighbours that were not heard
   * of for long are dropped.
   */
  tick(): void {
    this.#state.age();
    if (this.#state.recovery === null) handOver(this.#state);
  }

  /**
   * The message for another region in this tick: the ghosts that it should see, and the entities that it is given until it
   * has said that it has them.
   */
  export(to: number): Uint8Array {
    const { map, region } = this.#state;
    map.check(to, 'Region.export.to');
    if (to === region) throw new RangeError(`Region.export.to: ${to} is the region itself`);
    const peer = this.#state.peerOf(to);
    const bytes = exportMessage(this.#state, peer);
    peer.ask(this.#state.sequence, this.#state.tick);
    return bytes;
  }

  /**
   * What was given away with the last tick, as bytes for `Region.restore`; null for nothing. Store it before the messages of
   * that tick are sent, or together with them, and drop it when a later snapshot is stored.
   */
  get log(): Uint8Array | null {
    return writeLog(this.#state);
  }

  /** All of it as bytes, from which `Region.restore` goes on. Say `stored` when they are where a restart will find them. */
  snapshot(): Uint8Array {
    this.#state.snapshots++;
    return saveRegion(this.#state);
  }

  /**
   * Notes that a restart will begin with this snapshot or a later one: other regions keep what they have given to this one
   * until then.
   * @throws RangeError for what is no snapshot of this region and incarnation.
   */
  stored(snapshot: Uint8Array): void {
    noteStored(this.#state, snapshot, 'Region.stored');
  }
}
