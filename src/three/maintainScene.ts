import { checkMilliseconds } from '../core/checkMilliseconds.js';
import { maintain } from '../structures/maintain.js';
import { MAINTENANCE_MS } from './maintenanceMs.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';

/**
 * Works for some time on what motion leaves behind in the structure of an index, so that queries stay as fast as they
 * are after it was built; no answer changes. An accelerated scene does so by itself.
 * @param budgetMs Milliseconds, from 0; Infinity to go on to the end. Default 0.5.
 * @returns true when nothing was left to do.
 * @throws TypeError or RangeError for an index or a budget that is not legal, Error for an index that was disposed.
 */
export function maintainScene(index: SceneIndex, budgetMs: number = MAINTENANCE_MS): boolean {
  const { entries } = partsOf(index, 'maintainScene');
  checkMilliseconds(budgetMs, 'maintainScene: the budget');
  return maintain(entries.measured, budgetMs);
}
