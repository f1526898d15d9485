/** The spatial index without three.js: for servers, workers and other engines. */

export { Hits } from './core/Hits.js';
export { IdList } from './core/IdList.js';
export { IdPairs } from './core/IdPairs.js';
export { polygonsOverlap } from './core/polygonsOverlap.js';
export type { RayLike } from './core/Ray.js';
export type { SectorLike } from './core/Sector.js';
export { BruteForce } from './structures/BruteForce.js';
export { Bvh, type BvhOptions } from './structures/Bvh.js';
export type { CellOptions } from './structures/CellOptions.js';
export {
  createIndex,
  INDEX_DEFAULTS,
  type IndexOptions,
} from './structures/createIndex.js';
export { FrustumView } from './structures/FrustumView.js';
export { fromBytes } from './structures/fromBytes.js';
export { Grid, type GridOptions } from './structures/Grid.js';
export { LooseOctree, type LooseOctreeOptions } from './structures/LooseOctree.js';
export { Octree, type OctreeOptions } from './structures/Octree.js';
export type { IndexStats, NodeView, QueryCounters, SpatialIndex } from './structures/SpatialIndex.js';
export { STRUCTURES, type StructureName } from './structures/structureNames.js';
export { allowSimd } from './wasm/simd.js';
