import { ByteReader } from './bytes/ByteReader.js';
import { ByteWriter } from './bytes/ByteWriter.js';
import { checkFinite, MOST_PAYLOAD, readEpoch } from './bytes/EntityRecord.js';
import { type Handover, readHandover, writeHandover } from './bytes/Handover.js';
import { isAfter, readStamp, type Stamp, writeStamp } from './bytes/Stamp.js';
import { readIndex, writeIndex } from './bytes/savedIndex.js';
import { GHOST, LEAVING, OWN } from './EntityTable.js';
import type { Peer } from './Peer.js';
import { RegionMap } from './RegionMap.js';
import { readIncarnation, readRegionOptions } from './RegionOptions.js';
import { RegionState } from './RegionState.js';

/** "TSIR". */
const MAGIC = 0x52495354;
const VERSION = 2;
const WHAT = 'snapshot of a region';

/**
 * All of a region, little-endian:
 *
 *     u32 magic, version, region, regions
 *     f64 incarnation, number of the snapshot; for each other region in turn the stamp of the last message that was taken in
 *     u32 borders along x, along z, f64 each of them; f64 margin, hysteresis, ghostLifetime, tick
 *     for each other region f64 incarnation, u32 handovers, 0, then as in a message
 *     u32 entities, 0; of each u32 item, kind, region, epoch, f64 entity, u32 length, 0, payload, zeros
 *     u32 structure, items; of each f64 id, box
 *     u32 checksum 2
 */
export function saveRegion(state: RegionState): Uint8Array {
  const { map, peers, settings, table, index } = state;
  const { x, z } = map.borders;
  writer.begin(MAGIC, VERSION);
  writer.u32(state.region);
  writer.u32(map.count);
  writer.f64(state.incarnation);
  writer.f64(state.snapshots);
  for (const { received } of peers) writeStamp(writer, received);
  writer.u32(x.length);
  writer.u32(z.length);
  for (const c of [...x, ...z, settings.margin, settings.hysteresis, settings.ghostLifetime, state.tick]) writer.f64(c);
  for (const peer of peers) savePeer(peer);
  writer.u32(index.size);
  const countAt = writer.skip();
  let count = 0;
  for (const item of table.items()) {
    const payload = table.payload[item];
    for (const field of [item, table.kind[item], table.region[item], table.epoch[item]]) writer.u32(field);
    writer.f64(table.entity[item]);
    writer.u32(payload.length);
    writer.u32(0);
    writer.bytes(payload);
    count++;
  }
  writer.put(countAt, count);
  writeIndex(writer, index);
  return writer.finish();
}

function savePeer({ incarnation, handovers }: Peer): void {
  writer.f64(incarnation);
  writer.u32(handovers.length);
  writer.u32(0);
  for (const handover of handovers) writeHandover(writer, handover);
}

/** Notes what a restart would remember if it began with a snapshot. */
export function noteStored(state: RegionState, snapshot: Uint8Array, where: string): void {
  const {
    region,
    incarnation,
    snapshot: number,
    received,
  } = readHead(new ByteReader(snapshot, MAGIC, VERSION, WHAT, where));
  if (region !== state.region || incarnation !== state.incarnation || received.length !== state.peers.length) {
    throw new RangeError(`${where}: a snapshot of region ${region}, incarnation ${incarnation}`);
  }
  state.stored = Math.max(state.stored, number);
  for (const [i, peer] of state.peers.entries()) {
    if (!isAfter(received[i], peer.kept)) continue;
    peer.kept = received[i];
    peer.isOwed = true;
  }
}

interface SnapshotHead {
  region: number;
  incarnation: number;
  snapshot: number;
  received: Stamp[];
}

function readHead(reader: ByteReader): SnapshotHead {
  const region = reader.u32();
  const regions = reader.u32();
  if (region >= regions) throw new RangeError(`${reader.where}: region ${region} of ${regions}`);
  const incarnation = reader.count('no incarnation is');
  const snapshot = reader.count('no snapshot is');
  const received: Stamp[] = [];
  for (let i = 1; i < regions; i++) received.push(readStamp(reader));
  return { region, incarnation, snapshot, received };
}

