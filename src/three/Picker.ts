import type { Intersection, Object3D, Raycaster } from 'three';
import type { RayLike } from '../core/Ray.js';
import type { Entries } from './Entries.js';
import { raycastOf } from './raycastOf.js';
import type { Flags, Tracked } from './Tracked.js';
import type { Tracker } from './Tracker.js';
import type { Traits } from './Traits.js';

interface Found {
  hit: Intersection;
  record: Tracked;
}

/**
 * Boxes are widened by this share of the ray's and the scene's coordinates: an object's own `raycast` rounds otherwise
 * than the test of its box does, and decides.
 */
const ROUNDING = 1e-9;

/**
 * Picks as three's `Raycaster` does: the index names the objects whose bounds the ray meets, their own `raycast` does the
 * rest. Same objects, distances, faces and order as `raycaster.intersectObject(root)`.
 */
export class Picker {
  readonly #tracker: Tracker;
  readonly #traits: Traits;
  readonly #entries: Entries;

  constructor(tracker: Tracker, traits: Traits, entries: Entries) {
    this.#tracker = tracker;
    this.#traits = traits;
    this.#entries = entries;
  }

  /** All hits, nearest first, into `out`. */
  all(raycaster: Raycaster, out: Intersection[]): Intersection[] {
    out.length = 0;
    for (const { hit } of this.#cast(raycaster, false)) out.push(hit);
    return out;
  }

  /**
   * Adds what lies below the root to hits of a raycaster that has been at the root itself: all of it, or with the
   * raycaster's `firstHitOnly`, a property that three-mesh-bvh introduced, the nearest of it alone.
   */
  below(root: Object3D, raycaster: Raycaster, out: Intersection[]): void {
    const firstOnly = (raycaster as { firstHitOnly?: boolean }).firstHitOnly === true;
    const found = this.#cast(raycaster, firstOnly, root);
    for (const { hit } of firstOnly ? found.slice(0, 1) : found) out.push(hit);
  }

  /** The first of them. Objects are visited nearest bounds first, until none can be nearer than the best hit. */
  first(raycaster: Raycaster): Intersection | null {
    return this.#cast(raycaster, true)[0]?.hit ?? null;
  }

  /** Grows with every change of the index. */
  get version(): number {
    return this.#entries.version;
  }

  /** Calls `visit` for every entry that a ray may hit, in no order. */
  eachCandidate(raycaster: Raycaster, visit: (record: Tracked) => void): void {
    for (const record of this.#traits.alwaysPicked) visit(record);
    for (const margin of [this.#rounding(raycaster), this.#reach(raycaster)]) {
      const ray = toRay(raycaster, margin);
      if (ray === null) continue;
      const { ids, length } = this.#entries.index.ray(ray);
      for (let i = 0; i < length; i++) {
        const record = this.#entries.byId[ids[i]];
        if (record) visit(record);
      }
      if (this.#traits.thin.size === 0) return;
    }
  }

  /** All hits in order; with `stopEarly` at least those nearest. */
  #cast(raycaster: Raycaster, stopEarly: boolean, except: Object3D | null = null): Found[] {
    const found: Found[] = [];
    const blocked = this.#castAlways(raycaster, found, except);
    const isWanted = (record: Tracked) => record.object !== except && !isBelow(record, blocked);
    const { thin } = this.#traits;
    this.#castNear(
      raycaster,
      this.#rounding(raycaster),
      found,
      stopEarly,
      (record) => !thin.has(record) && isWanted(record),
    );
    // Lines and points are asked for by themselves: their threshold would let in far too much else.
    if (thin.size > 0) {
      this.#castNear(
        raycaster,
        this.#reach(raycaster),
        found,
        stopEarly,
        (record) => thin.has(record) && isWanted(record),
      );
    }
    this.#sort(found);
    return found;
  }

  /** By how much rounding may put a box beside a ray that hits the object in it. */
  #rounding({ ray }: Raycaster): number {
    const { x, y, z } = ray.origin;
    return ROUNDING * Math.max(this.#entries.farthest, Math.abs(x), Math.abs(y), Math.abs(z));
  }

  /** By how much a ray may pass the box of a line, or of points, that it hits. */
  #reach(raycaster: Raycaster): number {
    const { Line, Points } = raycaster.params as Partial<Raycaster['params']>;
    const threshold = Math.max(
      this.#traits.lineStretch * (Line?.threshold ?? 0),
      this.#traits.pointStretch * (Points?.threshold ?? 0),
    );
    return Math.min(this.#rounding(raycaster) + Math.max(threshold, 0), Number.MAX_VALUE);
  }

  /** Casts at the objects that no bounds speak for; returns those that forbid to look below them. */
  #castAlways(raycaster: Raycaster, found: Found[], except: Object3D | null): Set<Tracked> {
    const blocked = new Set<Tracked>();
    if (this.#traits.alwaysPicked.size === 0) return blocked;
    const always = [...this.#traits.alwaysPicked];
    this.#tracker.walkOrder.sort(always);
    for (const record of always) {
      if (record.object === except) continue;
      if (!isBelow(record, blocked) && castAt(record, raycaster, found) === false) blocked.add(record);
    }
    return blocked;
  }

  /** Casts at the entries whose bounds the ray meets, of those that `isWanted`. */
  #castNear(
    raycaster: Raycaster,
    margin: number,
    found: Found[],
    stopEarly: boolean,
    isWanted: (record: Tracked) => boolean,
  ): void {
    const ray = toRay(raycaster, margin);
    if (ray === null) return;
    // A list of its own for each pick: a `raycast` of the user's may pick as well.
    const candidates = this.#entries.index.ray(ray);
    let nearest = stopEarly ? nearestOf(found, 0, Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
    for (let i = 0; i < candidates.length && candidates.distances[i] <= nearest; i++) {
      // An earlier `raycast` of this pick may have taken the object out of the scene.
      const record = this.#entries.byId[candidates.ids[i]];
      if (!record || this.#traits.alwaysPicked.has(record) || !isWanted(record)) continue;
      const before = found.length;
      castAt(record, raycaster, found);
      if (stopEarly) nearest = nearestOf(found, before, nearest);
    }
  }

  /** By distance; hits at the same distance in the order in which three visits their objects. */
  #sort(found: Found[]): void {
    found.sort((a, b) => a.hit.distance - b.hit.distance);
    const hasTies = found.some(
      ({ hit, record }, i) => i > 0 && hit.distance === found[i - 1].hit.distance && record !== found[i - 1].record,
    );
    if (!hasTies) return;
    this.#tracker.walkOrder.number(found.map(({ record }) => record));
    found.sort((a, b) => a.hit.distance - b.hit.distance || a.record.order - b.record.order);
  }
}

/** Has an object cast, a LOD with all that is below it; returns false when it forbids to look below it. */
function castAt(record: Tracked, raycaster: Raycaster, found: Found[]): unknown {
  const { object } = record;
  const hits: Intersection[] = [];
  let result: unknown;
  if ((object as Flags).isLOD) raycaster.intersectObject(object, true, hits);
  // Masks are compared here, as a gate and a cloak take a test for that of a pass.
  else if ((object.layers.mask & raycaster.layers.mask) !== 0) result = raycastOf(object).call(object, raycaster, hits);
  for (const hit of hits) found.push({ hit, record });
  return result;
}

function nearestOf(found: Found[], from: number, nearest: number): number {
  for (let i = from; i < found.length; i++) if (found[i].hit.distance < nearest) nearest = found[i].hit.distance;
  return nearest;
}

function isBelow(record: Tracked, blocked: Set<Tracked>): boolean {
  if (blocked.size === 0) return false;
  for (let r = record.parent; r !== null; r = r.parent) if (blocked.has(r)) return true;
  return false;
}

/** The ray as the core takes it; null where it can hit nothing. */
function toRay({ ray, near, far }: Raycaster, margin: number): RayLike | null {
  const origin = ray.origin.toArray();
  const direction = ray.direction.toArray();
  const isRay = origin.every(Number.isFinite) && direction.every(Number.isFinite) && direction.some((c) => c !== 0);
  if (!isRay || !(far >= Math.max(near, 0))) return null;
  return { origin, direction, near: Math.max(near, 0), far, margin };
}
