/** A spatial index over a three.js scene. */

// The core, without three.js; also at `three-scene-index/core`.
export {
  BruteForce,
  type CellOptions,
  createIndex,
  Hits,
  IdList,
  INDEX_DEFAULTS,
  type IndexOptions,
  type IndexStats,
  LooseOctree,
  type LooseOctreeOptions,
  type NodeView,
  Octree,
  type OctreeOptions,
  type QueryCounters,
  type RayLike,
  type SpatialIndex,
  STRUCTURES,
  type StructureName,
} from './core.js';
// The three.js layer.
export { type Classification, SceneIndex, type SceneIndexOptions, type SceneIndexStats } from './three/SceneIndex.js';
export { SceneIndexHelper, type SceneIndexHelperOptions } from './three/SceneIndexHelper.js';
