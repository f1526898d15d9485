import type { SpatialIndex } from '../contract/SpatialIndex.js';
import type { IdList } from '../core/IdList.js';

/** What lies within a distance of a point, or in a box around it, as queries of an index have it. */
export class ViewRange {
  readonly #radius: number;
  readonly #half: Float64Array;
  #x = 0;
  #y = 0;
  #z = 0;
  readonly #box = new Float64Array(6);

  /** @param radius Negative for a box of `halfSize`. */
  constructor(radius: number, halfSize: Float64Array) {
    this.#radius = radius;
    this.#half = halfSize;
  }

  moveTo(x: number, y: number, z: number): void {
    this.#x = x;
    this.#y = y;
    this.#z = z;
    const half = this.#half;
    const b = this.#box;
    b[0] = x - half[0];
    b[1] = y - half[1];
    b[2] = z - half[2];
    b[3] = x + half[0];
    b[4] = y + half[1];
    b[5] = z + half[2];
  }

  query(index: SpatialIndex, out: IdList): void {
    if (this.#radius >= 0) index.querySphere(this.#x, this.#y, this.#z, this.#radius, out);
    else index.queryBox(this.#box, out);
  }

  /** Whether a query would find a box; by the same expressions. */
  holds(b: Float64Array): boolean {
    if (this.#radius >= 0) return this.distanceSquared(b) <= this.#radius * this.#radius;
    const own = this.#box;
    // biome-ignore format: aligned lines show the symmetry
    return b[0] <= own[3] && b[3] >= own[0]
        && b[1] <= own[4] && b[4] >= own[1]
        && b[2] <= own[5] && b[5] >= own[2];
  }

  /** From its middle to the nearest point of a box. */
  distanceSquared(b: Float64Array): number {
    const x = this.#x;
    const y = this.#y;
    const z = this.#z;
    const dx = (x < b[0] ? b[0] : x > b[3] ? b[3] : x) - x;
    const dy = (y < b[1] ? b[1] : y > b[4] ? b[4] : y) - y;
    const dz = (z < b[2] ? b[2] : z > b[5] ? b[5] : z) - z;
    return dx * dx + dy * dy + dz * dz;
  }
}
