import { type SpatialIndex, STRUCTURES, type StructureName } from '../contract/SpatialIndex.js';
import { OPTION_RANGES } from '../core/optionRanges.js';
import { inWords, readOptions, refuseName } from '../core/options.js';
import { Packed } from '../packed/Packed.js';
import { BruteForce } from '../trees/BruteForce.js';
import { BVH_DEFAULTS, Bvh, type BvhOptions } from '../trees/bvh/Bvh.js';
import { GRID_DEFAULTS, Grid, type GridOptions } from '../trees/grid/Grid.js';
import {
  LOOSE_OCTREE_DEFAULTS,
  LooseOctree,
  type LooseOctreeOptions,
  Octree,
  Quadtree,
} from '../trees/octree/octrees.js';

/** Options of all structures together; each structure reads its own. */
export interface IndexOptions extends LooseOctreeOptions, GridOptions, BvhOptions {}

/**
 * Creates an empty index by the name of its structure. Options of other structures are ignored, so that a menu can
 * switch between structures with one set of options.
 * @param name One of {@link STRUCTURES}.
 * @throws TypeError or RangeError for an invalid name or option.
 * @example
 * ```ts
 * import { createIndex } from 'three-scene-index/core';
 *
 * const index = createIndex('looseOctree', { capacity: 32 });
 * index.add([0, 0, 0, 1, 1, 1]);
 * ```
 */
export function createIndex(name: StructureName, options: IndexOptions = {}): SpatialIndex {
  if (typeof name !== 'string') throw new TypeError(`createIndex: the name must be a string, got ${inWords(name)}`);
  const all = readOptions(options, INDEX_DEFAULTS, 'createIndex', OPTION_RANGES);
  const { planar, looseness, cellSize, ...cells } = all;
  switch (name) {
    case 'bruteForce':
      return new BruteForce();
    case 'grid':
      return new Grid({ cellSize, planar });
    case 'octree':
      return new Octree({ ...cells, planar });
    case 'quadtree':
      return new Quadtree(cells);
    case 'looseOctree':
      return new LooseOctree({ ...cells, planar, looseness });
    case 'bvh':
      return new Bvh({ planar });
    case 'packed':
      return new Packed({ planar });
    default:
      return refuseName(name, STRUCTURES, 'createIndex', 'structure');
  }
}

export const INDEX_DEFAULTS: Required<IndexOptions> = {
  ...LOOSE_OCTREE_DEFAULTS,
  ...GRID_DEFAULTS,
  ...BVH_DEFAULTS,
};
