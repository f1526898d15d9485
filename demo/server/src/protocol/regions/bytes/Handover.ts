import type { ByteReader } from './ByteReader.js';
import type { ByteWriter } from './ByteWriter.js';
import { EntityRecord, writeEntity } from './EntityRecord.js';
import { readStamp, type Stamp, writeStamp } from './Stamp.js';

/** An entity that was given to another region. */
export interface Handover {
  /** The first message that told of it. */
  readonly stamp: Stamp;
  readonly entity: number;
  /** That of the entity from now on. */
  readonly epoch: number;
  readonly box: Float64Array;
  readonly payload: Uint8Array;
}

export function writeHandover(writer: ByteWriter, { stamp, entity, epoch, box, payload }: Handover): void {
  writeStamp(writer, stamp);
  writeEntity(writer, entity, epoch, box, payload);
}

export function readHandover(reader: ByteReader): Handover {
  const stamp = readStamp(reader);
  record.read(reader);
  const { entity, epoch, box, payloadAt, payloadLength } = record;
  return { stamp, entity, epoch, box: box.slice(), payload: reader.copy(payloadAt, payloadLength) };
}

// Filled and read within a call, which runs no code of users.
const record = new EntityRecord();
