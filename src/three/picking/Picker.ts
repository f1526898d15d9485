import type { Intersection, Object3D, Raycaster } from 'three';
import type { Entries } from '../follow/Entries.js';
import type { Hierarchy } from '../follow/Hierarchy.js';
import type { Traits } from '../follow/Traits.js';
import { isRigid } from '../objects/isRigid.js';
import { maskOf } from '../objects/maskOf.js';
import type { Flags, ObjectRecord } from '../objects/ObjectRecord.js';
import { raycastOf } from '../objects/raycastOf.js';

interface Found {
  hit: Intersection;
  record: ObjectRecord;
}

/** Entries whose bounds a ray meets, nearest first. */
interface Met {
  readonly records: readonly (ObjectRecord | null)[];
  /** Where it meets them; null where that is not known. */
  readonly distances: ArrayLike<number> | null;
}

const NOTHING: Met = { records: [], distances: null };
const NONE: ReadonlySet<ObjectRecord> = new Set();

/**
 * Boxes are widened by this share of the ray's and the scene's coordinates: an object's own `raycast` rounds otherwise
 * than the test of its box does, and decides.
 */
const ROUNDING = 1e-9;
/**
 * And by this for lines and points: three takes the square of their distance from a ray to be the difference of squares
 * of coordinates, so that the root of what rounding leaves may count as near.
 */
const ROUNDING_OF_SQUARES = 1e-6;

/**
 * Picks as three's `Raycaster` does: the index names the objects whose bounds the ray meets, their own `raycast` does the
 * rest. Same objects, distances, faces and order as `raycaster.intersectObject(root)`.
 */
export class Picker {
  readonly #tracker: Hierarchy;
  readonly #traits: Traits;
  readonly #entries: Entries;

  constructor(tracker: Hierarchy, traits: Traits, entries: Entries) {
    this.#tracker = tracker;
    this.#traits = traits;
    this.#entries = entries;
  }

  /** All hits, nearest first, into `out`. */
  all(raycaster: Raycaster, out: Intersection[]): Intersection[] {
    out.length = 0;
    for (const { hit } of this.#sort(this.#cast(raycaster, false))) out.push(hit);
    return out;
  }

  /**
   * Adds what lies below the root to hits of a raycaster that has been at the root itself: all of it, or with the
   * raycaster's `firstHitOnly`, a property that three-mesh-bvh introduced, the nearest of it alone.
   */
  below(root: Object3D, raycaster: Raycaster, out: Intersection[]): void {
    const firstOnly = (raycaster as { firstHitOnly?: boolean }).firstHitOnly === true;
    const found = this.#cast(raycaster, firstOnly, root);
    // Where three's order follows from that of the visits, it is three who sorts.
    const isSorted = firstOnly || !found.some(isNowhere);
    const hits = isSorted ? this.#sort(found) : this.#sortByVisits(found);
    for (const { hit } of firstOnly ? hits.slice(0, 1) : hits) out.push(hit);
  }

  /** The first of them. Objects are visited nearest bounds first, until none can be nearer than the best hit. */
  first(raycaster: Raycaster): Intersection | null {
    return this.#sort(this.#cast(raycaster, true))[0]?.hit ?? null;
  }

  /** Grows with every change of the index. */
  get version(): number {
    return this.#entries.version;
  }

  /** Calls `visit` for every entry that a ray may hit, in no order. */
  eachCandidate(raycaster: Raycaster, visit: (record: ObjectRecord) => void): void {
    for (const record of this.#unbound(raycaster)) visit(record);
    for (const { records } of [this.#meet(raycaster), this.#meetThin(raycaster)]) {
      for (const record of records) if (record) visit(record);
    }
  }

  /**
   * True when a ray may hit sprites elsewhere than they are: three looks for them in view of the raycaster's camera, and
   * brings the hit back by its world matrix, scale and all.
   */
  hasStraySprites({ camera }: Raycaster): boolean {
    return this.#traits.sprites.size > 0 && Boolean(camera) && !isRigid(camera.matrixWorld);
  }

  /** All hits; with `stopEarly` at least those nearest, and with a root those of what lies below it alone. */
  #cast(raycaster: Raycaster, stopEarly: boolean, root: Object3D | null = null): Found[] {
    const { thin } = this.#traits;
    // All is asked of the index before the first `raycast`, as one of the user's may change the ids.
    const met = this.#meet(raycaster);
    const metThin = this.#meetThin(raycaster);
    const unbound = this.#unbound(raycaster);
    const found: Found[] = [];
    const blocked = this.#castUnbound(unbound, raycaster, found, root);
    const isWanted = (record: ObjectRecord) =>
      (root === null || isUnder(record, root)) && !unbound.has(record) && !isBelow(record, blocked);
    // Which hit comes first depends on all others where one has no distance.
    const mayStop = stopEarly && !found.some(isNowhere);
    castNear(met, raycaster, found, mayStop, (record) => !thin.has(record) && isWanted(record));
    castNear(metThin, raycaster, found, mayStop, (record) => thin.has(record) && isWanted(record));
    return found;
  }

  /** What is cast at wherever it is: what no bounds speak for, or none that are up to date. */
  #unbound(raycaster: Raycaster): ReadonlySet<ObjectRecord> {
    const { alwaysPicked, sprites } = this.#traits;
    const { pending } = this.#entries;
    const strays = this.hasStraySprites(raycaster) ? sprites : NONE;
    if (strays.size + pending.size === 0) return alwaysPicked;
    return new Set([...alwaysPicked, ...strays, ...pending.keys()]);
  }

  /** Entries whose bounds the ray meets. */
  #meet(raycaster: Raycaster): Met {
    return this.#within(raycaster, this.#rounding(raycaster, ROUNDING));
  }

