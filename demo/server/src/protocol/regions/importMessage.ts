import type { Claim } from './bytes/Claim.js';
import type { Handover } from './bytes/Handover.js';
import { ANNOUNCING, CLAIMING, RUNNING } from './bytes/Phase.js';
import { isAfter } from './bytes/Stamp.js';
import { GHOST, LEAVING, OWN } from './EntityTable.js';
import { checkGhosts, importGhosts } from './importGhosts.js';
import type { Peer } from './Peer.js';
import type { RegionMessage } from './RegionMessage.js';
import type { RegionState } from './RegionState.js';
import type { Ghost } from './SentGhosts.js';

const NO_ANCHORS: ReadonlyMap<number, Ghost> = new Map();

/**
 * Takes in a message, or ignores it: one that is older than another of the same region, that comes from an incarnation which
 * has ended, or is meant for one. False if ignored.
 */
export function importMessage(state: RegionState, message: RegionMessage): boolean {
  const peer = state.peerOf(message.from);
  const { incarnation } = peer;
  const isAddressed = isFor(state, message);
  if (isAddressed && isAfter(message.stamp, peer.received)) {
    checkGhosts(message.stamp.incarnation === incarnation ? peer.anchors : NO_ANCHORS, message);
  }
  if (!peer.meet(message.stamp.incarnation, message.phase)) return false;
  // Not every new incarnation announces itself: a region without snapshots begins anew.
  if (peer.incarnation !== incarnation) state.recovery?.beginAgain();
  if (message.addressed > state.incarnation) state.isReplaced = true;
  if (!isAddressed) {
    peer.isOwed = true;
    return false;
  }
  if (!isAfter(message.stamp, peer.received)) return false;
  const before = peer.received;
  // What comes again after a restart may have been passed on before it.
  const passedOn = state.isUnmet(peer) ? givenAway(state) : null;
  peer.isMet = true;
  const hasAnnounced = peer.phase === ANNOUNCING && message.phase !== ANNOUNCING;
  peer.received = message.stamp;
  peer.phase = message.phase;
  peer.confirm(message.acknowledged, state.incarnation);
  peer.remembered = message.remembered;
  for (let next = peer.nextArrived(); next !== null; next = peer.nextArrived()) release(state, peer, next);
  message.eachHandover((stamp, record) => {
    peer.isOwed = true;
    if (!isAfter(stamp, before)) return;
    const { table } = state;
    if ((passedOn?.get(record.entity) ?? 0) >= record.epoch) return;
    const item = table.itemOf(record.entity);
    if (item >= 0 && table.kind[item] !== GHOST && table.epoch[item] >= record.epoch) return;
    const payload = message.reader.copy(record.payloadAt, record.payloadLength);
    if (table.ownItemOf(record.entity) < 0) state.arrived.push(record.entity);
    state.enter(record.entity, OWN, state.region, record.epoch, record.box, payload);
  });
  if (message.hasGhosts) importGhosts(state, peer, message);
  if (message.phase === RUNNING) peer.answer = null;
  else if (message.phase === CLAIMING && peer.answeredRound !== message.round && state.recovery?.phase !== ANNOUNCING) {
    peer.answer = answerTo(state, message.claims);
    peer.answeredRound = message.round;
    peer.snapshotsBefore = state.snapshots;
  }
  if (peer.handovers.length > 0 && !state.isHolding) peer.forget();
  if (hasAnnounced) state.recovery?.beginAgain();
  if (state.recovery?.hear(message)) state.endRecovery(state.recovery);
  // Who still answers has not heard that the region is back.
  if (message.answeredRound > 0 && state.recovery === null) peer.isOwed = true;
  return true;
}

/** Whether a message is for this incarnation. */
function isFor({ incarnation, isRestored }: RegionState, { addressed }: RegionMessage): boolean {
  // Who has never heard of the region cannot have given anything to an incarnation before, if there was none.
  return addressed === incarnation || (addressed === 0 && !isRestored);
}

/** What was given away has arrived: it is a ghost from now on. */
function release(state: RegionState, peer: Peer, { entity, epoch }: Handover): void {
  const { table } = state;
  const item = table.itemOf(entity);
  // If it has come back and was given once more, that has a higher epoch.
  const isLeaving = item >= 0 && table.kind[item] === LEAVING && table.epoch[item] < epoch;
  if (!isLeaving) return;
  if (!peer.isNeighbour) {
    state.drop(item);
    return;
  }
  table.become(item, GHOST, peer.region, epoch);
  // If the other one does not tell of it in this message, `importGhosts` removes it.
  peer.ghosts.push(item);
}

/** Of which of the entities that another region claims this one knows that it has lost them. */
function answerTo(state: RegionState, claims: readonly Claim[]): Claim[] {
  const { table } = state;
  const given = givenAway(state);
  const answer: Claim[] = [];
  for (const { entity, epoch } of claims) {
    const item = table.ownItemOf(entity);
    const known = Math.max(item < 0 ? 0 : table.epoch[item], given.get(entity) ?? 0);
    if (known > epoch) answer.push({ entity, epoch: known });
  }
  return answer;
}

/** In which epoch it gave away each entity of which it keeps that. */
function givenAway({ peers }: RegionState): Map<number, number> {
  const given = new Map<number, number>();
  for (const { handovers } of peers) {
    for (const { entity, epoch } of handovers) given.set(entity, Math.max(epoch, given.get(entity) ?? 0));
  }
  return given;
}
