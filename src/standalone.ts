/**
 * The spatial index without three.js: for servers, workers and other engines.
 * @module
 */

export { type QueryCounters, type SpatialIndex, STRUCTURES, type StructureName } from './contract/SpatialIndex.js';
export { Hits } from './core/Hits.js';
export { IdPairs } from './core/IdPairs.js';
export { IdList } from './core/ids.js';
export { Capsule } from './core/shapes/Capsule.js';
export { OrientedBox } from './core/shapes/OrientedBox.js';
export type { RayLike } from './core/shapes/Ray.js';
export { Sector, type SectorLike } from './core/shapes/Sector.js';
export type { Shape } from './core/shapes/Shape.js';
export type { GroundPointLike, PointLike } from './core/shapes/vectors.js';
export { enableSimd } from './packed/enableSimd.js';
export { Packed, type PackedOptions } from './packed/Packed.js';
export { findPairs, findPairsBetween } from './pairs/findPairs.js';
export { createIndex, type IndexOptions } from './structures/createIndex.js';
export { forEachNode, type NodeView } from './structures/forEachNode.js';
export { maintain } from './structures/maintain.js';
export { type IndexStats, stats } from './structures/stats.js';
export { BruteForce } from './trees/BruteForce.js';
export { Bvh, type BvhOptions } from './trees/bvh/Bvh.js';
export { Grid, type GridOptions } from './trees/grid/Grid.js';
export {
  LooseOctree,
  type LooseOctreeOptions,
  Octree,
  type OctreeOptions,
  Quadtree,
  type QuadtreeOptions,
} from './trees/octree/octrees.js';
export type { CellOptions } from './trees/octree/placement.js';
