import type { Ray } from './Ray.js';
import type { Volume } from './Volume.js';

/** By this share of its coordinates what bounds a shape is widened, so that rounding does not cut the shape. */
export const ROUNDING: number = 2 ** -48;

/**
 * A region of space to ask an index about: an `OrientedBox`, a `Capsule` or a `Sector`.
 *
 * A walk finds candidates with something simpler around it, a region or the path of a moving box; the shape then tells of
 * one at a time whether it touches it. An index knows this class alone, so only the shapes that are used come along.
 */
export abstract class Shape {
  /** @internal The region that walks take for the shape, or null when they follow `path`. */
  readonly region: Volume | null = null;
  /** @internal A box that moves along the shape and covers it, or null. */
  readonly path: Ray | null = null;
  /** @internal True when the region is the shape, but for boxes with infinite sides: only with these `touches` is asked. */
  readonly isRegion: boolean = false;

  /** @internal True when a box that the region or the path touches touches the shape. */
  abstract touches(box: Float64Array): boolean;
}
