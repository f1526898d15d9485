import type { EntityRecord } from './bytes/EntityRecord.js';
import { GHOST, OWN } from './EntityTable.js';
import type { Peer } from './Peer.js';
import type { RegionMessage } from './RegionMessage.js';
import type { RegionState } from './RegionState.js';
import { type Ghost, stepOf } from './SentGhosts.js';

/** Throws for ghosts that are told in steps from anchors which the region has never had. Changes nothing. */
export function checkGhosts(known: ReadonlyMap<number, Ghost>, message: RegionMessage): void {
  const told = new Set<number>();
  message.eachAnchor((slot) => void told.add(slot));
  message.eachGhost((slot) => {
    if (known.has(slot) || told.has(slot)) return;
    throw new RangeError(`${message.reader.where}: no ghost was told of in slot ${slot}`);
  });
}

/** Makes the ghosts of a neighbour those that it tells of: moves those that are known, adds others, removes the rest. */
export function importGhosts(state: RegionState, peer: Peer, message: RegionMessage): void {
  const { table } = state;
  const { ghosts, anchors, region } = peer;
  const mark = ++state.mark;
  const before = ghosts.length;
  const step = stepOf(state.settings.margin);
  peer.heardAt = state.tick;
  peer.isSilent = false;
  message.eachAnchor((slot, record) => void anchors.set(slot, keep(record, message)));
  state.moves.begin();
  message.eachGhost((slot, ...steps) => {
    const anchor = anchors.get(slot) as Ghost;
    const { entity, epoch, payload } = anchor;
    for (let c = 0; c < 6; c++) box[c] = anchor.box[c] + step * steps[c % 3];
    let item = table.itemOf(entity);
    if (item < 0) item = state.enter(entity, GHOST, region, epoch, box, payload);
    else {
      // An entity that changes its region is told of by both for a while; who knows of more owners is the later one.
      if (table.kind[item] === OWN || epoch < table.epoch[item]) return;
      table.become(item, GHOST, region, epoch);
      state.moves.add(item, box);
      table.payload[item] = payload;
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

function keep({ entity, epoch, box, payloadAt, payloadLength }: EntityRecord, { reader }: RegionMessage): Ghost {
  return { entity, epoch, box: box.slice(), payload: reader.copy(payloadAt, payloadLength) };
}

// Filled and read within an import, which runs no code of users.
const box = new Float64Array(6);
