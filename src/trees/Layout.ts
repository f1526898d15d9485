import type { StructureName } from '../contract/SpatialIndex.js';
import type { MortonOrder } from './MortonOrder.js';
import type { Tree } from './Tree.js';

/**
 * Decides where items belong in a tree, which makes it an octree, a grid or a bounding volume hierarchy. It is called
 * for each edited item, never during a query.
 */
export interface Layout {
  readonly structure: StructureName;
  readonly tree: Tree;
  /** True when the Morton order of items ignores heights. */
  readonly ordersByGround: boolean;
  /** Makes the entries of a new item. */
  place(id: number, box: Float64Array): void;
  /** True when an item with a single entry, `slot`, may keep it with this box. */
  canStay(slot: number, box: Float64Array): boolean;
  /** True when items under `node` may stay with any box that lies within that of their row. */
  acceptsWithinRow(node: number): boolean;
  /** True when an item with several entries, one of them `slot`, belongs in the same nodes with this box. */
  canStayEverywhere(slot: number, box: Float64Array): boolean;
  /** Cleans up after an entry under `node` was removed: the node may be empty now. */
  removed(node: number): void;
  /** Places items, given in Morton order, in an empty tree. `order` counts up from 0, and may be rearranged. */
  arrange(ids: Int32Array, boxes: Float64Array, order: Int32Array, curve: MortonOrder): void;
  /** Drops everything, and makes room for about `items` items. */
  reset(items: number): void;
  /** Replaces the box in `out` by the region of a node, in layouts with cells, for nodes that stand for one. */
  writeRegion?(node: number, out: Float64Array): void;
}
