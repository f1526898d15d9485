/** All entities of a world, as the map has them: of each id, kind, x and z as shares of the size of the world. */
export interface Places {
  ids: Uint32Array;
  kinds: Uint8Array;
  /** Two numbers an entity, 0 to 1. */
  shares: Float32Array;
}

/** Messages of the room `overview`. */
export const PLACES = 1;

const RECORD = 9;
const FULL = 65_535;

/** A u32 id, a u8 kind and two u16 shares an entity, little endian. */
export function writePlaces(
  ids: ArrayLike<number>,
  kind: Uint8Array,
  x: Float64Array,
  z: Float64Array,
  size: number,
): Uint8Array {
  const bytes = new Uint8Array(ids.length * RECORD);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i];
    view.setUint32(RECORD * i, id, true);
    view.setUint8(RECORD * i + 4, kind[id]);
    view.setUint16(RECORD * i + 5, (x[id] / size) * FULL, true);
    view.setUint16(RECORD * i + 7, (z[id] / size) * FULL, true);
  }
  return bytes;
}

export function readPlaces(bytes: Uint8Array): Places {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.floor(bytes.length / RECORD);
  const ids = new Uint32Array(count);
  const kinds = new Uint8Array(count);
  const shares = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) {
    ids[i] = view.getUint32(RECORD * i, true);
    kinds[i] = view.getUint8(RECORD * i + 4);
    shares[2 * i] = view.getUint16(RECORD * i + 5, true) / FULL;
    shares[2 * i + 1] = view.getUint16(RECORD * i + 7, true) / FULL;
  }
  return { ids, kinds, shares };
}
