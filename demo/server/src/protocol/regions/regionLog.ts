import { ByteReader } from './bytes/ByteReader.js';
import { ByteWriter } from './bytes/ByteWriter.js';
import { readHandover, writeHandover } from './bytes/Handover.js';
import { LEAVING } from './EntityTable.js';
import type { RegionState } from './RegionState.js';

/** "TSIL". */
const MAGIC = 0x4c495354;
const VERSION = 1;
const WHAT = 'log of a region';

/*
 * What a region gave away since its snapshot. The log of a tick is stored before, or together with, the messages of that tick.
 * So no region has heard of a handover that a restart does not know: a restarted region owns exactly what its snapshot and its
 * log say, without asking regions far away. What others gave to the former process after the snapshot comes again with their
 * first message, as it does without a log. The former process may have passed some of it on. Therefore
 * - no handover is forgotten before all other regions have been heard of,
 * - an entity in the first message of a region is refused if the log says that it was given away in a later epoch.
 */

/** Writes the handovers of the last tick; null if there were none. Little-endian: u32 region, count; each u32 to, 0, handover. */
export function writeLog({ region, given }: RegionState): Uint8Array | null {
  if (given.length === 0) return null;
  writer.begin(MAGIC, VERSION);
  writer.u32(region);
  writer.u32(given.length);
  for (const { to, handover } of given) {
    writer.u32(to);
    writer.u32(0);
    writeHandover(writer, handover);
  }
  return writer.finish();
}

/**
 * Repeats the handovers of a log.
 * @throws TypeError or RangeError for anything but a sound log of the region.
 */
export function replayLog(state: RegionState, bytes: Uint8Array, where: string): void {
  const reader = new ByteReader(bytes, MAGIC, VERSION, WHAT, where);
  const region = reader.u32();
  if (region !== state.region) throw new RangeError(`${where}: the log is of region ${region}, not ${state.region}`);
  for (let count = reader.u32(); count > 0; count--) {
    const to = reader.u32();
    reader.u32();
    const handover = readHandover(reader);
    if (to >= state.map.count || to === region) throw new RangeError(`${where}: there is no other region ${to}`);
    const { entity, epoch, box, payload } = handover;
    state.beyond.delete(entity);
    state.enter(entity, LEAVING, to, epoch - 1, box, payload);
    state.peerOf(to).give(handover);
  }
  if (!reader.isAtEnd) throw new RangeError(`${where}: there are more bytes than are needed`);
}

// Filled and read within a call, which runs no code of users.
const writer = new ByteWriter();
