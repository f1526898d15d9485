import { inWords } from '../options.js';
import { BoxVolume } from './boxAndSphere.js';
import { SHAPE_ROUNDING, Shape } from './Shape.js';
import { exchange, type GroundPointLike, readPoint } from './vectors.js';

/** A sector of a circle on the XZ plane, such as a field of view. */
export interface SectorLike {
  /** The apex of the sector, x and z. */
  center: GroundPointLike;
  /** The direction of the middle, x and z, of any length but zero. */
  direction: GroundPointLike;
  /** The reach in world units, finite. */
  radius: number;
  /** The full opening in radians: more than 0, at most 2 pi. Math.PI is half a circle. */
  angle: number;
  /** The lowest height of the sector. Default -Infinity. */
  minY?: number;
  /** The greatest height of the sector. Default Infinity. */
  maxY?: number;
}

/**
 * A sector of a circle to query with, between two heights.
 *
 * The test is exact. The sector touches a rectangle when the part of the rectangle within the angle comes within the
 * radius of the apex. The nearest point of that part is either the nearest point of the whole rectangle, inside the
 * angle, as distance to a convex set has no other minimum; or on one of the two edges, at its entry into the rectangle.
 * This holds for any angle, above and below half a circle.
 *
 * @example
 * ```ts
 * import { Sector } from 'three-scene-index/core';
 *
 * // The view of a guard at the origin, looking along +X with an opening of 90 degrees.
 * const sight = new Sector({ center: [0, 0], direction: [1, 0], radius: 30, angle: Math.PI / 2 });
 * for (const id of index.queryShape(sight)) console.log(id);
 * ```
 */
export class Sector extends Shape {
  /** @internal The box around the sector, its height included. */
  override readonly region: BoxVolume = new BoxVolume();
  #center: Float64Array = new Float64Array(2);
  #middle: Float64Array = new Float64Array(2);
  /** Directions of the two edges: x and z of the edge from which the sector opens, x and z of the other edge. */
  readonly #edges = new Float64Array(4);
  #radius = 0;
  #angle = 0;

  /** @throws TypeError or RangeError that names the property. */
  constructor(sector: SectorLike) {
    super();
    this.set(sector);
  }

  /** Replaces the sector. A bad sector throws and changes nothing. */
  set(sector: SectorLike): this {
    if (sector === null || typeof sector !== 'object') {
      throw new TypeError(`Sector: must be an object, got ${inWords(sector)}`);
    }
    const {
      center,
      direction,
      radius,
      angle,
      minY = Number.NEGATIVE_INFINITY,
      maxY = Number.POSITIVE_INFINITY,
    } = sector;
    const apex = readPoint(center, 2, 'Sector', 'center');
    const middle = readPoint(direction, 2, 'Sector', 'direction');
    checkSizes(radius, angle, minY, maxY);
    if (middle[0] === 0 && middle[1] === 0) {
      throw new RangeError(`Sector.direction: must not be zero, got ${middle.join(' ')}`);
    }
    this.#center = exchange(this.#center, apex);
    this.#middle = exchange(this.#middle, middle);
    this.#radius = radius;
    this.#angle = angle;
    this.#turn();
    this.#bound(minY, maxY);
    return this;
  }

