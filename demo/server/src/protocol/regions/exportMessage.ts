import { IdList } from 'three-scene-index/core';
import { ByteWriter } from './bytes/ByteWriter.js';
import { type Claim, writeClaims } from './bytes/Claim.js';
import { writeEntity } from './bytes/EntityRecord.js';
import { writeHandover } from './bytes/Handover.js';
import { CLAIMING, RUNNING } from './bytes/Phase.js';
import { writeStamp } from './bytes/Stamp.js';
import { LEAVING, OWN } from './EntityTable.js';
import type { Peer } from './Peer.js';
import { HAS_GHOSTS, MESSAGE_MAGIC, MESSAGE_VERSION } from './RegionMessage.js';
import type { RegionState } from './RegionState.js';

/** The next message to another region. See RegionMessage for the layout. */
export function exportMessage(state: RegionState, peer: Peer): Uint8Array {
  const phase = state.recovery?.phase ?? RUNNING;
  const hasGhosts = phase === RUNNING && peer.isNeighbour;
  const answer = state.answerFor(peer);
  const claims = phase === CLAIMING ? claimsOf(state) : [];
  const first = peer.firstOnItsWay;
  const handovers = peer.handovers.length - first;
  state.sequence++;
  peer.isOwed = false;

  writer.begin(MESSAGE_MAGIC, MESSAGE_VERSION);
  writer.u32(state.hash);
  writer.u32(phase | (hasGhosts ? HAS_GHOSTS : 0));
  writer.u32(state.region);
  writer.u32(peer.region);
  writer.f64(state.incarnation);
  writer.f64(peer.incarnation);
  writer.f64(state.sequence);
  writer.f64(state.recovery?.round ?? 0);
  writer.f64(answer === null ? 0 : peer.answeredRound);
  writeStamp(writer, peer.received);
  writeStamp(writer, state.snapshots > 0 ? peer.kept : peer.received);
  writer.u32(claims.length);
  writer.u32(answer?.length ?? 0);
  writer.u32(handovers);
  const countsAt = writer.skip();
  writer.skip();
  writer.u32(0);
  writeClaims(writer, claims);
  writeClaims(writer, answer ?? []);
  for (let i = first; i < peer.handovers.length; i++) writeHandover(writer, peer.handovers[i]);
  if (hasGhosts) writeGhosts(state, peer, countsAt);
  return writer.finish();
}

/** What of the region's own the other one sees. What leaves for a third region is seen until that tells of it. */
function writeGhosts(state: RegionState, { region: to, ghostsSent, acknowledged }: Peer, countsAt: number): void {
  const { map, index, table, settings, sequence, incarnation } = state;
  ghostsSent.begin(sequence, acknowledged.incarnation === incarnation ? acknowledged.sequence : 0);
  map.boundsOf(to, area);
  for (let c = 0; c < 3; c++) {
    area[c] -= settings.margin;
    area[c + 3] += settings.margin;
  }
  index.queryBox(area, found);
  for (let i = 0; i < found.length; i++) {
    const item = found.ids[i];
    // Beyond the table the kind is undefined.
    const kind = table.kind[item];
    if (!(kind === OWN || (kind === LEAVING && table.region[item] !== to))) continue;
    index.getBox(item, box);
    ghostsSent.add(item, table.entity[item], table.epoch[item], box, table.payload[item]);
  }
  ghostsSent.end();
  const { unconfirmed, slots, steps, length } = ghostsSent;
  writer.put(countsAt, unconfirmed.length);
  writer.put(countsAt + 4, length);
  for (const slot of unconfirmed) {
    writer.u32(slot);
    writer.u32(0);
    const { entity, epoch, box, payload } = ghostsSent.anchor(slot);
    writeEntity(writer, entity, epoch, box, payload);
  }
  for (let i = 0; i < length; i++) writer.ghost(slots[i], steps, 3 * i);
}

function claimsOf({ table }: RegionState): Claim[] {
  const claims: Claim[] = [];
  for (const item of table.items()) {
    if (table.kind[item] === OWN) claims.push({ entity: table.entity[item], epoch: table.epoch[item] });
  }
  return claims;
}

// Filled and read within an export, which runs no code of users.
const writer = new ByteWriter();
const found = new IdList();
const area = new Float64Array(6);
const box = new Float64Array(6);
