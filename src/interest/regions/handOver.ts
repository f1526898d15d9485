import { LEAVING } from './EntityTable.js';
import { RUNNING } from './Peer.js';
import type { RegionState } from './RegionState.js';

/**
 * Gives away the entities whose middle lies in another region. Where that one is silent or coming back, they stay for the time
 * being.
 */
export function handOver(state: RegionState): void {
  const { table, index, beyond } = state;
  const stamp = state.nextStamp;
  for (const entity of beyond) {
    const item = table.ownItemOf(entity);
    const box = index.getBox(item);
    const to = state.homeOf(box);
    const peer = state.peerOf(to);
    if (peer.isSilent || peer.phase !== RUNNING) continue;
    beyond.delete(entity);
    const epoch = table.epoch[item];
    peer.handovers.push({ stamp, entity, epoch: epoch + 1, box, payload: table.payload[item] });
    table.become(item, LEAVING, to, epoch);
    state.departed.push(entity);
  }
}