/** @throws TypeError or RangeError for anything but a sound snapshot, and for an incarnation that is not greater. */
export function restoreRegion(bytes: Uint8Array, incarnation: number | undefined, where: string): RegionState {
  const reader = new ByteReader(bytes, MAGIC, VERSION, WHAT, where);
  const { region, incarnation: before, snapshot, received } = readHead(reader);
  const own = readIncarnation(incarnation, before, where);
  const borders = [reader.u32(), reader.u32()].map((length) => {
    if (length > received.length) throw new RangeError(`${where}: ${length} borders of ${received.length + 1} regions`);
    return length;
  });
  const [x, z] = borders.map((length) => Float64Array.from({ length }, () => reader.f64()));
  const map = RegionMap.ofBorders(x, z, where);
  if (map.count !== received.length + 1) throw new RangeError(`${where}: ${received.length + 1} regions have no map`);
  const options = { margin: reader.f64(), hysteresis: reader.f64(), ghostLifetime: reader.f64() };
  const { settings } = readRegionOptions(options, where);
  const tick = reader.count('no tick is');
  const peers = received.map((stamp) => restorePeer(reader, stamp));
  const size = reader.u32();
  const entities = readEntities(reader);
  const index = readIndex(reader);
  if (!reader.isAtEnd) throw new RangeError(`${where}: there are more bytes than are needed`);
  if (index.size !== size) throw new RangeError(`${where}: ${index.size} items in place of ${size}`);
  const state = new RegionState(map, region, settings, index, own);
  state.tick = tick;
  state.isRestored = true;
  state.snapshots = state.stored = snapshot;
  for (const [i, saved] of peers.entries()) Object.assign(state.peers[i], saved, { heardAt: tick });
  const given = new Set(
    state.peers.flatMap((peer) => peer.handovers.map(({ entity }) => `${entity} to ${peer.region}`)),
  );
  for (const entity of entities) restoreEntity(state, entity, given, where);
  return state;
}

function restorePeer(reader: ByteReader, received: Stamp): Partial<Peer> {
  const incarnation = reader.count('no incarnation is');
  const count = reader.u32();
  reader.u32();
  const handovers: Handover[] = [];
  for (let i = 0; i < count; i++) handovers.push(readHandover(reader));
  // What of these has arrived is not known until the other region says so: all are sent once more.
  return { incarnation, received, kept: received, handovers };
}

interface SavedEntity {
  item: number;
  kind: number;
  region: number;
  epoch: number;
  entity: number;
  payload: Uint8Array;
}

function readEntities(reader: ByteReader): SavedEntity[] {
  const count = reader.u32();
  const entities: SavedEntity[] = [];
  for (let i = 0; i < count; i++) {
    const [item, kind, region] = [reader.u32(), reader.u32(), reader.u32()];
    const epoch = readEpoch(reader);
    const entity = reader.count('no entity has the id');
    const length = reader.u32();
    reader.u32();
    if (length > MOST_PAYLOAD) throw new RangeError(`${reader.where}: a payload of ${length} bytes is too long`);
    entities.push({ item, kind, region, epoch, entity, payload: reader.copy(reader.skip(length), length) });
  }
  return entities;
}

function restoreEntity(state: RegionState, saved: SavedEntity, given: ReadonlySet<string>, where: string): void {
  const { item, kind, region, epoch, entity, payload } = saved;
  const { index, table, map } = state;
  const isFree = index.has(item) && (table.kind[item] ?? 0) === 0 && table.itemOf(entity) < 0;
  const isOwn = region === state.region;
  const isSound = kind === OWN ? isOwn : (kind === GHOST || kind === LEAVING) && region < map.count && !isOwn;
  if (!(isFree && isSound)) throw new RangeError(`${where}: entity ${entity} cannot be item ${item}`);
  if (kind === LEAVING && !given.has(`${entity} to ${region}`)) {
    throw new RangeError(`${where}: entity ${entity} leaves and is given to nobody`);
  }
  index.getBox(item, box);
  checkFinite(box, 0, where);
  table.add(item, entity, payload);
  table.become(item, kind, region, epoch);
  if (kind === OWN) state.noteHome(entity, box);
  if (kind === GHOST) state.peerOf(region).ghosts.push(item);
}

// Filled and read within a call, which runs no code of users.
const writer = new ByteWriter();
const box = new Float64Array(6);
