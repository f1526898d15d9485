import { BoxIndex } from '../../contract/BoxIndex.js';
import { OPTION_RANGES } from '../../core/optionRanges.js';
import { readOptions } from '../../core/readOptions.js';
import { TreeStructure } from '../TreeStructure.js';
import { CellLayout } from './CellLayout.js';
import type { CellOptions } from './CellOptions.js';
import { CELL_DEFAULTS } from './CellOptions.js';
import { OneNode } from './OneNode.js';

/** Options of {@link LooseOctree}. */
export interface LooseOctreeOptions extends CellOptions {
  /**
   * The items of a cell must lie in a region this many times as wide as the cell, 1 to 8. At 1 an item across a border
   * stays in the parent; at 2, the classic value, every item sinks to a cell of about its own size and moves freely
   * within twice the cell. Default 2.
   */
  looseness?: number;
}

export const LOOSE_OCTREE_DEFAULTS: Required<LooseOctreeOptions> = { ...CELL_DEFAULTS, looseness: 2 };

/**
 * Octree, or with `planar` quadtree on XZ, with each item in exactly one node: the deepest whose loosened cell holds
 * it, on the side of each border on which its centre lies (Ulrich, Loose Octrees, Game Programming Gems, 2000).
 */
export class LooseOctree extends BoxIndex {
  /** @throws TypeError or RangeError, which names the option. */
  constructor(options: LooseOctreeOptions = {}) {
    const all = readOptions(options, LOOSE_OCTREE_DEFAULTS, 'LooseOctree', OPTION_RANGES);
    super(new TreeStructure(new CellLayout('looseOctree', new OneNode(all.looseness, all.planar), all)));
  }
}
