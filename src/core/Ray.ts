import { GROUP, GROUP_BOXES, ROW } from './Rows.js';

/** A ray as the caller gives it. */
export interface RayLike {
  /** Start point, three finite numbers. */
  origin: ArrayLike<number>;
  /** Direction, three finite numbers of any length but zero; distances are in world units whatever its length. */
  direction: ArrayLike<number>;
  /** Nearest distance that counts. Default 0. */
  near?: number;
  /** Farthest distance that counts; near and far are a closed interval. Default Infinity. */
  far?: number;
  /** Every box is taken this much larger on all sides, in world units. Default 0. */
  margin?: number;
}

/**
 * A checked ray, ready for the slab test (Kay and Kajiya, Ray Tracing Complex Scenes, 1986).
 *
 * For each axis `near` sides are the minimum when the direction is positive or zero, else the maximum. A direction of
 * zero (of either sign) has the inverse +Infinity: then (side - origin) * inverse is -Infinity or +Infinity, which
 * leaves the interval alone or empties it, and NaN when the ray runs in the side itself. All comparisons are written so
 * that NaN leaves the interval as it is: a ray in a face touches the box.
 */
export class Ray {
  near = 0;
  far = 0;
  /** For each axis the inverse of the direction of unit length. */
  #ix = 0;
  #iy = 0;
  #iz = 0;
  /** For each axis which side is met first, 0 for the minimum, 3 for the maximum. */
  #sx = 0;
  #sy = 0;
  #sz = 0;
  /** Origin, moved by the margin: against it the sides met first and those met last are measured. */
  readonly #first = new Float64Array(3);
  readonly #last = new Float64Array(3);
  /** Entry distances of the boxes of a row, by slot, after {@link row}; only those named by its bits count. */
  readonly distances: Float64Array = new Float64Array(ROW);

  /** Copies and checks a caller's ray. */
  set(ray: RayLike, where: string): void {
    if (ray === null || typeof ray !== 'object')
      throw new TypeError(`${where}: a ray is an object, got ${String(ray)}`);
    const { origin, direction, near = 0, far = Number.POSITIVE_INFINITY, margin = 0 } = ray;
    checkVector(origin, `${where}.origin`);
    checkVector(direction, `${where}.direction`);
    checkDistances(near, far, margin, where);
    const largest = Math.max(Math.abs(direction[0]), Math.abs(direction[1]), Math.abs(direction[2]));
    if (largest === 0)
      throw new RangeError(`${where}.direction: must have a length, got ${Array.from(direction).join(' ')}`);
    // A length beyond what squares can be of is brought into their range first; powers of two change no digit.
    const scale = largest > 2 ** 500 || largest < 2 ** -500 ? 2 ** -Math.round(Math.log2(largest)) : 1;
    const length = Math.hypot(direction[0] * scale, direction[1] * scale, direction[2] * scale);
    this.#ix = inverse((direction[0] * scale) / length);
    this.#iy = inverse((direction[1] * scale) / length);
    this.#iz = inverse((direction[2] * scale) / length);
    this.#sx = this.#ix > 0 ? 0 : 3;
    this.#sy = this.#iy > 0 ? 0 : 3;
    this.#sz = this.#iz > 0 ? 0 : 3;
    for (let i = 0; i < 3; i++) {
      const shift = direction[i] >= 0 ? margin : -margin;
      this.#first[i] = origin[i] + shift;
      this.#last[i] = origin[i] - shift;
    }
    this.near = near;
    this.far = far;
  }

