/** What goes with an entity from region to region. */
export interface EntityBytes {
  kind: number;
  /** Units a second. */
  vx: number;
  vz: number;
  /** By which the client of a player is known; 0 for others. */
  ticket: bigint;
}

const LENGTH = 17;

export function writeEntityBytes({ kind, vx, vz, ticket }: EntityBytes): Uint8Array {
  const bytes = new Uint8Array(LENGTH);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, kind);
  view.setFloat32(1, vx, true);
  view.setFloat32(5, vz, true);
  view.setBigUint64(9, ticket, true);
  return bytes;
}

/** @throws RangeError for what is too short. */
export function readEntityBytes(bytes: Uint8Array): EntityBytes {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    kind: view.getUint8(0),
    vx: view.getFloat32(1, true),
    vz: view.getFloat32(5, true),
    ticket: view.getBigUint64(9, true),
  };
}
