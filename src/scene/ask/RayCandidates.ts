import type { Raycaster } from 'three';
import type { Entries } from '../follow/Entries.js';
import type { Traits } from '../follow/Traits.js';
import { isRigid } from '../objects/distortion.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';

/** Entries whose bounds a ray meets, nearest first. */
export interface RayEntries {
  readonly records: readonly (ObjectRecord | null)[];
  /** Distances at which the ray meets the bounds; null if unknown. */
  readonly distances: ArrayLike<number> | null;
}

const NO_ENTRIES: RayEntries = { records: [], distances: null };
export const NO_RECORDS: ReadonlySet<ObjectRecord> = new Set();

/**
 * Bounds are widened by this share of the ray's and the scene's coordinates: an object's own `raycast` decides, and
 * rounds differently from the test of its box.
 */
const RAY_ROUNDING = 1e-9;
/**
 * The share for lines and points. three computes the square of their distance from a ray as a difference of squared
 * coordinates: a rounding error of the square is a far larger error of the distance, its root.
 */
const ROUNDING_OF_SQUARES = 1e-6;

export class RayCandidates {
  readonly #traits: Traits;
  readonly #entries: Entries;

  constructor(traits: Traits, entries: Entries) {
    this.#traits = traits;
    this.#entries = entries;
  }

  /** Calls `visit` for every entry that a ray may hit, in no order. */
  each(raycaster: Raycaster, visit: (record: ObjectRecord) => void): void {
    for (const record of this.unindexed(raycaster)) visit(record);
    for (const { records } of [this.alongRay(raycaster), this.nearRay(raycaster)]) {
      for (const record of records) if (record) visit(record);
    }
  }

  alongRay(raycaster: Raycaster): RayEntries {
    return this.#within(raycaster, this.#rounding(raycaster, RAY_ROUNDING));
  }

  /** Entries whose bounds a ray meets within the thresholds of lines and points: margins too wide for other objects. */
  nearRay(raycaster: Raycaster): RayEntries {
    if (this.#traits.wide.size === 0) return NO_ENTRIES;
    const { Line, Points } = (raycaster.params ?? {}) as Partial<Raycaster['params']>;
    const threshold = Math.max(
      this.#traits.lineStretch * (Line?.threshold ?? 0),
      this.#traits.pointStretch * (Points?.threshold ?? 0),
    );
    const margin = this.#rounding(raycaster, ROUNDING_OF_SQUARES) + Math.max(threshold, 0);
    return this.#within(raycaster, Math.min(margin, Number.MAX_VALUE));
  }

  /** Objects to be cast at wherever they are: hits may lie outside their bounds, or their entry is postponed. */
  unindexed(raycaster: Raycaster): ReadonlySet<ObjectRecord> {
    const { alwaysPicked, sprites } = this.#traits;
    const { postponed } = this.#entries;
    const displaced = this.hasDisplacedSprites(raycaster) ? sprites : NO_RECORDS;
    if (displaced.size + postponed.size === 0) return alwaysPicked;
    return new Set([...alwaysPicked, ...displaced, ...postponed.keys()]);
  }

  /**
   * True when a ray may hit sprites outside their bounds: three tests sprites in the view of the raycaster's camera,
   * and carries the hit back by the camera's world matrix, including scale.
   */
  hasDisplacedSprites({ camera }: Raycaster): boolean {
    return this.#traits.sprites.size > 0 && Boolean(camera) && !isRigid(camera.matrixWorld);
  }

  /** Entries whose bounds, widened by a margin, the ray meets; all entries if the core cannot test the ray. */
  #within({ ray, near, far }: Raycaster, margin: number): RayEntries {
    const { measured: index, byId } = this.#entries;
    // NaN and other types are no limit, as in three's comparisons.
    const nearest = typeof near === 'number' && near > 0 ? near : 0;
    const farthest = typeof far === 'number' && !Number.isNaN(far) ? far : Number.POSITIVE_INFINITY;
    if (farthest < nearest) return NO_ENTRIES;
    const { origin: o, direction: d } = ray;
    const hasDirection = d.x !== 0 || d.y !== 0 || d.z !== 0;
    if (!hasDirection || !Number.isFinite(o.x + o.y + o.z + d.x + d.y + d.z + margin)) {
      return { records: [...byId.records], distances: null };
    }
    const origin = [o.x, o.y, o.z];
    const direction = [d.x, d.y, d.z];
    const { ids, distances, length } = index.raycast({ origin, direction, near: nearest, far: farthest, margin });
    const records: (ObjectRecord | null)[] = [];
    for (let i = 0; i < length; i++) records.push(byId.records[ids[i]]);
    return { records, distances };
  }

  /** Largest distance, by rounding alone, between a box and a ray that hits the object in it. */
  #rounding({ ray }: Raycaster, share: number): number {
    const { x, y, z } = ray.origin;
    return share * Math.max(this.#entries.maxAbsCoordinate, Math.abs(x), Math.abs(y), Math.abs(z));
  }
}
