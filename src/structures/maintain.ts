import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { structureOf } from '../contract/Structure.js';
import { inWords } from '../core/options.js';

/**
 * Restores the query speed that an index loses while items move. Call it once a frame. Results change only in order.
 *
 * `packed` works for about `budgetMs`, and continues in the next call. A tree is rebuilt as a whole, once its queries
 * have lost more time since the last build than a rebuild takes. The rebuild may far exceed the budget.
 * @param budgetMs Milliseconds, from 0. With 0 no tree is rebuilt; with Infinity everything is restored, whether or not
 * that pays. Default 0.5.
 * @returns true when nothing is left to do.
 * @throws TypeError or RangeError for an invalid index or budget.
 * @example
 * ```ts
 * import { maintain } from 'three-scene-index/core';
 *
 * index.updateAll(ids, boxes);
 * maintain(index); // at most about half a millisecond, for `Packed`
 * ```
 */
export function maintain(index: SpatialIndex, budgetMs: number = MAINTENANCE_MS): boolean {
  const structure = structureOf(index, 'maintain');
  if (typeof budgetMs !== 'number')
    throw new TypeError(`maintain: the budget must be a number, got ${inWords(budgetMs)}`);
  if (!(budgetMs >= 0)) throw new RangeError(`maintain: the budget must be 0 or more, got ${budgetMs}`);
  return structure.maintain(budgetMs);
}

/** Default budget in milliseconds, for a call in each frame. */
export const MAINTENANCE_MS = 0.5;
