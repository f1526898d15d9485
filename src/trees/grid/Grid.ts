import { BoxIndex } from '../../contract/BoxIndex.js';
import { OPTION_RANGES } from '../../core/optionRanges.js';
import { readOptions } from '../../core/readOptions.js';
import { TreeStructure } from '../TreeStructure.js';
import { GridLayout } from './GridLayout.js';

/** Options of {@link Grid}. */
export interface GridOptions {
  /**
   * Edge of the smallest cells in world units, 0 to 2^300; items larger than that go to cells of twice, four times, ...
   * the edge. Some dozens of items in a cell are a good value; with cells far too small a grid is little better than a
   * list. Default 0: chosen from the items when many are added at once, at `rebuild()`, and when their number or
   * density has changed a lot.
   */
  cellSize?: number;
  /** Cells are square columns on XZ, unlimited in Y. Default false. */
  planar?: boolean;
}

export const GRID_DEFAULTS: Required<GridOptions> = { cellSize: 0, planar: false };

/**
 * An unlimited hierarchical grid: each item is in one cell, the one that contains its centre, of the lowest level with
 * cells as large as the item. Cells are found by a hash of their place, so a move to another cell takes constant time
 * wherever it leads (Teschner et al., Optimized Spatial Hashing for Collision Detection of Deformable Objects, 2003;
 * Eitz and Gu, Hierarchical Spatial Hashing for Real-time Collision Detection, 2007).
 *
 * Cells only say where an item is placed. Queries go by content boxes, from large cells to small ones.
 */
export class Grid extends BoxIndex {
  /** @throws TypeError or RangeError, which names the option. */
  constructor(options: GridOptions = {}) {
    const { cellSize, planar } = readOptions(options, GRID_DEFAULTS, 'Grid', OPTION_RANGES);
    super(new TreeStructure(new GridLayout(cellSize, planar)));
  }
}
