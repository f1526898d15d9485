/** A spatial index over a three.js scene. */

// The core, without three.js; also at `three-scene-index/core`.
export {
  BruteForce,
  Bvh,
  type BvhOptions,
  Capsule,
  type CellOptions,
  createIndex,
  enableSimd,
  FrustumTracker,
  findPairs,
  findPairsBetween,
  forEachNode,
  fromBytes,
  Grid,
  type GridOptions,
  type GroundPointLike,
  Hits,
  IdList,
  IdPairs,
  INDEX_DEFAULTS,
  type IndexOptions,
  type IndexStats,
  LooseOctree,
  type LooseOctreeOptions,
  maintain,
  type NodeView,
  Octree,
  type OctreeOptions,
  OrientedBox,
  Packed,
  type PackedOptions,
  type PointLike,
  polygonsOverlap,
  type QueryCounters,
  type RayLike,
  Sector,
  type SectorLike,
  type Shape,
  type SpatialIndex,
  STRUCTURES,
  type StructureName,
  stats,
  toBytes,
} from './standalone.js';
// The three.js layer.
export type { AccelerateOptions, BatchOptions } from './three/accelerate/AccelerateOptions.js';
export { type AcceleratedScene, accelerate } from './three/accelerate/accelerate.js';
export type { ObjectContact, ObjectDistance } from './three/BoundsQueries.js';
export type { InstanceLevel } from './three/batches/BatchLevels.js';
export { orientedBoxOf } from './three/bounds/orientedBoxOf.js';
export { type Classification, classifyScene } from './three/classifyScene.js';
export { explain } from './three/diagnose/explain.js';
export { report, type UnbatchedReport } from './three/diagnose/report.js';
export { findObjectPairs, findObjectPairsBetween } from './three/findObjectPairs.js';
export { forEachSceneNode } from './three/forEachSceneNode.js';
export { InstanceIndex, type InstanceIndexOptions } from './three/InstanceIndex.js';
export type { InstanceDistance } from './three/instances/InstancePlaces.js';
export { maintainScene } from './three/maintainScene.js';
export { cullOutlines, type OutlineNodeLike, type OutlinePassLike } from './three/outlines/cullOutlines.js';
export { queryScreen, type ScreenMode } from './three/queryScreen.js';
export { SceneIndex, type SceneIndexOptions } from './three/SceneIndex.js';
export { type NodeSource, SceneIndexHelper, type SceneIndexHelperOptions } from './three/SceneIndexHelper.js';
export { type SceneIndexStats, sceneStats } from './three/sceneStats.js';
export { sweepScene, sweepSceneFirst } from './three/sweepScene.js';
export {
  type ObjectPair,
  PairTracker,
  type PairTrackerEvents,
  type PairTrackerOptions,
} from './three/trackers/PairTracker.js';
export {
  VisibilityTracker,
  type VisibilityTrackerEvents,
  type VisibilityTrackerOptions,
} from './three/trackers/VisibilityTracker.js';
