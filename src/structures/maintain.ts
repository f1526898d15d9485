import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { structureOf } from '../contract/Structure.js';
import { checkMilliseconds } from '../core/options.js';

/**
 * Restores the speed that queries lose while items move. Call it once a frame; answers change only in their order.
 *
 * `packed` works for about `budgetMs`, and goes on at the next call. A tree is rebuilt as a whole, and only when its
 * queries have lost more time since the last build than a rebuild takes: such a call may far exceed the budget (some 30
 * ms for 100,000 items).
 * @param budgetMs Milliseconds, from 0; with 0 a tree is not rebuilt, with Infinity all is restored, even if it does not
 * pay. Default 0.5.
 * @returns true when nothing is left to do.
 * @throws TypeError or RangeError for an index or a budget that is not legal.
 */
export function maintain(index: SpatialIndex, budgetMs: number = MAINTENANCE_MS): boolean {
  const structure = structureOf(index, 'maintain');
  checkMilliseconds(budgetMs, 'maintain: the budget');
  return structure.maintain(budgetMs);
}

/** Default budget in milliseconds, for a call in each frame. */
export const MAINTENANCE_MS = 0.5;
