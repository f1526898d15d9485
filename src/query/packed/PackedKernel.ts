import type { Hits } from '../../core/lists/Hits.js';
import type { IdList } from '../../core/lists/IdList.js';
import type { PackedRows } from '../../core/packed/PackedRows.js';
import type { RoughPoint } from '../../core/packed/RoughPoint.js';
import type { RoughRay } from '../../core/packed/RoughRay.js';
import type { RoughVolume } from '../../core/packed/RoughVolume.js';
import type { PointDistance } from '../../core/shapes/PointDistance.js';
import type { Ray } from '../../core/shapes/Ray.js';
import type { Volume } from '../../core/shapes/Volume.js';
import type { Counters } from '../Counters.js';

/** Work over rows by a compiled kernel. What returns a boolean returns false when that is not possible, now or at all. */
export interface PackedKernel {
  /** Bytes held besides the arrays of the rows. */
  readonly bytes: number;
  /** See `packedOverlap`. */
  overlap(
    rows: PackedRows,
    volume: Volume,
    rough: RoughVolume,
    counters: Counters,
    out: IdList,
    inside: IdList,
  ): boolean;
  /** See `packedRaycast`. */
  raycast(rows: PackedRows, ray: Ray, rough: RoughRay, counters: Counters, out: Hits): boolean;
  /** See `packedRaycastFirst`. */
  raycastFirst(rows: PackedRows, ray: Ray, rough: RoughRay, counters: Counters, out: Hits): boolean;
  /** See `packedNearest`; hits come as a heap, as `Hits.keepNearest` keeps them. */
  nearest(
    rows: PackedRows,
    point: PointDistance,
    rough: RoughPoint,
    count: number,
    counters: Counters,
    out: Hits,
  ): boolean;
  /** See `PackedRows.fill`. */
  fill(rows: PackedRows, from: number, to: number): boolean;
  /** See `PackedRows.refit`. */
  refit(rows: PackedRows, from: number, to: number): boolean;
  /** See `PackedRows.move`. */
  move(rows: PackedRows, ids: ArrayLike<number>, refits: boolean, left: IdList): boolean;
  /** Returns the kernel when the rows have become too few for it. */
  release(rows: PackedRows): void;
}
