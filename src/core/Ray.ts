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
  readonly origin: Float64Array = new Float64Array(3);
  /** 1 / direction of unit length. */
  readonly inverse: Float64Array = new Float64Array(3);
  near = 0;
  far = 0;
  margin = 0;

  /** Copies and checks a caller's ray. */
  set(ray: RayLike, where: string): void {
    if (ray === null || typeof ray !== 'object')
      throw new TypeError(`${where}: a ray is an object, got ${String(ray)}`);
    const { origin, direction, near = 0, far = Number.POSITIVE_INFINITY, margin = 0 } = ray;
    checkVector(origin, `${where}.origin`);
    checkVector(direction, `${where}.direction`);
    if (typeof near !== 'number' || typeof far !== 'number' || typeof margin !== 'number') {
      throw new TypeError(
        `${where}: near, far and margin are numbers, got ${String(near)}, ${String(far)}, ${String(margin)}`,
      );
    }
    if (!(near >= 0 && far >= near))
      throw new RangeError(`${where}: 0 <= near <= far must hold, got ${near} and ${far}`);
    if (!(margin >= 0 && margin < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`${where}.margin: must be finite and not negative, got ${margin}`);
    }
    const length = Math.hypot(direction[0], direction[1], direction[2]);
    if (!(length > 0 && length < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`${where}.direction: must have a length, got ${Array.from(direction).join(' ')}`);
    }
    for (let i = 0; i < 3; i++) {
      this.origin[i] = origin[i];
      const d = direction[i] / length;
      this.inverse[i] = d === 0 ? Number.POSITIVE_INFINITY : 1 / d;
    }
    this.near = near;
    this.far = far;
    this.margin = margin;
  }

  /**
   * Distance at which the ray enters the box at `o`, at least `near`; +Infinity when it misses it, or meets it only
   * beyond `far`. The sides of a box are `stride` numbers apart, in the order minX minY minZ maxX maxY maxZ.
   */
  entry(b: Float64Array, o: number, stride: number, far: number): number {
    const { origin, inverse, margin } = this;
    let enter = this.near;
    let leave = far;
    for (let i = 0; i < 3; i++) {
      const inv = inverse[i];
      const low = b[o + i * stride] - margin;
      const high = b[o + (i + 3) * stride] + margin;
      const a = ((inv > 0 ? low : high) - origin[i]) * inv;
      const z = ((inv > 0 ? high : low) - origin[i]) * inv;
      if (a > enter) enter = a;
      if (z < leave) leave = z;
    }
    return enter <= leave ? enter : Number.POSITIVE_INFINITY;
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
