import { BoxIndex } from '../../contract/BoxIndex.js';
import { OPTION_RANGES } from '../../core/optionRanges.js';
import { readOptions } from '../../core/readOptions.js';
import { TreeStructure } from '../TreeStructure.js';
import { CellLayout } from './CellLayout.js';
import type { CellOptions } from './CellOptions.js';
import { CELL_DEFAULTS } from './CellOptions.js';
import { EveryLeaf } from './EveryLeaf.js';

/** Options of {@link Octree}. */
export type OctreeOptions = CellOptions;

/**
 * Octree, or with `planar` quadtree on XZ, with an item in every leaf it touches.
 *
 * Leaves are small and hold exactly what touches their region. The price: an item has several entries, which are
 * written at each move and filtered from each answer. Two rules limit their number: an item more than twice as wide as
 * the octants of a cell stays in the cell itself, and a cell does not divide where that would double its entries. Small
 * items have little more than one entry each; items that all overlap may have 27, until these are too many and the tree
 * is built anew.
 */
export class Octree extends BoxIndex {
  /** @throws TypeError or RangeError, which names the option. */
  constructor(options: OctreeOptions = {}) {
    const all = readOptions(options, CELL_DEFAULTS, 'Octree', OPTION_RANGES);
    super(new TreeStructure(new CellLayout('octree', new EveryLeaf(all.planar), all)));
  }
}
