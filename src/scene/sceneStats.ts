import { type IndexStats, stats } from '../structures/stats.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';

/** Size and shape of a `SceneIndex`. */
export interface SceneIndexStats extends IndexStats {
  /** Objects followed, groups and other things that are not drawn included. */
  tracked: number;
  /** Objects looked at by each `update`. */
  dynamic: number;
  /** Objects in no result because their bounds are NaN. */
  quarantined: number;
}

/**
 * Size and shape of an index, counted anew at each call.
 * @throws TypeError for what is no `SceneIndex`, Error for one that was disposed.
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
