/** What goes with an entity from region to region. */
export interface EntityBytes {
  kind: number;
  level: number;
  /** Units a second. */
  vx: number;
  vz: number;
  /** By which the client of a player is known; 0 for others. */
  ticket: bigint;
}

const LEVEL = 17;
const LENGTH = 18;

export function writeEntityBytes({ kind, level, vx, vz, ticket }: EntityBytes): Uint8Array {
  const bytes = new Uint8Array(LENGTH);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, kind);
  view.setFloat32(1, vx, true);
  view.setFloat32(5, vz, true);
  view.setBigUint64(9, ticket, true);
  view.setUint8(LEVEL, level);
  return bytes;
}

/** @throws RangeError for what is too short. */
export function readEntityBytes(bytes: Uint8Array): EntityBytes {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    kind: view.getUint8(0),
    level: view.getUint8(LEVEL),
    vx: view.getFloat32(1, true),
    vz: view.getFloat32(5, true),
    ticket: view.getBigUint64(9, true),
  };
}

/** The level alone, without the rest being read. */
export function levelIn(bytes: Uint8Array): number {
  return bytes[LEVEL];
}
