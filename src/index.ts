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
  validate,
} from './standalone.js';
// The three.js layer.
export { type AccelerateOptions, accelerate } from './three/accelerate/accelerate.js';
export { orientedBoxOf } from './three/bounds/orientedBoxOf.js';
export type { Classification, ScreenMode } from './three/CameraQueries.js';
export type {
  VisibilityTracker,
  VisibilityTrackerEvents,
  VisibilityTrackerOptions,
} from './three/cameras/VisibilityTracker.js';
export { type ObjectPair, PairTracker, type PairTrackerEvents, type PairTrackerOptions } from './three/PairTracker.js';
export { SceneIndex, type SceneIndexOptions, type SceneIndexStats } from './three/SceneIndex.js';
export { type NodeSource, SceneIndexHelper, type SceneIndexHelperOptions } from './three/SceneIndexHelper.js';
export type { ObjectContact, ObjectDistance, SceneSector } from './three/SceneQueries.js';
