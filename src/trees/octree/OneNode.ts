import { octantOf } from '../cells.js';
import type { PlacementRule } from '../PlacementRule.js';

/**
 * The rule of `LooseOctree`: an item goes to the deepest node whose loosened cell holds it, on the side of its centre.
 */
export class OneNode implements PlacementRule {
  readonly multiple = false;
  readonly #looseness: number;
  readonly #planar: boolean;

  constructor(looseness: number, planar: boolean) {
    this.#looseness = looseness;
    this.#planar = planar;
  }

  octants(cells: Float64Array, o: number, b: ArrayLike<number>, p: number): number {
    const x = b[p] / 2 + b[p + 3] / 2;
    const y = b[p + 1] / 2 + b[p + 4] / 2;
    const z = b[p + 2] / 2 + b[p + 5] / 2;
    // The centre of the octant, and how far it reaches when loosened.
    const half = cells[o + 3] / 2;
    const reach = this.#looseness * half;
    const cx = x >= cells[o] ? cells[o] + half : cells[o] - half;
    const cz = z >= cells[o + 2] ? cells[o + 2] + half : cells[o + 2] - half;
    if (b[p] < cx - reach || b[p + 3] > cx + reach || b[p + 2] < cz - reach || b[p + 5] > cz + reach) return 0;
    if (!this.#planar) {
      const cy = y >= cells[o + 1] ? cells[o + 1] + half : cells[o + 1] - half;
      if (b[p + 1] < cy - reach || b[p + 4] > cy + reach) return 0;
    }
    return 1 << octantOf(cells, o, x, y, z);
  }

  sinksUpTo(half: number): number {
    // An item with edges twice as long would still fit; the difference is more than rounding can take away.
    return this.#looseness > 1 ? (this.#looseness - 1) * (half / 2) : -1;
  }

  fits(cells: Float64Array, o: number, b: Float64Array): boolean {
    const half = cells[o + 3];
    for (let c = 0; c < 3; c++) {
      if (c === 1 && this.#planar) continue;
      const middle = b[c] / 2 + b[c + 3] / 2;
      if (middle < cells[o + c] - half || middle >= cells[o + c] + half) return false;
    }
    return this.#holds(cells, o, b, 0);
  }

  keeps(cells: Float64Array, o: number, box: Float64Array): boolean {
    return this.#holds(cells, o, box, 0);
  }

  /** True when the box lies in the loosened cell. */
  #holds(cells: Float64Array, o: number, b: ArrayLike<number>, p: number): boolean {
    const reach = this.#looseness * cells[o + 3];
    const x = cells[o];
    const y = cells[o + 1];
    const z = cells[o + 2];
    if (b[p] < x - reach || b[p + 3] > x + reach || b[p + 2] < z - reach || b[p + 5] > z + reach) return false;
    return this.#planar || (b[p + 1] >= y - reach && b[p + 4] <= y + reach);
  }
}
