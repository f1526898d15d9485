/** The spatial index without three.js: for servers, workers and other engines. */

export { Hits } from './core/lists/Hits.js';
export { IdList } from './core/lists/IdList.js';
export { IdPairs } from './core/lists/IdPairs.js';
export { Capsule } from './core/shapes/Capsule.js';
export { OrientedBox } from './core/shapes/OrientedBox.js';
export { polygonsOverlap } from './core/shapes/polygonsOverlap.js';
export type { RayLike } from './core/shapes/Ray.js';
export type { GroundPointLike, PointLike } from './core/shapes/readPoint.js';
export { Sector, type SectorLike } from './core/shapes/Sector.js';
export type { Shape } from './core/shapes/Shape.js';
export { Bvh, type BvhOptions } from './structures/bvh/Bvh.js';
export type { NodeView } from './structures/contract/NodeView.js';
export type { QueryCounters, SpatialIndex } from './structures/contract/SpatialIndex.js';
export { STRUCTURES, type StructureName } from './structures/contract/structureNames.js';
export {
  createIndex,
  INDEX_DEFAULTS,
  type IndexOptions,
} from './structures/createIndex.js';
export { enableSimd } from './structures/enableSimd.js';
export { FrustumTracker } from './structures/FrustumTracker.js';
export { findPairs, findPairsBetween } from './structures/findPairs.js';
export { forEachNode } from './structures/forEachNode.js';
export { Grid, type GridOptions } from './structures/grid/Grid.js';
export { BruteForce } from './structures/list/BruteForce.js';
export { maintain } from './structures/maintain.js';
export type { CellOptions } from './structures/octree/CellOptions.js';
export { LooseOctree, type LooseOctreeOptions } from './structures/octree/LooseOctree.js';
export { Octree, type OctreeOptions } from './structures/octree/Octree.js';
export { Packed, type PackedOptions } from './structures/packed/Packed.js';
export { fromBytes, toBytes } from './structures/save.js';
export { type IndexStats, stats } from './structures/stats.js';
