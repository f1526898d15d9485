import type { Object3D } from 'three';
import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { forEachNode as forEachNodeOf, type NodeView } from '../structures/forEachNode.js';
import { MAINTENANCE_MS, maintain as maintainStructure } from '../structures/maintain.js';
import { type IndexStats, stats as statsOf } from '../structures/stats.js';
import { partsIn, type SceneIndex } from './SceneIndex.js';

// Functions of the core that also accept the index of a scene.

/**
 * Restores the query speed that an index loses while objects move. Call it once a frame; accelerated scenes do so
 * themselves. Results change only in their order.
 *
 * `packed` works for about `budgetMs`, and continues in the next call. A tree is rebuilt as a whole, once its queries
 * have lost more time since the last build than a rebuild takes. The rebuild may far exceed the budget.
 * @param budgetMs Milliseconds, from 0. With 0 no tree is rebuilt; with Infinity everything is restored, whether or not
 * that pays. Default 0.5.
 * @returns true when nothing is left to do.
 * @throws TypeError or RangeError for an invalid index or budget, Error for a disposed index.
 * @example
 * ```ts
 * import { maintain, SceneIndex } from 'three-scene-index';
 *
 * const own = new SceneIndex(scene);
 * renderer.setAnimationLoop(() => {
 *   own.update();
 *   maintain(own, 0.5);
 * });
 * ```
 */
export function maintain(index: SceneIndex | SpatialIndex, budgetMs: number = MAINTENANCE_MS): boolean {
  const parts = partsIn(index, 'maintain');
  return maintainStructure(parts?.entries.measured ?? (index as SpatialIndex), budgetMs);
}

/** Size and shape of a `SceneIndex`. */
export interface SceneIndexStats extends IndexStats {
  /** Objects followed by the index, including groups and other objects that draw nothing. */
  tracked: number;
  /** Objects that every `update` visits. */
  dynamic: number;
  /** Objects missing from all results because their bounds are NaN. */
  quarantined: number;
}

/**
 * Counts the size and shape of an index, anew at each call.
 * @throws TypeError for anything but an index, Error for a disposed index.
 * @example
 * ```ts
 * import { stats } from 'three-scene-index';
 *
 * const { items, nodes, bytes } = stats(index);
 * console.log(`${items} objects in ${nodes} nodes, ${bytes} bytes`);
 * ```
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
 * Calls `visit` for every node of an index, parents before children. Use it to draw the nodes. All nodes are copied
 * before the first call, so `visit` may change the index.
 * @param visit For a `SceneIndex` the callback also gets a function that returns the object of an id in `node.ids`.
 * @throws TypeError for anything but an index and a function, Error for a disposed index.
 * @example
 * ```ts
 * import { forEachNode } from 'three-scene-index';
 *
 * forEachNode(index, (node, objectOf) => {
 *   console.log(node.depth, Array.from(node.ids, objectOf));
 * });
 * ```
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

/** Returns the object of an id that `forEachNode` lists for a `SceneIndex`. */
export type ObjectOf = (id: number) => Object3D;
