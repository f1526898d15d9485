import { BOX } from '../box.js';
import { inWords } from '../options.js';
import { Ray } from './Ray.js';
import { SHAPE_ROUNDING, Shape } from './Shape.js';
import { exchange, type PointLike, readPoint } from './vectors.js';

/**
 * A capsule to query with: all points within a radius of a segment.
 *
 * The test is exact and needs no iteration. For a point that moves along the segment, the squared distance to a box is
 * a convex function of time: parabolas, joined at the times of crossing the plane of a side, six at most. The slope
 * never decreases, so each of these times narrows the interval around the minimum, in any order, until one parabola is
 * left (compare Eberly, Distance Between a Line Segment and an Axis-Aligned Box, Geometric Tools, 1999).
 *
 * @example
 * ```ts
 * import { Capsule } from 'three-scene-index/core';
 *
 * // Items within half a metre of a path.
 * const path = new Capsule([0, 1, 0], [10, 1, 5], 0.5);
 * for (const id of index.queryShape(path)) console.log(id);
 * ```
 */
export class Capsule extends Shape {
  /** @internal The path of the box around the ball at the start. It touches every box that the capsule touches. */
  override readonly path: Ray = new Ray();
  #from: Float64Array = new Float64Array(3);
  #to: Float64Array = new Float64Array(3);
  #radius = 0;
  readonly #start = new Float64Array(BOX);
  readonly #motion = new Float64Array(3);
  /** Position on the segment, 0 to 1; half the slope of the squared distance; that distance. See {@link #measure}. */
  readonly #gap = new Float64Array(3);

  /**
   * @param start One end of the segment, in world units.
   * @param end The other end. An equal point makes the capsule a ball.
   * @param radius In world units. Infinity is legal; zero makes the capsule a segment.
   * @throws TypeError or RangeError that names the argument.
   */
  constructor(start: PointLike, end: PointLike, radius: number) {
    super();
    this.set(start, end, radius);
  }

  /** Replaces all arguments, in the order of the constructor. Bad arguments throw and change nothing. */
  set(start: PointLike, end: PointLike, radius: number): this {
    const from = readPoint(start, 3, 'Capsule', 'start');
    const to = readPoint(end, 3, 'Capsule', 'end');
    if (typeof radius !== 'number') throw new TypeError(`Capsule.radius: must be a number, got ${inWords(radius)}`);
    if (!(radius >= 0)) throw new RangeError(`Capsule.radius: must not be negative, got ${radius}`);
    let largest = 0;
    for (let c = 0; c < 3; c++) {
      if (!Number.isFinite(to[c] - from[c])) {
        throw new RangeError('Capsule: start and end are too far apart: their distance overflows');
      }
      largest = Math.max(largest, Math.abs(from[c]), Math.abs(to[c]));
    }
    const reach = radius + SHAPE_ROUNDING * (radius + largest);
    for (let c = 0; c < 3; c++) {
      this.#start[c] = from[c] - reach;
      this.#start[c + 3] = from[c] + reach;
      this.#motion[c] = to[c] - from[c];
    }
    this.path.setSweep(this.#start, this.#motion, 'Capsule');
    this.#from = exchange(this.#from, from);
    this.#to = exchange(this.#to, to);
    this.#radius = radius;
    return this;
  }

  /** @internal */
  override touches(b: Float64Array): boolean {
    const within = this.#radius * this.#radius;
    const gap = this.#gap;
    gap[0] = 0;
    this.#measure(b);
    if (gap[2] <= within) return true;
    let s0 = gap[1];
    gap[0] = 1;
    this.#measure(b);
    if (gap[2] <= within) return true;
    let s1 = gap[1];
    if (s0 >= 0 || s1 <= 0) return false;
    // The slope is below zero at t0, and not at t1.
    let t0 = 0;
    let t1 = 1;
    for (let side = 0; side < BOX; side++) {
      const c = side < 3 ? side : side - 3;
      const t = (b[side] - this.#from[c]) / (this.#to[c] - this.#from[c]);
      // The test also skips times that are NaN or infinite.
      if (!(t > t0 && t < t1)) continue;
      gap[0] = t;
      this.#measure(b);
      if (gap[2] <= within) return true;
      if (gap[1] < 0) {
        t0 = t;
        s0 = gap[1];
      } else {
        t1 = t;
        s1 = gap[1];
      }
    }
    gap[0] = t0 + (t1 - t0) * (s0 / (s0 - s1));
    this.#measure(b);
    return gap[2] <= within;
  }

  /**
   * Measures the squared distance between a box and the point at position `#gap[0]`; the segment's ends are exact. The
   * array holds argument and results, as numbers passed to a call that is not inlined are allocated on the heap.
   */
  #measure(b: Float64Array): void {
    const from = this.#from;
    const to = this.#to;
    const t = this.#gap[0];
    let slope = 0;
    let distance = 0;
    for (let c = 0; c < 3; c++) {
      const motion = to[c] - from[c];
      const p = t < 0.5 ? from[c] + t * motion : to[c] - (1 - t) * motion;
      const off = p < b[c] ? p - b[c] : p > b[c + 3] ? p - b[c + 3] : 0;
      slope += off * motion;
      distance += off * off;
    }
    this.#gap[1] = slope;
    this.#gap[2] = distance;
  }
}