  /** The same by the thresholds of lines and points, which would let in far too much else. */
  #meetThin(raycaster: Raycaster): Met {
    return this.#traits.thin.size === 0 ? NOTHING : this.#within(raycaster, this.#reach(raycaster));
  }

  /** Entries whose bounds the ray meets, were they larger by a margin; all of them where the core cannot tell. */
  #within({ ray, near, far }: Raycaster, margin: number): Met {
    const { measured: index, byId } = this.#entries;
    // What is no number is no limit, as three compares.
    const nearest = typeof near === 'number' && near > 0 ? near : 0;
    const farthest = typeof far === 'number' && !Number.isNaN(far) ? far : Number.POSITIVE_INFINITY;
    if (farthest < nearest) return NOTHING;
    const { origin: o, direction: d } = ray;
    const hasDirection = d.x !== 0 || d.y !== 0 || d.z !== 0;
    if (!hasDirection || !Number.isFinite(o.x + o.y + o.z + d.x + d.y + d.z + margin)) {
      return { records: [...byId], distances: null };
    }
    const origin = [o.x, o.y, o.z];
    const direction = [d.x, d.y, d.z];
    const { ids, distances, length } = index.raycast({ origin, direction, near: nearest, far: farthest, margin });
    const records: (ObjectRecord | null)[] = [];
    for (let i = 0; i < length; i++) records.push(byId[ids[i]]);
    return { records, distances };
  }

  /** By how much rounding may put a box beside a ray that hits the object in it. */
  #rounding({ ray }: Raycaster, share: number): number {
    const { x, y, z } = ray.origin;
    return share * Math.max(this.#entries.farthest, Math.abs(x), Math.abs(y), Math.abs(z));
  }

  /** By how much a ray may pass the box of a line, or of points, that it hits. */
  #reach(raycaster: Raycaster): number {
    const { Line, Points } = (raycaster.params ?? {}) as Partial<Raycaster['params']>;
    const threshold = Math.max(
      this.#traits.lineStretch * (Line?.threshold ?? 0),
      this.#traits.pointStretch * (Points?.threshold ?? 0),
    );
    return Math.min(this.#rounding(raycaster, ROUNDING_OF_SQUARES) + Math.max(threshold, 0), Number.MAX_VALUE);
  }

  /** Casts at the objects that no bounds speak for; returns those that forbid to look below them. */
  #castUnbound(
    unbound: ReadonlySet<ObjectRecord>,
    raycaster: Raycaster,
    found: Found[],
    root: Object3D | null,
  ): Set<ObjectRecord> {
    const blocked = new Set<ObjectRecord>();
    if (unbound.size === 0) return blocked;
    const all = [...unbound];
    this.#tracker.walkOrder.sort(all);
    for (const record of all) {
      if (root !== null && !isUnder(record, root)) continue;
      if (!isBelow(record, blocked) && castAt(record, raycaster, found) === false) blocked.add(record);
    }
    return blocked;
  }

  /** By distance; hits at the same distance in the order in which three visits their objects. */
  #sort(found: Found[]): Found[] {
    if (found.some(isNowhere)) {
      this.#sortByVisits(found);
      // What this makes of distances that are NaN depends on the algorithm and on the order before: both are three's.
      return found.sort((a, b) => a.hit.distance - b.hit.distance);
    }
    found.sort((a, b) => a.hit.distance - b.hit.distance);
    const hasTies = found.some(
      ({ hit, record }, i) => i > 0 && hit.distance === found[i - 1].hit.distance && record !== found[i - 1].record,
    );
    if (!hasTies) return found;
    this.#tracker.walkOrder.number(found.map(({ record }) => record));
    return found.sort((a, b) => a.hit.distance - b.hit.distance || a.record.order - b.record.order);
  }

  #sortByVisits(found: Found[]): Found[] {
    this.#tracker.walkOrder.number(found.map(({ record }) => record));
    return found.sort((a, b) => a.record.order - b.record.order);
  }
}

