import { GHOST, OWN } from './EntityTable.js';
import type { Peer } from './Peer.js';
import type { RegionMessage } from './RegionMessage.js';
import type { RegionState } from './RegionState.js';

/** Makes the ghosts of a neighbour those that it tells of: moves those that are known, adds others, removes the rest. */
export function importGhosts(state: RegionState, peer: Peer, message: RegionMessage): void {
  const { table } = state;
  const { ghosts, region } = peer;
  const mark = ++state.mark;
  const before = ghosts.length;
  peer.heardAt = state.tick;
  peer.isSilent = false;
  state.moves.begin();
  message.eachGhost(({ entity, epoch, box, payloadAt, payloadLength }) => {
    let item = table.itemOf(entity);
    if (item < 0) {
      item = state.enter(entity, GHOST, region, epoch, box, message.reader.copy(payloadAt, payloadLength));
    } else {
      // An entity that changes its region is told of by both for a while; who knows of more owners is the later one.
      if (table.kind[item] === OWN || epoch < table.epoch[item]) return;
      table.become(item, GHOST, region, epoch);
      state.moves.add(item, box);
      if (!message.reader.isEqual(payloadAt, payloadLength, table.payload[item])) {
        table.payload[item] = message.reader.copy(payloadAt, payloadLength);
      }
    }
    table.mark[item] = mark;
    ghosts.push(item);
  });
  state.moves.apply(state.index);
  for (let i = 0; i < before; i++) {
    const item = ghosts[i];
    if (table.kind[item] === GHOST && table.region[item] === region && table.mark[item] !== mark) state.drop(item);
  }
  ghosts.copyWithin(0, before);
  ghosts.length -= before;
}
