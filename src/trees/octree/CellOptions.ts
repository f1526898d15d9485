/** How a tree of cells divides space. */
export interface CellOptions {
  /**
   * Entries in a cell beyond which it divides, a whole number from 1 to 2^20. Fewer make a finer tree, with more nodes
   * to visit. Default 64.
   */
  capacity?: number;
  /**
   * Most levels of cells below the top one, for any items in any order: 1 to 64. Cells of the last level hold more than
   * `capacity` where division would take more levels. Default 24.
   */
  maxDepth?: number;
  /** A cell does not divide into cells with edges shorter than this, in world units. Default 0: no limit. */
  minCellSize?: number;
  /** Divide in X and Z only, four ways instead of eight: a quadtree over the ground plane. Default false. */
  planar?: boolean;
}

export const CELL_DEFAULTS: Required<CellOptions> = { capacity: 64, maxDepth: 24, minCellSize: 0, planar: false };