/** True for a hit at no distance that is a number, as three finds them by matrices that have no inverse. */
function isNowhere({ hit }: Found): boolean {
  return Number.isNaN(hit.distance);
}

/** Casts at entries whose bounds a ray meets, of those that `isWanted`. */
function castNear(
  { records, distances }: Met,
  raycaster: Raycaster,
  found: Found[],
  stopEarly: boolean,
  isWanted: (record: ObjectRecord) => boolean,
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

/** Has an object cast, a LOD with all that is below it; returns false when it forbids to look below it. */
function castAt(record: ObjectRecord, raycaster: Raycaster, found: Found[]): unknown {
  const { object } = record;
  const hits: Intersection[] = [];
  let result: unknown;
  if ((object as Flags).isLOD) raycaster.intersectObject(object, true, unsorted(hits));
  else if ((maskOf(object) & raycaster.layers.mask) !== 0) result = raycastOf(object).call(object, raycaster, hits);
  for (const hit of hits) found.push({ hit, record });
  return result;
}

/** Hits that three leaves in the order of its visits, from which follows that of hits at no distance. */
function unsorted(hits: Intersection[]): Intersection[] {
  return Object.defineProperty(hits, 'sort', { value: () => hits });
}

function nearestOf(found: Found[], from: number, nearest: number): number {
  for (let i = from; i < found.length; i++) if (found[i].hit.distance < nearest) nearest = found[i].hit.distance;
  return nearest;
}

/** True for what lies below a root; what was added from elsewhere does not, nor does the root. */
function isUnder({ parent }: ObjectRecord, root: Object3D): boolean {
  let r = parent;
  while (r !== null && r.object !== root) r = r.parent;
  return r !== null;
}

function isBelow(record: ObjectRecord, blocked: Set<ObjectRecord>): boolean {
  if (blocked.size === 0) return false;
  for (let r = record.parent; r !== null; r = r.parent) if (blocked.has(r)) return true;
  return false;
}
