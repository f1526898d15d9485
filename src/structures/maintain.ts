import { checkMilliseconds } from '../core/checkMilliseconds.js';
import { bvhMaintenance } from './bvh/bvhMaintenance.js';
import type { SpatialIndex } from './contract/SpatialIndex.js';
import { structureOf } from './contract/structureOf.js';
import { gridMaintenance } from './grid/gridMaintenance.js';
import { cellMaintenance } from './octree/cellMaintenance.js';
import type { PackedStructure } from './packed/PackedStructure.js';
import type { Layout } from './tree/Layout.js';
import { type LayoutMaintenance, plainMaintenance } from './tree/LayoutMaintenance.js';
import { Maintenance } from './tree/Maintenance.js';
import type { TreeStructure } from './tree/TreeStructure.js';

const MAINTENANCE = {
  bruteForce: plainMaintenance,
  grid: gridMaintenance,
  octree: cellMaintenance,
  looseOctree: cellMaintenance,
  bvh: bvhMaintenance,
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
 * @throws TypeError or RangeError for an index or a budget that is not legal.
 */
export function maintain(index: SpatialIndex, budgetMs: number): boolean {
  const structure = structureOf(index, 'maintain');
  checkMilliseconds(budgetMs, 'maintain: the budget');
  if (structure.name === 'packed') return (structure as PackedStructure).upkeep.run(budgetMs);
  const parts = structure as TreeStructure;
  const { layout, ids } = parts;
  parts.maintenance ??= new Maintenance(
    layout,
    MAINTENANCE[layout.structure as keyof typeof MAINTENANCE] as LayoutMaintenance<Layout>,
    ids,
  );
  const progress = parts.maintenance.run(budgetMs);
  if (progress === 'outgrown') index.rebuild();
  return progress !== 'more';
}
