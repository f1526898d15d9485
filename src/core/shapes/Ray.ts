import { BOX, ROW, readBox } from '../box.js';
import { inWords } from '../options.js';
import { type DistanceQuery, NODE_ENTRY } from './PointDistance.js';
import { readVector } from './vectors.js';

/** A ray: a start point, a direction and the distances that count. */
export interface RayLike {
  /** Start point, three finite numbers. */
  origin: ArrayLike<number>;
  /** Direction, three finite numbers, not all zero. Its length is ignored: distances are in world units. */
  direction: ArrayLike<number>;
  /** Nearest distance that counts. Default 0. */
  near?: number;
  /** Farthest distance that counts. Default Infinity. Hits at exactly `near` or `far` count. */
  far?: number;
  /** Enlarges every box by this much on all sides, in world units. Default 0. */
  margin?: number;
}

/** Largest and smallest length of a direction whose squares cannot overflow or underflow. */
const LONGEST_RAY = 2 ** 500;
const SHORTEST_RAY = 2 ** -500;

/**
 * A checked ray, or a box that moves along a straight line, ready for the slab test (Kay and Kajiya, Ray Tracing
 * Complex Scenes, 1986).
 *
 * On each axis the side met first is the minimum when the direction is positive or zero, else the maximum. A direction
 * of zero (of either sign) has the inverse +Infinity, so (side - origin) * inverse is ±Infinity, which leaves the
 * interval alone or empties it, or NaN when the ray runs in the side itself. All comparisons are written so that NaN
 * leaves the interval as it is: a ray in a face touches the box.
 *
 * A moving box meets another from the time when its front gets to that box until its rear leaves it. So it is a ray:
 * sides met first are measured from its front, sides met last from its rear. A plain ray measures both from its origin.
 */
export class Ray implements DistanceQuery {
  readonly interval: Float64Array = new Float64Array(2);
  /** Distances at which the boxes tested last are entered, at least `near`. */
  readonly distances: Float64Array = new Float64Array(ROW + 1);
  /** For each axis 1 divided by the direction, which has length 1 for a ray; +Infinity for a direction of 0. */
  readonly inverse: Float64Array = new Float64Array(3);
  /** Points from which the sides met first, and last, are measured: the origin moved by the margin, or box sides. */
  readonly first: Float64Array = new Float64Array(3);
  readonly last: Float64Array = new Float64Array(3);
  /** For each axis the side met first: 0 for the minimum, 3 for the maximum. */
  readonly side: Int32Array = new Int32Array(3);
  /** Copies of the caller's start point or moving box, and of the direction or motion. */
  readonly #start = new Float64Array(3);
  readonly #swept = new Float64Array(BOX);
  readonly #way = new Float64Array(3);

  /** Copies and checks a caller's ray. */
  set(ray: RayLike, where: string): this {
    if (ray === null || typeof ray !== 'object')
      throw new TypeError(`${where}: a ray must be an object, got ${inWords(ray)}`);
    const { origin, direction, near = 0, far = Number.POSITIVE_INFINITY, margin = 0 } = ray;
    readVector(origin, this.#start, where, 'origin');
    readVector(direction, this.#way, where, 'direction');
    checkDistances(near, far, margin, where);
    const way = this.#way;
    const largest = Math.max(Math.abs(way[0]), Math.abs(way[1]), Math.abs(way[2]));
    if (largest === 0) throw new RangeError(`${where}.direction: must not be zero, got ${way.join(' ')}`);
    // The direction is scaled if squares would overflow or underflow; powers of two are exact.
    const scale = largest > LONGEST_RAY || largest < SHORTEST_RAY ? 2 ** -Math.round(Math.log2(largest)) : 1;
    const x = way[0] * scale;
    const y = way[1] * scale;
    const z = way[2] * scale;
    const length = Math.sqrt(x * x + y * y + z * z);
    for (let i = 0; i < 3; i++) {
      way[i] = (way[i] * scale) / length;
      this.first[i] = this.#start[i] + margin;
      this.last[i] = this.#start[i] - margin;
    }
    return this.#turn(near, far);
  }

  /** Copies and checks a caller's box and its motion, of any length; distances are shares of the motion, 0 to 1. */
  setSweep(box: ArrayLike<number>, motion: ArrayLike<number>, where: string): this {
    readBox(box, this.#swept, where);
    readVector(motion, this.#way, where, 'motion');
    for (let i = 0; i < 3; i++) {
      this.first[i] = this.#swept[i + 3];
      this.last[i] = this.#swept[i];
    }
    return this.#turn(0, 1);
  }

  /** Copies and checks the ends of a segment; distances are shares of its length, 0 to 1. */
  setSegment(from: ArrayLike<number>, to: ArrayLike<number>, where: string): this {
    readVector(from, this.#start, where, 'from');
    readVector(to, this.#way, where, 'to');
    for (let i = 0; i < 3; i++) {
      this.#way[i] -= this.#start[i];
      if (!Number.isFinite(this.#way[i])) {
        throw new RangeError(`${where}: from and to are too far apart: their distance overflows`);
      }
      this.first[i] = this.last[i] = this.#start[i];
    }
    return this.#turn(0, 1);
  }

  /** Sets `interval`, `inverse` and `side`; swaps `first` and `last` on axes with a negative direction. */
  #turn(near: number, far: number): this {
    this.interval[0] = near;
    this.interval[1] = far;
    for (let i = 0; i < 3; i++) {
      const motion = this.#way[i];
      this.inverse[i] = motion === 0 ? Number.POSITIVE_INFINITY : 1 / motion;
      const isUp = this.inverse[i] > 0;
      this.side[i] = isUp ? 0 : 3;
      if (isUp) continue;
      const upper = this.first[i];
      this.first[i] = this.last[i];
      this.last[i] = upper;
    }
    return this;
  }

  meets(b: Float64Array, o: number): boolean {
    const first = this.first;
    const last = this.last;
    const inverse = this.inverse;
    const side = this.side;
    let enter = this.interval[0];
    let leave = this.interval[1];
    const ax = (b[o + side[0]] - first[0]) * inverse[0];
    if (ax > enter) enter = ax;
    const zx = (b[o + 3 - side[0]] - last[0]) * inverse[0];
    if (zx < leave) leave = zx;
    const ay = (b[o + 1 + side[1]] - first[1]) * inverse[1];
    if (ay > enter) enter = ay;
    const zy = (b[o + 4 - side[1]] - last[1]) * inverse[1];
    if (zy < leave) leave = zy;
    const az = (b[o + 2 + side[2]] - first[2]) * inverse[2];
    if (az > enter) enter = az;
    const zz = (b[o + 5 - side[2]] - last[2]) * inverse[2];
    if (zz < leave) leave = zz;
    this.distances[NODE_ENTRY] = enter;
    // `enter` and `leave` are both +Infinity if the ray runs beside a box that is unbounded along it.
    return enter <= leave && enter < Number.POSITIVE_INFINITY;
  }
}

function checkDistances(near: number, far: number, margin: number, where: string): void {
  if (typeof near !== 'number' || typeof far !== 'number' || typeof margin !== 'number') {
    throw new TypeError(
      `${where}: near, far and margin must be numbers, got ${inWords(near)}, ${inWords(far)}, ${inWords(margin)}`,
    );
  }
  if (!(near >= 0 && far >= near))
    throw new RangeError(`${where}: must satisfy 0 <= near <= far, got ${near} and ${far}`);
  if (!(margin >= 0 && margin < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`${where}.margin: must be finite and not negative, got ${margin}`);
  }
}