  /**
   * Distance at which the ray enters the box at `o`, at least `near`; +Infinity when it misses it, or meets it only
   * beyond `far`.
   */
  entry(b: Float64Array, o: number, far: number): number {
    const first = this.#first;
    const last = this.#last;
    let enter = this.near;
    let leave = far;
    const ax = (b[o + this.#sx] - first[0]) * this.#ix;
    if (ax > enter) enter = ax;
    const zx = (b[o + 3 - this.#sx] - last[0]) * this.#ix;
    if (zx < leave) leave = zx;
    const ay = (b[o + 1 + this.#sy] - first[1]) * this.#iy;
    if (ay > enter) enter = ay;
    const zy = (b[o + 4 - this.#sy] - last[1]) * this.#iy;
    if (zy < leave) leave = zy;
    const az = (b[o + 2 + this.#sz] - first[2]) * this.#iz;
    if (az > enter) enter = az;
    const zz = (b[o + 5 - this.#sz] - last[2]) * this.#iz;
    if (zz < leave) leave = zz;
    return enter <= leave ? enter : Number.POSITIVE_INFINITY;
  }

  /** The same for the first `size` boxes of the row at `o`: the slots that are met, as bits; see `distances`. */
  row(b: Float64Array, o: number, size: number, far: number): number {
    const { near, distances } = this;
    const ix = this.#ix;
    const iy = this.#iy;
    const iz = this.#iz;
    const fx = this.#first[0];
    const fy = this.#first[1];
    const fz = this.#first[2];
    const lx = this.#last[0];
    const ly = this.#last[1];
    const lz = this.#last[2];
    const ax = o + GROUP * this.#sx;
    const zx = o + GROUP * (3 - this.#sx);
    const ay = o + GROUP * (1 + this.#sy);
    const zy = o + GROUP * (4 - this.#sy);
    const az = o + GROUP * (2 + this.#sz);
    const zz = o + GROUP * (5 - this.#sz);
    let bits = 0;
    for (let k = 0; k < size; k++) {
      const at = (k >> 2) * GROUP_BOXES + (k & 3);
      let enter = near;
      let leave = far;
      const x0 = (b[ax + at] - fx) * ix;
      if (x0 > enter) enter = x0;
      const x1 = (b[zx + at] - lx) * ix;
      if (x1 < leave) leave = x1;
      if (enter > leave) continue;
      const y0 = (b[ay + at] - fy) * iy;
      if (y0 > enter) enter = y0;
      const y1 = (b[zy + at] - ly) * iy;
      if (y1 < leave) leave = y1;
      if (enter > leave) continue;
      const z0 = (b[az + at] - fz) * iz;
      if (z0 > enter) enter = z0;
      const z1 = (b[zz + at] - lz) * iz;
      if (z1 < leave) leave = z1;
      // Both are +Infinity where the ray runs beside a box that is unbounded along it.
      if (enter > leave || enter === Number.POSITIVE_INFINITY) continue;
      distances[k] = enter;
      bits |= 1 << k;
    }
    return bits;
  }
}

/** 1 / d, where both zeros count as positive. */
function inverse(d: number): number {
  return d === 0 ? Number.POSITIVE_INFINITY : 1 / d;
}

function checkDistances(near: number, far: number, margin: number, where: string): void {
  if (typeof near !== 'number' || typeof far !== 'number' || typeof margin !== 'number') {
    throw new TypeError(
      `${where}: near, far and margin are numbers, got ${String(near)}, ${String(far)}, ${String(margin)}`,
    );
  }
  if (!(near >= 0 && far >= near)) throw new RangeError(`${where}: 0 <= near <= far must hold, got ${near} and ${far}`);
  if (!(margin >= 0 && margin < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`${where}.margin: must be finite and not negative, got ${margin}`);
  }
}

function checkVector(v: ArrayLike<number>, where: string): void {
  if (v === null || typeof v !== 'object' || typeof v.length !== 'number') {
    throw new TypeError(`${where}: must be three numbers, got ${String(v)}`);
  }
  if (v.length !== 3) throw new RangeError(`${where}: must be three numbers, got ${v.length}`);
  for (let i = 0; i < 3; i++) {
    if (typeof v[i] !== 'number') throw new TypeError(`${where}: must be three numbers, got ${String(v[i])}`);
    if (!Number.isFinite(v[i])) throw new RangeError(`${where}: must be finite, got ${Array.from(v).join(' ')}`);
  }
}
