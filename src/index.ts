/**
 * A spatial index over a three.js scene.
 * @module
 */

// Structures for scenes and servers alike. More of the core is at `three-scene-index/core`.
export type { SpatialIndex, StructureName } from './contract/SpatialIndex.js';
export type { Shape } from './core/shapes/Shape.js';
export { explain } from './explain/explain.js';
export { report, type UnbatchedReport } from './explain/report.js';
export type { InstanceLevel } from './instances/drawn/BatchLevels.js';
export { InstanceIndex, type InstanceIndexOptions } from './instances/InstanceIndex.js';
export type { InstanceDistance } from './instances/table/InstanceQueries.js';
export { Packed, type PackedOptions } from './packed/Packed.js';
// Functions and classes for scenes of three.js.
export type { AccelerateOptions, BatchOptions, LevelOptions } from './render/AccelerateOptions.js';
export { type AcceleratedScene, accelerate } from './render/accelerate.js';
export { cullOutlines, type OutlineNodeLike, type OutlinePassLike } from './render/cullOutlines.js';
export { OcclusionHelper, type OcclusionHelperOptions } from './render/OcclusionHelper.js';
export type { ObjectContact, ObjectDistance } from './scene/ask/results.js';
export type { CullOptions, DrawLimits } from './scene/ask/SceneLimits.js';
export { findPairs, findPairsBetween, type ObjectPair, PairTracker } from './scene/PairTracker.js';
export { type Classification, classify, queryScreen, type ScreenMode, sweep } from './scene/rareQueries.js';
export { SceneIndex, type SceneIndexOptions } from './scene/SceneIndex.js';
export { type NodeSource, SceneIndexHelper, type SceneIndexHelperOptions } from './scene/SceneIndexHelper.js';
export { forEachNode, maintain, type ObjectOf, type SceneIndexStats, stats } from './scene/structure.js';
export { VisibilityTracker } from './scene/VisibilityTracker.js';
export { createIndex, type IndexOptions } from './structures/createIndex.js';
export type { NodeView } from './structures/forEachNode.js';
export {
  LooseOctree,
  type LooseOctreeOptions,
  Octree,
  type OctreeOptions,
  Quadtree,
  type QuadtreeOptions,
} from './trees/octree/octrees.js';
