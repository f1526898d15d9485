import type { PointDistance } from '../core/shapes/PointDistance.js';
import type { Ray } from '../core/shapes/Ray.js';
import type { Frame } from './PackedRows.js';
import { FAR, TINY } from './RoughVolume.js';

const { fround } = Math;

/** A query by distance, tested against boxes in rows. */
export interface RoughDistance {
  /** The entry distance of the box that `meets` tested last, or its square: no hit in the box is nearer. */
  readonly entry: Float32Array;
  /** True to sort boxes by `entry` only within their quad, false to sort them among all boxes on the stack. */
  readonly isSortedByQuad: boolean;
  /** True when something in the box at `at` may be a hit. */
  meets(boxes: Float32Array, at: number): boolean;
  /** True when nothing in a box with this value of `entry` can be a hit any more. */
  excludes(entry: number): boolean;
  /** Sets the largest distance of a hit, in world units. */
  limit(distance: number): void;
}

/** Inverse directions are clamped to this: larger ones do not matter to a ray with a largest component of 1. */
const STEEPEST = 2 ** 90;
/** The factor by which a ray may leave a box later than computed. */
const LATER: number = fround(1 + 2 ** -19);

/**
 * A ray, or a moving box, tested against boxes in rows. It meets all boxes that the exact ray meets, and perhaps a few
 * more. Distances are in units that make the largest component of the direction 1.
 *
 * Sides met first and sides met last are measured from two origins, moved apart by more than rounding takes back;
 * `LATER` makes up for the rounding of products. NaN leaves the interval unchanged.
 */
export class RoughRay implements RoughDistance {
  /** Three numbers each: inverse direction, origin of the sides met first, of the sides met last; then the interval. */
  readonly numbers: Float32Array = new Float32Array(11);
  /** Distance along this ray per unit of distance along the exact ray. */
  perUnit = 1;
  readonly isSortedByQuad = true;
  readonly entry: Float32Array = new Float32Array(1);

  /** @param largest The largest coordinate in any row. */
  set({ inverse, first, last, interval }: Ray, frame: Frame, largest: number): void {
    const { numbers } = this;
    const least = Math.min(Math.abs(inverse[0]), Math.abs(inverse[1]), Math.abs(inverse[2]));
    const unit = least === Number.POSITIVE_INFINITY ? 1 : least;
    this.perUnit = frame.scale / unit;
    // All axes share one error: an axis along which the ray hardly moves must allow for its way along the other axes.
    let most = largest;
    for (let c = 0; c < 3; c++) {
      most = Math.max(most, Math.abs(frame.map(first[c], c)), Math.abs(frame.map(last[c], c)));
    }
    const error = 2 ** -19 * most + TINY;
    for (let c = 0; c < 3; c++) {
      const isUp = inverse[c] > 0;
      const from = frame.map(first[c], c);
      const to = frame.map(last[c], c);
      numbers[c] = Math.min(Math.max(inverse[c] / unit, -STEEPEST), STEEPEST);
      numbers[c + 3] = isUp ? from + error : from - error;
      numbers[c + 6] = isUp ? to - error : to + error;
      if (error > FAR) numbers[c + 3] = numbers[c + 6] = Number.NaN;
    }
    const near = interval[0] * this.perUnit * (1 - 2 ** -20);
    numbers[9] = near <= FAR ? near : 0;
    this.limit(interval[1]);
  }

  limit(distance: number): void {
    const far = distance * this.perUnit * (1 + 2 ** -20) + TINY;
    this.numbers[10] = far <= FAR ? far : Number.POSITIVE_INFINITY;
  }

  excludes(entry: number): boolean {
    return entry > this.numbers[10];
  }

  meets(b: Float32Array, at: number): boolean {
    const q = this.numbers;
    const firstX = q[0] > 0 ? at : at + 12;
    const firstY = q[1] > 0 ? at + 4 : at + 16;
    const firstZ = q[2] > 0 ? at + 8 : at + 20;
    let enter = q[9];
    let leave = q[10];
    const x0 = fround(fround(b[firstX] - q[3]) * q[0]);
    if (x0 > enter) enter = x0;
    const x1 = fround(fround(b[2 * at + 12 - firstX] - q[6]) * q[0]);
    if (x1 < leave) leave = x1;
    const y0 = fround(fround(b[firstY] - q[4]) * q[1]);
    if (y0 > enter) enter = y0;
    const y1 = fround(fround(b[2 * at + 20 - firstY] - q[7]) * q[1]);
    if (y1 < leave) leave = y1;
    const z0 = fround(fround(b[firstZ] - q[5]) * q[2]);
    if (z0 > enter) enter = z0;
    const z1 = fround(fround(b[2 * at + 28 - firstZ] - q[8]) * q[2]);
    if (z1 < leave) leave = z1;
    this.entry[0] = enter;
    return enter <= fround(leave * LATER);
  }
}

/** A point and its squared distances to boxes in rows. No item in a box is nearer than the box. NaN counts as near. */
export class RoughPoint implements RoughDistance {
  /** The point moved up, for minima of boxes; moved down, for their maxima; and the largest squared distance. */
  readonly numbers: Float32Array = new Float32Array(7);
  readonly isSortedByQuad = false;
  readonly entry: Float32Array = new Float32Array(1);
  /** Units of rows per unit of the world. */
  scale = 1;

  /** @param largest The largest coordinate in any row. */
  set({ point, interval }: PointDistance, frame: Frame, largest: number): void {
    let most = largest;
    for (let c = 0; c < 3; c++) most = Math.max(most, Math.abs(frame.map(point[c], c)));
    const error = 2 ** -22 * most + TINY;
    for (let c = 0; c < 3; c++) {
      this.numbers[c] = frame.map(point[c], c) + error;
      this.numbers[c + 3] = frame.map(point[c], c) - error;
    }
    this.scale = frame.scale;
    this.limit(interval[1]);
  }

  limit(distance: number): void {
    const far = distance * this.scale * (1 + 2 ** -20) + TINY;
    this.numbers[6] = far * far * (1 + 2 ** -20);
  }

  excludes(square: number): boolean {
    return square > this.numbers[6];
  }

  meets(b: Float32Array, at: number): boolean {
    const q = this.numbers;
    const x = Math.max(fround(b[at] - q[0]), fround(q[3] - b[at + 12]), 0);
    const y = Math.max(fround(b[at + 4] - q[1]), fround(q[4] - b[at + 16]), 0);
    const z = Math.max(fround(b[at + 8] - q[2]), fround(q[5] - b[at + 20]), 0);
    const square = fround(fround(fround(x * x) + fround(y * y)) + fround(z * z));
    this.entry[0] = square;
    return !(square > q[6]);
  }
}
