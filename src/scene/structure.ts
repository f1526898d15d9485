import type { Object3D } from 'three';
import type { NodeView } from '../contract/NodeRecords.js';
import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { forEachNode as forEachNodeOf } from '../structures/forEachNode.js';
import { MAINTENANCE_MS, maintain as maintainStructure } from '../structures/maintain.js';
import { type IndexStats, stats as statsOf } from '../structures/stats.js';
import { partsIn, type SceneIndex } from './SceneIndex.js';

// Functions of the core that take the index of a scene as well.

/**
 * Restores the speed that queries lose while items move. Call it once a frame; answers change only in their order.
 * Accelerated scenes call it in each update.
 *
 * `packed` works for about `budgetMs`, and goes on at the next call. A tree is rebuilt as a whole, and only when its
 * queries have lost more time since the last build than a rebuild takes: such a call may far exceed the budget (some 30
 * ms for 100,000 items).
 * @param budgetMs Milliseconds, from 0; with 0 a tree is not rebuilt, with Infinity all is restored, even if it does not
 * pay. Default 0.5.
 * @returns true when nothing is left to do.
 * @throws TypeError or RangeError for an invalid index or budget, Error for an index that was disposed.
 */
export function maintain(index: SceneIndex | SpatialIndex, budgetMs: number = MAINTENANCE_MS): boolean {
  const parts = partsIn(index, 'maintain');
  return maintainStructure(parts?.entries.measured ?? (index as SpatialIndex), budgetMs);
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
 * @throws TypeError for what is no index, Error for one that was disposed.
 */
export function stats(index: SceneIndex): SceneIndexStats;
export function stats(index: SpatialIndex): IndexStats;
export function stats(index: SceneIndex | SpatialIndex): SceneIndexStats | IndexStats {
  const parts = partsIn(index, 'stats');
  if (parts === null) return statsOf(index as SpatialIndex);
  const { entries, follower } = parts;
  return {
    ...statsOf(entries.index),
    tracked: follower.hierarchy.records.size,
    dynamic: follower.dynamicCount,
    quarantined: entries.quarantined.size,
  };
}

/**
 * Calls `visit` for every node of an index, parents before children; for drawing. Nodes are copied before the first call,
 * so `visit` may change the index. For a `SceneIndex`, `objectOf` gives the object of an id in `node.ids`.
 * @example
 * forEachNode(index, (node, objectOf) => console.log(node.depth, Array.from(node.ids, objectOf)));
 * @throws TypeError for anything but an index and a function, Error for an index that was disposed.
 */
export function forEachNode(index: SceneIndex, visit: (node: NodeView, objectOf: ObjectOf) => void): void;
export function forEachNode(index: SceneIndex | SpatialIndex, visit: (node: NodeView) => void): void;
export function forEachNode(
  index: SceneIndex | SpatialIndex,
  visit: (node: NodeView, objectOf: ObjectOf) => void,
): void {
  const parts = partsIn(index, 'forEachNode');
  if (parts === null || typeof visit !== 'function') {
    forEachNodeOf(parts?.entries.index ?? (index as SpatialIndex), visit as (node: NodeView) => void);
    return;
  }
  const { index: measured, byId } = parts.entries;
  const records = byId.records.slice();
  const objectOf: ObjectOf = (id) => records[id]!.object;
  forEachNodeOf(measured, (node) => visit(node, objectOf));
}

/** Gives the object of an id, as `forEachNode` lists them for a `SceneIndex`. */
export type ObjectOf = (id: number) => Object3D;
