import type { ObjectRecord } from '../objects/ObjectRecord.js';
import type { Hierarchy } from './Hierarchy.js';

/**
 * The record with the entry that stands for an object; null for none, or one that has gone: what was taken out of it by
 * hand, with no event, is followed until the next update.
 */
export function entryOf(record: ObjectRecord, { records }: Hierarchy): ObjectRecord | null {
  const { aggregate } = record;
  if (aggregate === null || aggregate === record) return aggregate;
  return records.get(aggregate.object) === aggregate ? aggregate : null;
}
