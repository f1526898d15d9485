import { encloses } from '../cells.js';
import type { PlacementRule } from '../PlacementRule.js';

/** An item up to this many times as wide as a cell is placed in the cells it touches, at most 27 of a size. */
const REACH = 2;

/** The rule of `Octree`: an item goes to every leaf it touches. */
export class EveryLeaf implements PlacementRule {
  readonly multiple = true;
  readonly #planar: boolean;

  constructor(planar: boolean) {
    this.#planar = planar;
  }

  octants(cells: Float64Array, o: number, b: ArrayLike<number>, p: number): number {
    const reach = REACH * cells[o + 3];
    if (b[p + 3] - b[p] > reach || b[p + 5] - b[p + 2] > reach) return 0;
    if (!this.#planar && b[p + 4] - b[p + 1] > reach) return 0;
    // Bits of the octants in the lower and upper half of each axis.
    const x = (b[p] < cells[o] ? 0b01010101 : 0) | (b[p + 3] >= cells[o] ? 0b10101010 : 0);
    const z = (b[p + 2] < cells[o + 2] ? 0b00110011 : 0) | (b[p + 5] >= cells[o + 2] ? 0b11001100 : 0);
    const y = (b[p + 1] < cells[o + 1] ? 0b00001111 : 0) | (b[p + 4] >= cells[o + 1] ? 0b11110000 : 0);
    return x & y & z;
  }

  sinksUpTo(): number {
    return -1;
  }

  fits(cells: Float64Array, o: number, b: Float64Array, octant: Float64Array | null): boolean {
    if (octant === null) return encloses(cells, o, b);
    // Only the part of the item within the octant counts: a side that the cell shares with the octant is no limit for
    // it.
    const half = cells[o + 3];
    for (let c = 0; c < 3; c++) {
      if (c === 1 && this.#planar) continue;
      const low = cells[o + c] - half;
      const high = cells[o + c] + half;
      if (b[c] < low && low > octant[c] - octant[3]) return false;
      if (b[c + 3] >= high && high < octant[c] + octant[3]) return false;
    }
    return true;
  }

  keeps(cells: Float64Array, o: number, box: Float64Array): boolean {
    return encloses(cells, o, box);
  }
}
