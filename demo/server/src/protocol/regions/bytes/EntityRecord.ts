import { inWords, readBox } from '../checks.js';
import type { ByteReader } from './ByteReader.js';
import type { ByteWriter } from './ByteWriter.js';

/** Bytes that an entity may carry, at most. */
export const MOST_PAYLOAD: number = 2 ** 16 - 1;
const MOST_EPOCH = 2 ** 31 - 1;

/** An entity as it is read from bytes; filled again by each reading. */
export class EntityRecord {
  entity = 0;
  epoch = 0;
  readonly box: Float64Array = new Float64Array(6);
  payloadAt = 0;
  payloadLength = 0;

  /** Reads what `writeEntity` wrote. */
  read(reader: ByteReader): void {
    this.entity = reader.count('no entity has the id');
    this.epoch = readEpoch(reader);
    this.payloadLength = reader.u32();
    if (this.payloadLength > MOST_PAYLOAD) {
      throw new RangeError(`${reader.where}: a payload of ${this.payloadLength} bytes is too long`);
    }
    for (let c = 0; c < 6; c++) this.box[c] = reader.f64();
    checkFinite(this.box, 0, reader.where);
    this.payloadAt = reader.skip(this.payloadLength);
  }
}

/** Entity, epoch, length of the payload, box, payload: 64 bytes and the payload. */
export function writeEntity(
  writer: ByteWriter,
  entity: number,
  epoch: number,
  box: Float64Array,
  payload: Uint8Array,
): void {
  writer.f64(entity);
  writer.u32(epoch);
  writer.u32(payload.length);
  writer.box(box);
  writer.bytes(payload);
}

export function readEpoch(reader: ByteReader): number {
  const epoch = reader.u32();
  if (!(epoch >= 1 && epoch <= MOST_EPOCH)) throw new RangeError(`${reader.where}: no entity has the epoch ${epoch}`);
  return epoch;
}

/** Throws unless six numbers are a box that is finite, so that it has a middle. */
export function checkFinite(b: Float64Array, o: number, where: string): void {
  let areFinite = true;
  for (let c = o; c < o + 6; c++) areFinite &&= Number.isFinite(b[c]);
  if (areFinite && b[o] <= b[o + 3] && b[o + 1] <= b[o + 4] && b[o + 2] <= b[o + 5]) return;
  const text = Array.from(b.subarray(o, o + 6)).join(' ');
  throw new RangeError(`${where}: must be finite, and min must not exceed max, got ${text}`);
}

/** Copies a box that is finite, or throws. */
export function readFinite(box: ArrayLike<number>, where: string): Float64Array {
  const own = new Float64Array(6);
  readBox(box, own, where);
  checkFinite(own, 0, where);
  return own;
}

/** Throws for what cannot be the id of an entity. */
export function checkEntity(entity: number, where: string): void {
  if (typeof entity !== 'number') throw new TypeError(`${where}: must be a number, got ${inWords(entity)}`);
  if (!(Number.isSafeInteger(entity) && entity >= 0)) {
    throw new RangeError(`${where}: must be a safe integer from 0, got ${entity}`);
  }
}

/** Copies a payload, or throws. */
export function readPayload(payload: Uint8Array, where: string): Uint8Array {
  if (!(ArrayBuffer.isView(payload) && payload.BYTES_PER_ELEMENT === 1)) {
    throw new TypeError(`${where}: must be a Uint8Array, got ${inWords(payload)}`);
  }
  if (payload.length > MOST_PAYLOAD) {
    throw new RangeError(`${where}: must have ${MOST_PAYLOAD} bytes at most, got ${payload.length}`);
  }
  return new Uint8Array(payload);
}
