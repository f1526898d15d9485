import { BOX, isBounded } from '../box.js';
import { PlanesVolume } from './PlanesVolume.js';
import { Shape } from './Shape.js';
import { borrow, exchange, type PointLike, readPoint, readVector } from './vectors.js';

/** Directions in which boxes may be apart; two planes for each make 30, the limit of a region. */
const DIRECTIONS = 15;

/** Tolerance of the scalar products of the axes, which are 1 for the same axis and 0 for two axes. */
const AXIS_TOLERANCE = 1e-6;

/**
 * A box in any orientation to query with.
 *
 * The test is exact. Two boxes are apart when their projections on one of 15 lines are: along the three axes of each,
 * and along the nine cross products of an axis of each (Gottschalk, Lin and Manocha, OBBTree: A Hierarchical Structure
 * for Rapid Interference Detection, 1996). The projections overlap when a part of the aligned box lies between the two
 * planes that bound the oriented box across that line. So the oriented box is a region of up to 30 planes, and queries
 * treat it like any other.
 *
 * The length of a direction does not matter, so none is normalized. A cross product of nearly parallel axes does no
 * harm: one of them is an axis of the world, so the product is exact, and both projections shrink with it. Products
 * that are zero, or lie along an axis of the world, add nothing and are left out. A box turned by right angles keeps
 * only the axes of the world, on which products are exact: it gives the answers of an aligned box.
 *
 * @example
 * ```ts
 * import { OrientedBox } from 'three-scene-index/core';
 *
 * // A crate of 2 x 1 x 4 units, turned by 30 degrees around Y.
 * const [c, s] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
 * const crate = new OrientedBox([5, 0, 5], [1, 0.5, 2], [c, 0, -s, 0, 1, 0, s, 0, c]);
 * for (const id of index.queryShape(crate)) console.log(id);
 * ```
 */
export class OrientedBox extends Shape {
  /** @internal Two planes for each direction. Boxes with infinite sides may pass them wrongly: see `touches`. */
  override readonly region: PlanesVolume = new PlanesVolume();
  override readonly isRegion = true;
  #center: Float64Array = new Float64Array(3);
  #half: Float64Array = new Float64Array(3);
  #axes: Float64Array = new Float64Array(9);
  readonly #bounds = new Float64Array(BOX);
  readonly #clipped = new Float64Array(BOX);
  /** Three numbers for each direction in which the boxes may be apart. */
  readonly #directions = new Float64Array(3 * DIRECTIONS);
  readonly #planes = new Float64Array(8 * DIRECTIONS);

  /**
   * @param center In world units.
   * @param halfSize Half the size of the box along each of its axes, finite and not negative. With zeros the box is a
   * rectangle, a segment or a point.
   * @param axes Nine numbers: the three axes one after the other, of length 1 and at right angles within 1e-6, like the
   * columns of a rotation matrix (`elements` of three's `Matrix3`).
   * @throws TypeError or RangeError that names the argument.
   */
  constructor(center: PointLike, halfSize: PointLike, axes: ArrayLike<number>) {
    super();
    this.set(center, halfSize, axes);
  }

  /** Replaces all arguments, in the order of the constructor. Bad arguments throw and change nothing. */
  set(center: PointLike, halfSize: PointLike, axes: ArrayLike<number>): this {
    const middle = readPoint(center, 3, 'OrientedBox', 'center');
    const half = readPoint(halfSize, 3, 'OrientedBox', 'halfSize');
    const turned = borrow(9);
    readVector(axes, turned, 'OrientedBox', 'axes');
    if (!(half[0] >= 0 && half[1] >= 0 && half[2] >= 0)) {
      throw new RangeError(`OrientedBox.halfSize: must not be negative, got ${half.join(' ')}`);
    }
    checkAxes(turned);
    this.#center = exchange(this.#center, middle);
    this.#half = exchange(this.#half, half);
    this.#axes = exchange(this.#axes, turned);
    this.#listDirections();
    // Planes with NaN in them are ignored.
    this.#planes.fill(Number.NaN);
    for (let d = 0; d < DIRECTIONS; d++) this.#setSlab(d);
    for (let i = 0; i < 3; i++) {
      this.#bounds[i] = -this.#planes[8 * i + 3];
      this.#bounds[i + 3] = this.#planes[8 * i + 7];
    }
    this.region.set(this.#planes, 'OrientedBox');
    return this;
  }

  /**
   * @internal Zero times an infinite side is NaN, which passes any plane. So an unbounded box is clipped to the bounds
   * of the region and tested again.
   */
  override touches(box: Float64Array): boolean {
    if (isBounded(box)) return true;
    for (let i = 0; i < 3; i++) {
      this.#clipped[i] = Math.max(box[i], this.#bounds[i]);
      this.#clipped[i + 3] = Math.min(box[i + 3], this.#bounds[i + 3]);
      if (this.#clipped[i] > this.#clipped[i + 3]) return false;
    }
    return this.region.node(this.#clipped, 0, this.region.all) >= 0;
  }

  /** Lists the axes of the world, the axes of the box, and the cross products of the former with the latter. */
  #listDirections(): void {
    const u = this.#axes;
    const d = this.#directions;
    d[0] = d[4] = d[8] = 1;
    for (let i = 0; i < 9; i++) d[9 + i] = u[i];
    for (let k = 0; k < 9; k += 3) {
      const o = 18 + 3 * k;
      d[o + 1] = -u[k + 2];
      d[o + 2] = u[k + 1];
      d[o + 3] = u[k + 2];
      d[o + 5] = -u[k];
      d[o + 6] = -u[k + 1];
      d[o + 7] = u[k];
    }
  }

  #setSlab(direction: number): void {
    const x = this.#directions[3 * direction];
    const y = this.#directions[3 * direction + 1];
    const z = this.#directions[3 * direction + 2];
    if (direction > 2 && +(x !== 0) + +(y !== 0) + +(z !== 0) < 2) return;
    const c = this.#center;
    const h = this.#half;
    const u = this.#axes;
    const middle = x * c[0] + y * c[1] + z * c[2];
    let reach = 0;
    for (let k = 0; k < 3; k++) reach += h[k] * Math.abs(x * u[3 * k] + y * u[3 * k + 1] + z * u[3 * k + 2]);
    const planes = this.#planes;
    const o = 8 * direction;
    planes[o] = x;
    planes[o + 1] = y;
    planes[o + 2] = z;
    planes[o + 3] = reach - middle;
    planes[o + 4] = -x;
    planes[o + 5] = -y;
    planes[o + 6] = -z;
    planes[o + 7] = reach + middle;
  }
}

function checkAxes(u: Float64Array): void {
  for (let i = 0; i < 9; i += 3) {
    for (let k = i; k < 9; k += 3) {
      const product = u[i] * u[k] + u[i + 1] * u[k + 1] + u[i + 2] * u[k + 2];
      if (Math.abs(product - +(i === k)) <= AXIS_TOLERANCE) continue;
      throw new RangeError(`OrientedBox.axes: must be unit vectors at right angles, got ${u.join(' ')}`);
    }
  }
}
