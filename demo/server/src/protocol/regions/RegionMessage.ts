import { ByteReader } from './bytes/ByteReader.js';
import { type Claim, readClaims } from './bytes/Claim.js';
import { EntityRecord } from './bytes/EntityRecord.js';
import { CLAIMING } from './bytes/Phase.js';
import { isAfter, readStamp, type Stamp } from './bytes/Stamp.js';

/** "TSIM". */
export const MESSAGE_MAGIC = 0x4d495354;
export const MESSAGE_VERSION = 2;

// Flags; the lowest two bits are the phase.
export const PHASE_BITS = 3;
export const HAS_GHOSTS = 4;

const GHOST_BYTES = 10;

/**
 * What one region tells another in a tick. The layout, little-endian:
 *
 *     u32 magic, version, hash of map and margins, flags, from, to
 *     f64 incarnation, incarnation that it is for, sequence, round of the claims, round that is answered or 0
 *     f64 stamp of the last message taken in, stamp of the last that a restart would remember
 *     u32 claims, answers, handovers, anchors, ghosts, 0
 *     a claim or answer: f64 entity, u32 epoch, u32 0
 *     a handover: f64 stamp of the message that told of it first, entity
 *     an anchor: u32 slot, u32 0, entity
 *     a ghost: u32 slot, i16 steps from the anchor of that slot 3; behind the last, zeros up to a multiple of 8
 *     u32 checksum 2
 *
 * where an entity is f64 entity, u32 epoch, u32 length, f64 box 6, payload of that length, zeros up to a multiple of 8.
 *
 * Reading checks everything, so that what follows cannot fail half-way.
 */
export class RegionMessage {
  readonly from: number;
  readonly to: number;
  readonly phase: number;
  readonly hasGhosts: boolean;
  readonly stamp: Stamp;
  /** 0 from one that has never heard of the region. */
  readonly addressed: number;
  readonly round: number;
  readonly answeredRound: number;
  readonly acknowledged: Stamp;
  readonly remembered: Stamp;
  readonly claims: Claim[];
  readonly answers: Claim[];
  readonly handovers: number;
  readonly anchors: number;
  readonly ghosts: number;
  readonly reader: ByteReader;
  readonly #handoversAt: number;
  readonly #anchorsAt: number;
  readonly #ghostsAt: number;

  /**
   * @param hash Of the own map and margins.
   * @throws TypeError or RangeError for anything but a sound message between regions of that map.
   */
  constructor(bytes: Uint8Array, hash: number, regions: number, where: string) {
    const reader = new ByteReader(bytes, MESSAGE_MAGIC, MESSAGE_VERSION, 'message of a region', where);
    this.reader = reader;
    if (reader.u32() !== hash) throw new RangeError(`${where}: the region has another map, margin or hysteresis`);
    const flags = reader.u32();
    this.phase = flags & PHASE_BITS;
    this.hasGhosts = (flags & HAS_GHOSTS) !== 0;
    this.from = reader.u32();
    this.to = reader.u32();
    if (flags > (PHASE_BITS | HAS_GHOSTS) || this.phase > CLAIMING)
      throw new RangeError(`${where}: unknown flags ${flags}`);
    if (this.from >= regions || this.to >= regions || this.from === this.to) {
      throw new RangeError(`${where}: from region ${this.from} to ${this.to} of ${regions}`);
    }
    const incarnation = reader.count('no incarnation is');
    this.addressed = reader.count('no incarnation is');
    this.stamp = { incarnation, sequence: reader.count('no message has the number') };
    this.round = reader.count('no round is');
    this.answeredRound = reader.count('no round is');
    this.acknowledged = readStamp(reader);
    this.remembered = readStamp(reader);
    if (isAfter(this.remembered, this.acknowledged)) throw new RangeError(`${where}: remembers what it has not had`);
    const claims = reader.u32();
    const answers = reader.u32();
    this.handovers = reader.u32();
    this.anchors = reader.u32();
    this.ghosts = reader.u32();
    reader.u32();
    this.claims = readClaims(reader, claims);
    this.answers = readClaims(reader, answers);
    this.#handoversAt = reader.at;
    for (let i = 0; i < this.handovers; i++) {
      const stamp = readStamp(reader);
      record.read(reader);
      if (isAfter(stamp, this.stamp)) throw new RangeError(`${where}: a handover is said to be of a later message`);
    }
    this.#anchorsAt = reader.at;
    for (let i = 0; i < this.anchors; i++) readAnchor(reader);
    this.#ghostsAt = reader.at;
    reader.skip(GHOST_BYTES * this.ghosts);
    if (!reader.isAtEnd) throw new RangeError(`${where}: there are more bytes than are needed`);
  }

  /** Goes through the handovers, as the others do through the anchors and ghosts; `see` reads nothing else. */
  eachHandover(see: (stamp: Stamp, record: EntityRecord) => void): void {
    this.reader.at = this.#handoversAt;
    for (let i = 0; i < this.handovers; i++) {
      const stamp = readStamp(this.reader);
      record.read(this.reader);
      see(stamp, record);
    }
  }

  eachAnchor(see: (slot: number, record: EntityRecord) => void): void {
    this.reader.at = this.#anchorsAt;
    for (let i = 0; i < this.anchors; i++) see(readAnchor(this.reader), record);
  }

  /** @param see Gets the slot of each ghost, and its steps from the anchor of that slot along x, y and z. */
  eachGhost(see: (slot: number, x: number, y: number, z: number) => void): void {
    const { reader } = this;
    reader.at = this.#ghostsAt;
    for (let i = 0; i < this.ghosts; i++) see(reader.u32(), reader.i16(), reader.i16(), reader.i16());
  }
}

/** Reads an anchor into `record`, and returns its slot. */
function readAnchor(reader: ByteReader): number {
  const slot = reader.u32();
  reader.u32();
  record.read(reader);
  return slot;
}

// Filled and read within a message, which runs no code of users.
const record = new EntityRecord();
