import { checkMilliseconds } from '../core/checkMilliseconds.js';
import { maintain } from '../structures/maintain.js';
import { MAINTENANCE_MS } from './maintenanceMs.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';

/**
 * Restores the speed that the queries of an index lose while objects move, see `maintain`. Accelerated scenes call it
 * in each update.
 * @param budgetMs Milliseconds, from 0; Infinity to restore all, even if it does not pay. Default 0.5.
 * @returns true when nothing is left to do.
 * @throws TypeError or RangeError for an index or a budget that is not legal, Error for an index that was disposed.
 */
export function maintainScene(index: SceneIndex, budgetMs: number = MAINTENANCE_MS): boolean {
  const { entries } = partsOf(index, 'maintainScene');
  checkMilliseconds(budgetMs, 'maintainScene: the budget');
  return maintain(entries.measured, budgetMs);
}
