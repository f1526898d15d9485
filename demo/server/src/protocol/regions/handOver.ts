import { RUNNING } from './bytes/Phase.js';
import { LEAVING } from './EntityTable.js';
import type { RegionState } from './RegionState.js';

/*
 * Why no entity is lost or doubled, whatever happens to messages:
 *
 * Stamps order the messages of a region. A handover has the stamp of the first message that told of it, and is part of every
 * later one to that region until one of its messages acknowledges a stamp not before it. So
 * - who takes in a message has by then met all handovers up to its stamp: those acknowledged before in an earlier message, the
 *   others in this one. It takes those after the last stamp that it took in, so each exactly once; messages out of order are
 *   ignored as a whole;
 * - from `handOver` to the acknowledgement the giver has the entity as LEAVING, which it never moves, and is no owner; the
 *   receiver becomes the owner at the first message that it takes in, and has it before the giver is told.
 * Hence an entity is OWN in one region, or in none and on its way to one. Its epoch, the number of its owners, grows with each
 * handover; regions that hear of it from two others believe the one who knows of more owners.
 *
 * Restarts are the matter of Recovery.
 */

/**
 * Gives away the entities whose middle lies in another region. Where that one is silent, does not confirm what it is told, or
 * is coming back, they stay for the time being.
 */
export function handOver(state: RegionState): void {
  const { table, index, beyond } = state;
  const stamp = state.nextStamp;
  for (const entity of beyond) {
    const item = table.ownItemOf(entity);
    const box = index.getBox(item);
    const to = state.homeOf(box);
    const peer = state.peerOf(to);
    if (peer.isSilent || peer.isDeaf || peer.phase !== RUNNING) continue;
    beyond.delete(entity);
    const epoch = table.epoch[item];
    const handover = { stamp, entity, epoch: epoch + 1, box, payload: table.payload[item] };
    peer.give(handover);
    state.given.push({ to, handover });
    table.become(item, LEAVING, to, epoch);
    state.departed.push(entity);
  }
}
