import type { NodeView } from '../contract/NodeRecords.js';
import { checkMilliseconds, inWords } from '../core/options.js';
import { forEachNode } from '../structures/forEachNode.js';
import { maintain } from '../structures/maintain.js';
import { type IndexStats, stats } from '../structures/stats.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';
import { MAINTENANCE_MS } from './SceneParts.js';

/**
 * Restores the speed that the queries of an index lose while objects move, see `maintain`. Accelerated scenes call it
 * in each update.
 * @param budgetMs Milliseconds, from 0; Infinity to restore all, even if it does not pay. Default 0.5.
 * @returns true when nothing is left to do.
 * @throws TypeError or RangeError for an invalid index or budget, Error for an index that was disposed.
 */
export function maintainScene(index: SceneIndex, budgetMs: number = MAINTENANCE_MS): boolean {
  const { entries } = partsOf(index, 'maintainScene');
  checkMilliseconds(budgetMs, 'maintainScene: the budget');
  return maintain(entries.measured, budgetMs);
}

/** Size and shape of a `SceneIndex`. */
export interface SceneIndexStats extends IndexStats {
  /** Objects followed, including groups and others that are not drawn. */
  tracked: number;
  /** Objects that each `update` visits. */
  dynamic: number;
  /** Objects in no result because their bounds are NaN. */
  quarantined: number;
}

/**
 * Size and shape of an index, counted anew at each call.
 * @throws TypeError unless it is a `SceneIndex`, Error when it was disposed.
 */
export function sceneStats(index: SceneIndex): SceneIndexStats {
  const { entries, follower } = partsOf(index, 'sceneStats');
  return {
    ...stats(entries.index),
    tracked: follower.hierarchy.records.size,
    dynamic: follower.dynamicCount,
    quarantined: entries.quarantined.size,
  };
}

/**
 * Calls `visit` for every node of the structure of an index, parents before children; for drawing.
 * @throws TypeError for an invalid index or visitor, Error for an index that was disposed.
 */
export function forEachSceneNode(index: SceneIndex, visit: (node: NodeView) => void): void {
  const { entries } = partsOf(index, 'forEachSceneNode');
  if (typeof visit !== 'function') {
    throw new TypeError(`forEachSceneNode.visit: must be a function, got ${inWords(visit)}`);
  }
  forEachNode(entries.index, visit);
}
