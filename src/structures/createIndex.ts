import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { STRUCTURES, type StructureName } from '../contract/SpatialIndex.js';
import { inWords, OPTION_RANGES, readOptions, refuseName } from '../core/options.js';
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

/** Options of all structures; each uses those that concern it. */
export interface IndexOptions extends LooseOctreeOptions, GridOptions, BvhOptions {}

/**
 * Makes an empty index by name. Options that are legal but do not concern the structure are ignored, so that a menu can
 * switch between structures with one set of options.
 * @param name One of {@link STRUCTURES}.
 * @throws TypeError or RangeError for a name or options that are not legal.
 */
export function createIndex(name: StructureName, options: IndexOptions = {}): SpatialIndex {
  if (typeof name !== 'string') throw new TypeError(`createIndex: the name must be a string, got ${inWords(name)}`);
  const all = readOptions(options, INDEX_DEFAULTS, 'createIndex', OPTION_RANGES);
  const { planar, looseness, cellSize, margin, ...cells } = all;
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
      return new Bvh({ margin, planar });
    case 'packed':
      return new Packed({ planar });
    default:
      return refuseName(name, STRUCTURES, 'createIndex: no structure ', '');
  }
}

/** Default options of every structure. */
export const INDEX_DEFAULTS: Required<IndexOptions> = {
  ...LOOSE_OCTREE_DEFAULTS,
  ...GRID_DEFAULTS,
  ...BVH_DEFAULTS,
};
