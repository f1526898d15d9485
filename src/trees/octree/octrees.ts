import { BoxIndex } from '../../contract/BoxIndex.js';
import { OPTION_RANGES, readOptions } from '../../core/options.js';
import { TreeStructure } from '../TreeStructure.js';
import { CellLayout } from './CellLayout.js';
import { CELL_DEFAULTS, type CellOptions, EveryLeaf, OneNode } from './placement.js';

/** Options of {@link Octree}. */
export type OctreeOptions = CellOptions;

/** Options of {@link Quadtree}. */
export type QuadtreeOptions = Omit<CellOptions, 'planar'>;

/**
 * Octree with an item in every leaf it touches; with `planar` a {@link Quadtree}.
 *
 * Leaves are small and hold exactly what touches their region. The price: an item has several entries, which are
 * written at each move and filtered from each answer. Two rules limit their number: an item wider than the octants of a
 * cell stays in the cell itself, and a cell does not divide where that would double its entries. Small items have
 * little more than one entry each, no item has more than 8, or 4 in a planar tree.
 */
export class Octree extends BoxIndex {
  /** @throws TypeError or RangeError, which names the option. */
  constructor(options: OctreeOptions = {}) {
    const all = readOptions(options, CELL_DEFAULTS, 'Octree', OPTION_RANGES);
    super(new TreeStructure(new CellLayout('octree', new EveryLeaf(all.planar), all)));
  }
}

/**
 * Quadtree on XZ, over the ground plane: an {@link Octree} that divides in X and Z only, for worlds that are wide and
 * flat. Heights are compared item by item.
 */
export class Quadtree extends BoxIndex {
  /** @throws TypeError or RangeError, which names the option. */
  constructor(options: QuadtreeOptions = {}) {
    const { planar: _, ...defaults } = CELL_DEFAULTS;
    const own = readOptions(options, defaults, 'Quadtree', OPTION_RANGES);
    super(new TreeStructure(new CellLayout('quadtree', new EveryLeaf(true), { ...own, planar: true }, own)));
  }
}

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
