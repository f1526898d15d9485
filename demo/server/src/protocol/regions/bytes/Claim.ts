import type { ByteReader } from './ByteReader.js';
import type { ByteWriter } from './ByteWriter.js';
import { readEpoch } from './EntityRecord.js';

/** Of which entity a region knows which epoch. */
export interface Claim {
  readonly entity: number;
  readonly epoch: number;
}

export function writeClaims(writer: ByteWriter, claims: readonly Claim[]): void {
  for (const { entity, epoch } of claims) {
    writer.f64(entity);
    writer.u32(epoch);
    writer.u32(0);
  }
}

export function readClaims(reader: ByteReader, count: number): Claim[] {
  const claims: Claim[] = [];
  for (let i = 0; i < count; i++) {
    const entity = reader.count('no entity has the id');
    claims.push({ entity, epoch: readEpoch(reader) });
    reader.u32();
  }
  return claims;
}