  /** @internal Tests X and Z alone; heights were tested by the region, the box around the sector. */
  override touches(b: Float64Array): boolean {
    const x = this.#center[0];
    const z = this.#center[1];
    const dx = (x < b[0] ? b[0] : x > b[3] ? b[3] : x) - x;
    const dz = (z < b[2] ? b[2] : z > b[5] ? b[5] : z) - z;
    if (!(dx * dx + dz * dz <= this.#radius * this.#radius)) return false;
    way[0] = dx;
    way[1] = dz;
    return this.#isWithin(way) || this.#edgeMeets(b, 0) || this.#edgeMeets(b, 2);
  }

  /** Brings the direction of the middle to unit length, and computes the directions of the edges. */
  #turn(): void {
    const middle = this.#middle;
    const largest = Math.max(Math.abs(middle[0]), Math.abs(middle[1]));
    // The direction is scaled first, so that squares neither overflow nor underflow.
    middle[0] /= largest;
    middle[1] /= largest;
    const length = Math.sqrt(middle[0] * middle[0] + middle[1] * middle[1]);
    middle[0] /= length;
    middle[1] /= length;
    const cos = Math.cos(this.#angle / 2);
    const sin = Math.sin(this.#angle / 2);
    this.#edges[0] = middle[0] * cos + middle[1] * sin;
    this.#edges[1] = middle[1] * cos - middle[0] * sin;
    this.#edges[2] = middle[0] * cos - middle[1] * sin;
    this.#edges[3] = middle[1] * cos + middle[0] * sin;
    // Angles are exact to their last bit only: an edge that misses an axis by less lies along it.
    for (let i = 0; i < 4; i++) if (Math.abs(this.#edges[i]) < 1e-15) this.#edges[i] = 0;
  }

  /** Sets the region: the box around the apex, the ends of the edges, and the arc's farthest points along the axes. */
  #bound(minY: number, maxY: number): void {
    const { box } = this.region;
    const edges = this.#edges;
    const radius = this.#radius;
    for (let c = 0; c < 2; c++) {
      way[c] = -1;
      way[1 - c] = 0;
      const low = this.#isWithin(way) ? -1 : Math.min(0, edges[c], edges[c + 2]);
      way[c] = 1;
      const high = this.#isWithin(way) ? 1 : Math.max(0, edges[c], edges[c + 2]);
      const reach = SHAPE_ROUNDING * (radius + Math.abs(this.#center[c]));
      box[2 * c] = this.#center[c] + low * radius - reach;
      box[2 * c + 3] = this.#center[c] + high * radius + reach;
    }
    box[1] = minY;
    box[4] = maxY;
  }

  /** True when a direction lies between the edges or along one of them. */
  #isWithin(direction: Float64Array): boolean {
    const e = this.#edges;
    const x = direction[0];
    const z = direction[1];
    if (this.#angle >= 2 * Math.PI) return true;
    const isPastFirst = e[0] * z - e[1] * x >= 0;
    const isBeforeLast = x * e[3] - z * e[2] >= 0;
    if (this.#angle > Math.PI) return isPastFirst || isBeforeLast;
    // The edges of a very thin sector may round to one direction; then points behind the apex lie along both as well.
    return isPastFirst && isBeforeLast && x * this.#middle[0] + z * this.#middle[1] >= 0;
  }

  /** True when the edge whose direction is at `i` touches the rectangle. */
  #edgeMeets(b: Float64Array, i: number): boolean {
    let enter = 0;
    let leave = this.#radius;
    for (let c = 0; c < 2; c++) {
      const start = this.#center[c];
      const along = this.#edges[i + c];
      const low = b[2 * c];
      const high = b[2 * c + 3];
      if (along === 0) {
        if (start < low || start > high) return false;
      } else {
        enter = Math.max(enter, ((along > 0 ? low : high) - start) / along);
        leave = Math.min(leave, ((along > 0 ? high : low) - start) / along);
      }
    }
    return enter <= leave;
  }
}

/** Scratch for a direction: numbers passed to a call that is not inlined are allocated on the heap. */
const way = new Float64Array(2);

function checkSizes(radius: number, angle: number, minY: number, maxY: number): void {
  if (typeof radius !== 'number' || typeof angle !== 'number' || typeof minY !== 'number' || typeof maxY !== 'number') {
    throw new TypeError(
      `Sector: radius, angle, minY and maxY must be numbers, got ${[radius, angle, minY, maxY].map(inWords).join(', ')}`,
    );
  }
  if (!(radius >= 0 && radius < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`Sector.radius: must be finite and not negative, got ${radius}`);
  }
  if (!(angle > 0 && angle <= 2 * Math.PI)) {
    throw new RangeError(`Sector.angle: must be more than 0 and at most 2 pi, got ${angle}`);
  }
  if (!(minY <= maxY)) throw new RangeError(`Sector: minY must not exceed maxY, got ${minY} and ${maxY}`);
}
