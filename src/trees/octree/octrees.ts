import { BoxIndex } from '../../contract/BoxIndex.js';
import { OPTION_RANGES } from '../../core/optionRanges.js';
import { readOptions } from '../../core/options.js';
import { TreeStructure } from '../TreeStructure.js';
import { CellLayout } from './CellLayout.js';
import { CELL_DEFAULTS, type CellOptions, EveryLeaf, OneNode } from './placement.js';

/** Options of {@link Octree}. */
export type OctreeOptions = CellOptions;

/** Options of {@link Quadtree}. */
export type QuadtreeOptions = Omit<CellOptions, 'planar'>;

/**
 * An octree with a copy for each item in every leaf that it touches. With `planar` it is a {@link Quadtree}.
 *
 * Leaves are small and hold exactly the items that touch their region. The price: an item has several copies, which
 * are written at each move and filtered from each answer. Two rules limit their number: an item wider than the octants
 * of a cell stays in the cell itself, and a cell does not divide if that would double its copies. Small items have
 * little more than one copy each; no item has more than 8, or 4 in a planar tree.
 *
 * @example
 * ```ts
 * import { Octree } from 'three-scene-index/core';
 *
 * const index = new Octree({ capacity: 32 });
 * index.addAll(boxes);
 * console.log(index.queryBox([0, 0, 0, 10, 10, 10]).length);
 * ```
 */
export class Octree extends BoxIndex {
  /** @throws TypeError or RangeError that names the option. */
  constructor(options: OctreeOptions = {}) {
    const all = readOptions(options, CELL_DEFAULTS, 'Octree', OPTION_RANGES);
    super(new TreeStructure(new CellLayout('octree', new EveryLeaf(all.planar), all)));
  }
}

/**
 * A quadtree on XZ, for worlds that are wide and flat. It is an {@link Octree} that divides in X and Z only; heights
 * are compared item by item.
 *
 * @example
 * ```ts
 * import { Quadtree } from 'three-scene-index/core';
 *
 * const index = new Quadtree({ minCellSize: 5 });
 * index.addAll(boxes);
 * console.log(index.querySphere(0, 0, 0, 50).length);
 * ```
 */
export class Quadtree extends BoxIndex {
  /** @throws TypeError or RangeError that names the option. */
  constructor(options: QuadtreeOptions = {}) {
    const { planar: _, ...defaults } = CELL_DEFAULTS;
    const own = readOptions(options, defaults, 'Quadtree', OPTION_RANGES);
    super(new TreeStructure(new CellLayout('quadtree', new EveryLeaf(true), { ...own, planar: true })));
  }
}

/** Options of {@link LooseOctree}. */
export interface LooseOctreeOptions extends CellOptions {
  /**
   * Width of the region that the items of a cell may fill, in cell widths. From 1 to 8, default 2. At 1 an item across
   * a border stays in the parent. At 2, the classic value, every item sinks to a cell of about its own size and moves
   * freely within twice the cell.
   */
  looseness?: number;
}

export const LOOSE_OCTREE_DEFAULTS: Required<LooseOctreeOptions> = { ...CELL_DEFAULTS, looseness: 2 };

/**
 * A loose octree: each item is in exactly one node. With `planar` it is a loose quadtree on XZ.
 *
 * An item goes to the deepest node whose loosened cell holds it, on the side of its centre at each border (Ulrich,
 * Loose Octrees, Game Programming Gems, 2000).
 *
 * @example
 * ```ts
 * import { LooseOctree } from 'three-scene-index/core';
 *
 * const index = new LooseOctree({ looseness: 2 });
 * const id = index.add([0, 0, 0, 1, 1, 1]);
 * index.update(id, [0.2, 0, 0, 1.2, 1, 1]);
 * ```
 */
export class LooseOctree extends BoxIndex {
  /** @throws TypeError or RangeError that names the option. */
  constructor(options: LooseOctreeOptions = {}) {
    const all = readOptions(options, LOOSE_OCTREE_DEFAULTS, 'LooseOctree', OPTION_RANGES);
    super(new TreeStructure(new CellLayout('looseOctree', new OneNode(all.looseness, all.planar), all)));
  }
}
