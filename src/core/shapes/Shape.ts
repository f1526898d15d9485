import type { Ray } from './Ray.js';
import type { Volume } from './Volume.js';

/** The bounds of a shape are widened by this share of its coordinates, so that rounding does not cut the shape. */
export const ROUNDING: number = 2 ** -48;

/**
 * A region of space to ask an index about: an `OrientedBox`, a `Capsule` or a `Sector`.
 *
 * A walk finds candidates with something simpler around the shape: a region, or the path of a moving box. The shape
 * then tests the candidates one by one. An index imports this class alone, so a bundle holds only the shapes that are
 * used.
 */
export abstract class Shape {
  /** @internal The region that walks use for the shape, or null if they use `path`. */
  readonly region: Volume | null = null;
  /** @internal A box that moves along the shape and covers it, or null. */
  readonly path: Ray | null = null;
  /**
   * @internal True when the region equals the shape, except for unbounded boxes: only if there are any, `touches` is
   * called.
   */
  readonly isRegion: boolean = false;

  /** @internal True when the box touches the shape. It is known to touch the region or the path. */
  abstract touches(box: Float64Array): boolean;
}
