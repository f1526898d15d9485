import type { Intersection } from 'three';
import type { WalkOrder } from '../follow/WalkOrder.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';

/** A hit, and the record of the entry that was cast at. */
export interface RecordedHit {
  hit: Intersection;
  record: ObjectRecord;
}

/** Sorts by distance; hits at the same distance in the order in which three visits their objects. */
export function sortHits(found: RecordedHit[], walkOrder: WalkOrder): RecordedHit[] {
  if (found.some(isNowhere)) {
    sortByVisits(found, walkOrder);
    // The result for distances that are NaN depends on the algorithm and on the order before: both are three's.
    return found.sort((a, b) => a.hit.distance - b.hit.distance);
  }
  found.sort((a, b) => a.hit.distance - b.hit.distance);
  const hasTies = found.some(
    ({ hit, record }, i) => i > 0 && hit.distance === found[i - 1].hit.distance && record !== found[i - 1].record,
  );
  if (!hasTies) return found;
  walkOrder.number(found.map(({ record }) => record));
  return found.sort((a, b) => a.hit.distance - b.hit.distance || a.record.order - b.record.order);
}

/** Sorts hits as three finds them, before it sorts them by distance. */
export function sortByVisits(found: RecordedHit[], walkOrder: WalkOrder): RecordedHit[] {
  walkOrder.number(found.map(({ record }) => record));
  return found.sort((a, b) => a.record.order - b.record.order);
}

/** True for a hit with the distance NaN, as three finds them by matrices that have no inverse. */
export function isNowhere({ hit }: RecordedHit): boolean {
  return Number.isNaN(hit.distance);
}
