import type { SpatialIndex } from 'three-scene-index/core';
import type { Claim } from './bytes/Claim.js';
import type { Handover } from './bytes/Handover.js';
import { RUNNING } from './bytes/Phase.js';
import type { Stamp } from './bytes/Stamp.js';
import { EntityTable, GHOST, OWN } from './EntityTable.js';
import { MoveBatch } from './MoveBatch.js';
import { Peer } from './Peer.js';
import { Recovery } from './Recovery.js';
import type { RegionMap } from './RegionMap.js';
import type { RegionSettings } from './RegionOptions.js';

/** All that a region consists of, for the functions that work on it. */
export class RegionState {
  readonly map: RegionMap;
  readonly region: number;
  readonly settings: RegionSettings;
  readonly index: SpatialIndex;
  readonly incarnation: number;
  /** By which regions of other maps or margins are told. */
  readonly hash: number;
  readonly table: EntityTable = new EntityTable();
  /** All other regions, in the order of their numbers. */
  readonly peers: readonly Peer[];
  /** Messages that were sent in this incarnation. */
  sequence = 0;
  tick = 0;
  /** Not null while a region that was restored does not know yet which of its entities are its own. */
  recovery: Recovery | null = null;
  /** Whether this incarnation began with a snapshot. */
  isRestored = false;
  /** Others know of a later incarnation. */
  isReplaced = false;
  /** How many snapshots were made, restarts included, and which of them was stored last. */
  snapshots = 0;
  stored = 0;
  /** Entities of its own that came and went since the last tick. */
  readonly arrived: number[] = [];
  readonly departed: number[] = [];
  /** What it gave away with the last tick, and to whom. */
  readonly given: { to: number; handover: Handover }[] = [];
  /** Its own entities whose middle lies beyond the border. */
  readonly beyond: Set<number> = new Set();
  /** The last mark that was used. */
  mark = 0;
  readonly moves: MoveBatch = new MoveBatch();
  readonly #area: Float64Array;

  constructor(map: RegionMap, region: number, settings: RegionSettings, index: SpatialIndex, incarnation: number) {
    const { margin, hysteresis } = settings;
    this.map = map;
    this.region = region;
    this.settings = settings;
    this.index = index;
    this.incarnation = incarnation;
    this.hash = map.hash(margin, hysteresis);
    this.#area = map.boundsOf(region);
    const near = map.neighboursOf(region, margin + hysteresis);
    const others = Array.from({ length: map.count }, (_, other) => other).filter((other) => other !== region);
    this.peers = others.map((other) => new Peer(other, near.includes(other), margin));
  }

  peerOf(region: number): Peer {
    return this.peers[region < this.region ? region : region - 1];
  }

  /** The stamp of the next message, whoever it is for. */
  get nextStamp(): Stamp {
    return { incarnation: this.incarnation, sequence: this.sequence + 1 };
  }

  /** Whether some region, itself included, is coming back and may need what others would forget. */
  get isHolding(): boolean {
    return this.recovery !== null || this.peers.some((peer) => peer.phase !== RUNNING || this.isUnmet(peer));
  }

  /** Whether a region has not been heard of since this one was restored. */
  isUnmet({ isMet }: Peer): boolean {
    return this.isRestored && !isMet;
  }

  /** Begins to ask others what has become of its entities: its neighbours, or without a log all, who may have got some. */
  recover(hasLog: boolean): void {
    const asked = this.peers.filter(({ isNeighbour }) => isNeighbour || !hasLog);
    if (asked.length > 0) this.recovery = new Recovery(asked.map(({ region }) => region));
  }

  /** All have answered: what has a later owner is not its own. */
  endRecovery({ known }: Recovery): void {
    const { table } = this;
    for (const [entity, epoch] of known) {
      const item = table.ownItemOf(entity);
      if (item < 0 || table.epoch[item] >= epoch) continue;
      this.departed.push(entity);
      this.drop(item);
    }
    this.recovery = null;
  }

  /** Begins a tick: neighbours that were not heard of for long are silent. */
  age(): void {
    this.tick++;
    this.arrived.length = this.departed.length = this.given.length = 0;
    for (const peer of this.peers) {
      peer.age(this.tick, this.settings.ghostLifetime);
      if (!peer.isNeighbour || peer.isSilent || this.tick - peer.heardAt <= this.settings.ghostLifetime) continue;
      peer.isSilent = true;
      this.dropGhostsOf(peer);
    }
  }

  /** Who waits for a message. */
  get recipients(): Peer[] {
    const isDue = ({ isNeighbour, isOwed, isWaitedFor, phase }: Peer): boolean =>
      this.recovery !== null || isNeighbour || isOwed || isWaitedFor || phase !== RUNNING;
    return this.peers.filter((peer) => isDue(peer) || this.isUnmet(peer));
  }

  /**
   * What another region may be told about its claims by now. It gives up what others have, so these must not be able to lose
   * it any more: not before a snapshot with it is stored, unless none are kept at all.
   */
  answerFor({ answer, snapshotsBefore }: Peer): readonly Claim[] | null {
    return this.snapshots === 0 || this.stored > snapshotsBefore ? answer : null;
  }

  /** Whether some region is answered once a snapshot is stored. */
  get isSnapshotWanted(): boolean {
    return this.peers.some((peer) => peer.answer !== null && this.answerFor(peer) === null);
  }

  /** In which region the middle of a box lies; its own one also where it is beyond the border by no more than the hysteresis. */
  homeOf(box: Float64Array, o = 0): number {
    const x = box[o] / 2 + box[o + 3] / 2;
    const z = box[o + 2] / 2 + box[o + 5] / 2;
    const { hysteresis } = this.settings;
    const area = this.#area;
    if (hysteresis > 0) {
      const isNear = x >= area[0] - hysteresis && x <= area[3] + hysteresis;
      if (isNear && z >= area[2] - hysteresis && z <= area[5] + hysteresis) return this.region;
    } else if (x >= area[0] && x < area[3] && z >= area[2] && z < area[5]) return this.region;
    return this.map.regionAt(x, z);
  }

  /** Notes where an entity of its own is now. */
  noteHome(entity: number, box: Float64Array, o = 0): void {
    if (this.homeOf(box, o) !== this.region) this.beyond.add(entity);
    else if (this.beyond.size > 0) this.beyond.delete(entity);
  }

  /** Makes an entity with a new item, or with that which it has. */
  enter(entity: number, kind: number, region: number, epoch: number, box: Float64Array, payload: Uint8Array): number {
    const { table, index } = this;
    let item = table.itemOf(entity);
    if (item >= 0) {
      index.update(item, box);
      table.payload[item] = payload;
    } else {
      item = index.add(box);
      table.add(item, entity, payload);
    }
    table.become(item, kind, region, epoch);
    if (kind === OWN) this.noteHome(entity, box);
    return item;
  }

  /** Lets an entity go, with its item. */
  drop(item: number): void {
    this.beyond.delete(this.table.entity[item]);
    this.table.delete(item);
    this.index.remove(item);
  }

  dropGhostsOf(peer: Peer): void {
    const { kind, region } = this.table;
    for (const item of peer.ghosts) if (kind[item] === GHOST && region[item] === peer.region) this.drop(item);
    peer.ghosts.length = 0;
  }
}
