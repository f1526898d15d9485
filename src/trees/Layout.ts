import type { StructureName } from '../contract/SpatialIndex.js';
import type { StructureOptions } from '../contract/Structure.js';
import type { MortonOrder } from './MortonOrder.js';
import type { Tree } from './Tree.js';

/**
 * Decides where items belong in a tree: this makes a tree an octree, a grid or a bounding volume
 * hierarchy.
 *
 * A layout edits its tree and never calls the index back. In particular it does not rebuild: only its caller knows
 * whether it is still on its way through rows and nodes, so `place` reports that the tree is outgrown. A layout is
 * called once for each item that is edited, never during a query.
 */
export interface Layout {
  readonly structure: StructureName;
  /** The options with which `createIndex`, given the name of the structure, makes another index like this. */
  readonly options: StructureOptions;
  readonly tree: Tree;
  /** True when items are arranged in a Morton order on the ground plane, which ignores heights. */
  readonly ordersByGround: boolean;
  /**
   * Makes the entries of an item that has none. Returns true when the tree is outgrown and must be rebuilt.
   * @param items How many items there are, this one included.
   */
  place(id: number, box: Float64Array, items: number): boolean;
  /** True when an item with a single entry, `slot`, may keep it with this box. */
  canStay(slot: number, box: Float64Array): boolean;
  /** True when an item placed under `node` may stay there with any box that lies within the box of a row there. */
  acceptsWithinRow(node: number): boolean;
  /** True when an item with several entries, one of them `slot`, belongs in the same nodes with this box. */
  canStayEverywhere(slot: number, box: Float64Array): boolean;
  /** Cleans up after an entry under `node` was removed: the node may be empty now. */
  removed(node: number): void;
  /**
   * Places the items that `order` names, by their positions in `ids` and `boxes`, in an empty tree. They are in Morton
   * order already, so `order` counts up from 0; it may be rearranged.
   */
  arrange(ids: Int32Array, boxes: Float64Array, order: Int32Array, curve: MortonOrder): void;
  /** Drops everything, and makes room for about `items` items. */
  reset(items: number): void;
}
