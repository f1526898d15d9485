import { encloses, octantOf } from '../cells.js';

/** How a tree of cells divides space. */
export interface CellOptions {
  /**
   * Copies a cell holds before it divides, a whole number from 1 to 2^20. Fewer make a finer tree, with more nodes to
   * visit. Default 64.
   */
  capacity?: number;
  /**
   * The greatest depth of cells below the top cell, 1 to 64. The limit holds for any items in any order. Cells at this
   * depth may exceed `capacity`. Default 24.
   */
  maxDepth?: number;
  /** Shortest edge of a cell, in world units: smaller cells are not made. Default 0: no limit. */
  minCellSize?: number;
  /** Divide in X and Z only, as a quadtree over the ground plane. Default false. */
  planar?: boolean;
}

export const CELL_DEFAULTS: Required<CellOptions> = { capacity: 64, maxDepth: 24, minCellSize: 0, planar: false };

/** Sends items to every leaf they touch, or to one node. A cell is four numbers at `o`, a box six at `p`. */
export interface PlacementRule {
  /** True when an item may have several copies. */
  readonly multiple: boolean;
  /** The octants of a divided cell to which an item goes, as bits; 0 when it stays in the cell itself. */
  octants(cells: Float64Array, o: number, box: ArrayLike<number>, p: number): number;
  /** True when the item may lie in or below a cell in `octant` of its parent; null for the top cell. */
  fits(cells: Float64Array, o: number, box: Float64Array, octant: Float64Array | null): boolean;
  /** True when an item with its only copy in the cell may keep that copy with this box. */
  keeps(cells: Float64Array, o: number, box: Float64Array): boolean;
}

/**
 * The rule of `Octree`: an item goes to every leaf that it touches, of the leaves at least as wide as the item. So it
 * has 8 copies at most, 4 if planar: each such leaf holds a corner of its box.
 */
export class EveryLeaf implements PlacementRule {
  readonly multiple = true;
  readonly #planar: boolean;

  constructor(planar: boolean) {
    this.#planar = planar;
  }

  octants(cells: Float64Array, o: number, b: ArrayLike<number>, p: number): number {
    const widest = cells[o + 3];
    if (b[p + 3] - b[p] > widest || b[p + 5] - b[p + 2] > widest) return 0;
    if (!this.#planar && b[p + 4] - b[p + 1] > widest) return 0;
    // Bits of the octants in the lower and upper half of each axis.
    const x = (b[p] < cells[o] ? 0b01010101 : 0) | (b[p + 3] >= cells[o] ? 0b10101010 : 0);
    const z = (b[p + 2] < cells[o + 2] ? 0b00110011 : 0) | (b[p + 5] >= cells[o + 2] ? 0b11001100 : 0);
    const y = (b[p + 1] < cells[o + 1] ? 0b00001111 : 0) | (b[p + 4] >= cells[o + 1] ? 0b11110000 : 0);
    return x & y & z;
  }

  fits(cells: Float64Array, o: number, b: Float64Array, octant: Float64Array | null): boolean {
    if (octant === null) return encloses(cells, o, b);
    // Only the part of the item within the octant counts: a side that the cell shares with the octant is no limit.
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

/** The rule of `LooseOctree`: an item goes to the deepest cell around its centre that, loosened, holds its box. */
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
    // The centre of the octant, and its reach when loosened.
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

  fits(cells: Float64Array, o: number, b: Float64Array): boolean {
    const half = cells[o + 3];
    for (let c = 0; c < 3; c++) {
      if (c === 1 && this.#planar) continue;
      const middle = b[c] / 2 + b[c + 3] / 2;
      if (middle < cells[o + c] - half || middle >= cells[o + c] + half) return false;
    }
    return this.keeps(cells, o, b);
  }

  /** True when the box lies in the loosened cell. */
  keeps(cells: Float64Array, o: number, b: Float64Array): boolean {
    const reach = this.#looseness * cells[o + 3];
    const x = cells[o];
    const y = cells[o + 1];
    const z = cells[o + 2];
    if (b[0] < x - reach || b[3] > x + reach || b[2] < z - reach || b[5] > z + reach) return false;
    return this.#planar || (b[1] >= y - reach && b[4] <= y + reach);
  }
}
