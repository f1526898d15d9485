import { inWords } from '../core/inWords.js';
import { bvhUpkeep } from './bvh/bvhUpkeep.js';
import type { SpatialIndex } from './contract/SpatialIndex.js';
import { gridUpkeep } from './grid/gridUpkeep.js';
import { cellUpkeep } from './octree/cellUpkeep.js';
import type { Layout } from './tree/Layout.js';
import { type LayoutUpkeep, plainUpkeep } from './tree/LayoutUpkeep.js';
import { Maintenance } from './tree/Maintenance.js';
import { partsOf } from './tree/partsOf.js';

const UPKEEP = {
  bruteForce: plainUpkeep,
  grid: gridUpkeep,
  octree: cellUpkeep,
  looseOctree: cellUpkeep,
  bvh: bvhUpkeep,
};

/**
 * Works for a limited time on what motion leaves behind, so that queries stay as fast as after `rebuild()`: places
 * misplaced items anew, packs neighbours together, and puts memory into the order of the tree. Answers do not change,
 * except for the order in which ids come. Call it in each frame in which things move; it does nothing while little has
 * changed.
 * @param budgetMs Milliseconds, from 0; half a millisecond is a good value. It may take some tens of microseconds more,
 * and up to a millisecond where thousands of items lie in one list. If there are now so many more or fewer items, or
 * they lie so much closer or farther apart, that cells have the wrong size or depth, it rebuilds, as `add` and `update`
 * do. With Infinity it goes on to the end, and takes about as long as a rebuild at most.
 * @returns true when nothing was left to do.
 */
export function maintain(index: SpatialIndex, budgetMs: number): boolean {
  const parts = partsOf(index, 'maintain');
  if (typeof budgetMs !== 'number') {
    throw new TypeError(`maintain: the budget must be a number, got ${inWords(budgetMs)}`);
  }
  if (!(budgetMs >= 0)) throw new RangeError(`maintain: the budget must be 0 or more, got ${budgetMs}`);
  const { layout, ids } = parts;
  parts.maintenance ??= new Maintenance(layout, UPKEEP[layout.structure] as LayoutUpkeep<Layout>, ids);
  const progress = parts.maintenance.run(budgetMs);
  if (progress === 'outgrown') index.rebuild();
  return progress !== 'more';
}
