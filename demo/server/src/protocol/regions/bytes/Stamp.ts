import type { ByteReader } from './ByteReader.js';
import type { ByteWriter } from './ByteWriter.js';

/**
 * Which message of a region: the incarnation of the region, which grows with each restart, then the number of the message in
 * it. So all stamps of a region have one order, and none is used twice even though a restart forgets what was sent.
 */
export interface Stamp {
  readonly incarnation: number;
  readonly sequence: number;
}

/** Before all messages. */
export const NEVER: Stamp = { incarnation: 0, sequence: 0 };

export function isAfter(a: Stamp, b: Stamp): boolean {
  return a.incarnation > b.incarnation || (a.incarnation === b.incarnation && a.sequence > b.sequence);
}

export function writeStamp(writer: ByteWriter, { incarnation, sequence }: Stamp): void {
  writer.f64(incarnation);
  writer.f64(sequence);
}

export function readStamp(reader: ByteReader): Stamp {
  return { incarnation: reader.count('no incarnation is'), sequence: reader.count('no message has the number') };
}
