import type { Ray } from './Ray.js';
import type { Volume } from './Volume.js';

/** The bounds of a shape are widened by this share of its coordinates, so that rounding does not cut the shape. */
export const SHAPE_ROUNDING: number = 2 ** -48;

/**
 * A shape to query with: an `OrientedBox`, a `Capsule` or a `Sector`.
 *
 * A query finds candidates with something simpler around the shape, a region or the path of a moving box; the shape
 * then tests each candidate. An index imports this class alone, so a bundle holds only the shapes that are used.
 *
 * @example
 * ```ts
 * import { Capsule, Sector, type Shape } from 'three-scene-index/core';
 *
 * const shapes: Shape[] = [
 *   new Capsule([0, 1, 0], [10, 1, 5], 0.5),
 *   new Sector({ center: [0, 0], direction: [1, 0], radius: 30, angle: 1 }),
 * ];
 * for (const shape of shapes) console.log(index.queryShape(shape).length);
 * ```
 */
export abstract class Shape {
  /** @internal The region that queries use for the shape, or null if they use `path`. */
  readonly region: Volume | null = null;
  /** @internal A box that moves along the shape and covers it, or null. */
  readonly path: Ray | null = null;
  /** @internal True when the region equals the shape for bounded boxes: `touches` is called for unbounded ones only. */
  readonly isRegion: boolean = false;

  /** @internal True when a box touches the shape; called for boxes that touch the region or the path. */
  abstract touches(box: Float64Array): boolean;
}
