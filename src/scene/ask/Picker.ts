import type { Intersection, Raycaster } from 'three';
import type { Flags } from '../../three/kinds.js';
import { castOf } from '../../three/methods.js';
import type { Entries } from '../follow/Entries.js';
import type { SceneFollower } from '../follow/SceneFollower.js';
import { THIN } from '../follow/Traits.js';
import type { WalkOrder } from '../follow/WalkOrder.js';
import { holdsUpwards, maskOf, type ObjectRecord } from '../objects/ObjectRecord.js';
import { RayCandidates, type RayEntries } from './RayCandidates.js';

type Condition = (record: ObjectRecord) => boolean;

/** A hit, and the record of the entry that was cast at. */
interface RecordedHit {
  hit: Intersection;
  record: ObjectRecord;
}

/** Finds the hits of `raycaster.intersectObject(root)`, in order, by the index and the `raycast` of objects found. */
export class Picker {
  readonly #follower: SceneFollower;
  readonly #candidates: RayCandidates;

  constructor(follower: SceneFollower, entries: Entries) {
    this.#follower = follower;
    this.#candidates = new RayCandidates(follower.traits, entries);
  }

  /** All hits, nearest first, into `out`. */
  all(raycaster: Raycaster, out: Intersection[]): Intersection[] {
    out.length = 0;
    for (const { hit } of this.#cast(raycaster, false)) out.push(hit);
    return out;
  }

  /** The first hit; objects behind it are not cast at. */
  first(raycaster: Raycaster): Intersection | null {
    return this.#cast(raycaster, true)[0]?.hit ?? null;
  }

  /**
   * All hits below an object, in an order that three's own sort by distance turns into three's result.
   * @param isIncluded Whether hits at the object itself count.
   */
  within(top: ObjectRecord, isIncluded: boolean, raycaster: Raycaster): Intersection[] {
    const isTop = (record: ObjectRecord): boolean => record === top;
    // An added object that is not below the root is not below `top` either.
    const isWithin = (record: ObjectRecord): boolean => (isIncluded || record !== top) && holdsUpwards(record, isTop);
    return this.#cast(raycaster, false, isWithin, false).map(({ hit }) => hit);
  }

  /** Appends the hits at a single object, or at a LOD with its parts, to a list. */
  at(record: ObjectRecord, raycaster: Raycaster, out: Intersection[]): void {
    const found: RecordedHit[] = [];
    castAt(record, raycaster, found);
    for (const { hit } of found) out.push(hit);
  }

  /**
   * All hits, sorted; with `stopEarly` at least the nearest: objects are cast at in the order of their bounds along the
   * ray, until no further object can give a nearer hit.
   * @param isWithin Selects the objects that are cast at.
   * @param isLast False if three sorts the hits by distance afterwards.
   */
  #cast(raycaster: Raycaster, stopEarly: boolean, isWithin: Condition = always, isLast = true): RecordedHit[] {
    const { walkOrder } = this.#follower.hierarchy;
    // The index is queried before the first `raycast`, as a user's own `raycast` may change the ids.
    const alongRay = this.#candidates.alongRay(raycaster);
    const nearRay = this.#candidates.nearRay(raycaster);
    const unindexed = this.#candidates.unindexed(raycaster);
    const found: RecordedHit[] = [];
    // Objects whose bounds do not count come first: some of them stop three from visiting their descendants.
    const blocked = new Set<ObjectRecord>();
    const first = [...unindexed];
    if (first.length > 1) walkOrder.sort(first);
    for (const record of first) {
      if (!isWithin(record)) continue;
      if (!isBelow(record, blocked) && castAt(record, raycaster, found) === false) blocked.add(record);
    }
    const isWanted = (record: ObjectRecord) => isWithin(record) && !unindexed.has(record) && !isBelow(record, blocked);
    // With a distance of NaN all hits are needed to find the first.
    const mayStop = stopEarly && !found.some(hasNaNDistance);
    castNear(alongRay, raycaster, found, mayStop, (record) => !record.has(THIN) && isWanted(record));
    castNear(nearRay, raycaster, found, mayStop, (record) => record.has(THIN) && isWanted(record));
    return sortHits(found, walkOrder, isLast);
  }
}

/** Casts at the entries whose bounds a ray meets, if `isWanted` accepts them. */
function castNear(
  { records, distances }: RayEntries,
  raycaster: Raycaster,
  found: RecordedHit[],
  stopEarly: boolean,
  isWanted: Condition,
): void {
  let nearest = stopEarly ? nearestOf(found, 0, Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  for (let i = 0; i < records.length && (distances === null || distances[i] <= nearest); i++) {
    const record = records[i];
    // An earlier `raycast` of this pick may have taken the object out of the scene.
    if (!record || record.id < 0 || !isWanted(record)) continue;
    const before = found.length;
    castAt(record, raycaster, found);
    if (stopEarly) nearest = nearestOf(found, before, nearest);
  }
}

/** Casts at an object, or at a LOD with all its parts; false when three must not visit the object's children. */
function castAt(record: ObjectRecord, raycaster: Raycaster, found: RecordedHit[]): unknown {
  const { object } = record;
  const hits: Intersection[] = [];
  let result: unknown;
  if ((object as Flags).isLOD) raycaster.intersectObject(object, true, unsorted(hits));
  else if ((maskOf(object) & raycaster.layers.mask) !== 0) result = castOf(object).call(object, raycaster, hits);
  for (const hit of hits) found.push({ hit, record });
  return result;
}

/** A list whose `sort` does nothing: three's order of visits decides between hits at the distance NaN. */
export function unsorted(hits: Intersection[]): Intersection[] {
  return Object.defineProperty(hits, 'sort', { value: () => hits });
}

function nearestOf(found: RecordedHit[], from: number, nearest: number): number {
  for (let i = from; i < found.length; i++) if (found[i].hit.distance < nearest) nearest = found[i].hit.distance;
  return nearest;
}

const always: Condition = () => true;

function isBelow(record: ObjectRecord, blocked: Set<ObjectRecord>): boolean {
  return blocked.size > 0 && holdsUpwards(record.parent, (above) => blocked.has(above));
}

/**
 * Sorts hits by distance, and hits at the same distance by three's order of visits.
 *
 * Matrices without an inverse give hits at the distance NaN. Then the result depends on the sorting algorithm and on
 * the previous order, so both are three's. Unless `isLast`, three itself sorts by distance afterwards.
 */
function sortHits(found: RecordedHit[], walkOrder: WalkOrder, isLast: boolean): RecordedHit[] {
  const isByVisits = found.some(hasNaNDistance);
  if (!isByVisits) found.sort(byDistance);
  const hasTies = found.some(
    ({ hit, record }, i) => i > 0 && hit.distance === found[i - 1].hit.distance && record !== found[i - 1].record,
  );
  if (!isByVisits && !hasTies) return found;
  walkOrder.assignOrder(found.map(({ record }) => record));
  found.sort((a, b) => (isByVisits ? 0 : byDistance(a, b)) || a.record.order - b.record.order);
  return isByVisits && isLast ? found.sort(byDistance) : found;
}

function byDistance(a: RecordedHit, b: RecordedHit): number {
  return a.hit.distance - b.hit.distance;
}

function hasNaNDistance({ hit }: RecordedHit): boolean {
  return Number.isNaN(hit.distance);
}
