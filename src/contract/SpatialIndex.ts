import type { Hits } from '../core/Hits.js';
import type { IdList } from '../core/ids.js';
import type { RayLike } from '../core/shapes/Ray.js';
import type { Shape } from '../core/shapes/Volume.js';

/** How much the last query of an index had to look at. */
export interface Counters {
  /** Nodes whose box was tested. */
  nodesVisited: number;
  /** Entries whose box was tested one by one; entries of a node wholly inside are taken without a test. */
  itemsTested: number;
}

/** Names of the structures, for menus, tests and benchmarks. Saved indices store positions in this list. */
export const STRUCTURES = ['bruteForce', 'grid', 'octree', 'quadtree', 'looseOctree', 'bvh', 'packed'] as const;

/** The name of a structure. */
export type StructureName = (typeof STRUCTURES)[number];

/** Cost of the last query of an index. */
export type QueryCounters = Readonly<Counters>;

/**
 * A set of boxes that can be asked what lies where, and changed at any time.
 *
 * The contract of all structures:
 * - Boxes are closed; touching counts. Zero-size and infinite boxes are legal.
 * - Every query returns exactly the items that a test of each one would return, in double precision, each once.
 *   Frustum tests are those of three's `Frustum.intersectsBox`.
 * - Hits come by distance, then id; other results in no particular order, which is the same for the same history.
 *   `IdList.sort()` sorts by id.
 * - Results overwrite the caller's list, or go to a new one; inputs are copied.
 * - A bad argument throws `RangeError` (wrong value) or `TypeError` (wrong type) before anything changes.
 */
export interface SpatialIndex {
  /** The name of its structure, as `createIndex` takes it. */
  readonly structure: StructureName;
  /** Number of items. */
  readonly size: number;
  /** Grows with every change; equal versions mean equal contents. */
  readonly version: number;
  /** Cost of the last query. */
  readonly counters: QueryCounters;

  /**
   * Adds an item and returns its id: a small integer, reused after `remove`.
   * @param box minX minY minZ maxX maxY maxZ.
   */
  add(box: ArrayLike<number>): number;
  /**
   * Adds many items at once, six numbers each, and returns their ids in the same order: faster than one by one. All boxes
   * are checked before the first is added.
   */
  addAll(boxes: ArrayLike<number>): Int32Array;
  /** The same, of boxes whose minima and maxima lie in two arrays, three numbers each. */
  addAll(min: ArrayLike<number>, max: ArrayLike<number>): Int32Array;
  /** Gives an item a new box. */
  update(id: number, box: ArrayLike<number>): void;
  /**
   * Gives many items new boxes at once, six numbers each in the order of the ids: faster than one by one. All ids and
   * boxes are checked before the first changes. `Packed` takes an Int32Array of ids with a Float64Array or a Float32Array
   * of boxes as they are, fastest where ids count up; of an id that is listed twice the last box counts.
   */
  updateAll(ids: ArrayLike<number>, boxes: ArrayLike<number>): void;
  /**
   * The same, of boxes whose minima and maxima lie in two arrays, three numbers each.
   * @example
   * // A simulation that keeps corners in single precision: nothing is copied or converted before the call.
   * const ids = index.addAll(min, max);
   * step(min, max);
   * index.updateAll(ids, min, max);
   */
  updateAll(ids: ArrayLike<number>, min: ArrayLike<number>, max: ArrayLike<number>): void;
  /** Removes an item. */
  remove(id: number): void;
  /**
   * Removes many items at once: faster than one by one. All ids are checked before the first item goes. The next `addAll`
   * gives them out again in ascending order.
   * @throws RangeError for an id of no item, and for one that is listed twice.
   * @example
   * // Items that leave, and others that take their places and ids.
   * index.removeAll(gone);
   * const ids = index.addAll(boxes);
   */
  removeAll(ids: ArrayLike<number>): void;
  /** True for the id of a live item, false for anything else. */
  has(id: number): boolean;
  /** Copies the box of an item into `out`, or into a new array. */
  getBox(id: number, out?: Float64Array): Float64Array;
  /**
   * Writes the tight box around all items into `out`, or a new array; min is above max when there are no items. Looks
   * at every item.
   */
  getBounds(out?: Float64Array): Float64Array;
  /** Removes everything. */
  clear(): void;
  /** Builds the structure anew from the items it holds: the best shape for them, and no spare memory. Ids stay. */
  rebuild(): void;
  /**
   * Adds x, y and z to all boxes, as a world does that moves its origin to where the player is. `Packed` moves along, the
   * other structures are built anew. Ids stay.
   * @throws RangeError when a coordinate would become infinite.
   */
  translate(x: number, y: number, z: number): void;

  /** Items whose box touches the box. */
  queryBox(box: ArrayLike<number>, out?: IdList): IdList;
  /** Items whose box touches the point. */
  queryPoint(x: number, y: number, z: number, out?: IdList): IdList;
  /** Items whose box touches the ball; a radius of Infinity is legal. */
  querySphere(x: number, y: number, z: number, radius: number, out?: IdList): IdList;
  /** Items whose box touches an `OrientedBox`, a `Capsule` or a `Sector`. */
  queryShape(shape: Shape, out?: IdList): IdList;
  /**
   * Items whose box is not wholly behind one of the planes, such as the six planes of a camera, or those of any convex
   * region. A box near a corner or edge of the region, behind no plane, may be reported although it touches no point of
   * the region.
   * @param planes Four numbers a plane: normal x y z, pointing inwards, and constant; at most 30 planes. A plane with
   * NaN in it is ignored.
   */
  queryPlanes(planes: ArrayLike<number>, out?: IdList): IdList;
  /** The same items in two lists: `inside` lie wholly in front of all planes, `intersecting` are the others. */
  classify(planes: ArrayLike<number>, inside: IdList, intersecting: IdList): void;
  /** Items whose box the ray meets, nearest first. */
  raycast(ray: RayLike, out?: Hits): Hits;
  /** The first item whose box the ray meets, or none. */
  raycastFirst(ray: RayLike, out?: Hits): Hits;
  /**
   * Items whose box the segment between two points touches, in the order in which it meets them from its start; their
   * distances are shares of its length, 0 to 1.
   */
  querySegment(from: ArrayLike<number>, to: ArrayLike<number>, out?: Hits): Hits;
  /**
   * Items that a moving box touches on its way, in the order of the first contacts; their distances are times, 0 at the
   * start and 1 at the end of the way. The box may be of any size, none included, and may stand still.
   * @param motion Three finite numbers: how far the box moves along each axis.
   */
  sweep(box: ArrayLike<number>, motion: ArrayLike<number>, out?: Hits): Hits;
  /** The first item that a moving box touches, or none. */
  sweepFirst(box: ArrayLike<number>, motion: ArrayLike<number>, out?: Hits): Hits;
  /**
   * The items nearest to a point, by the distance from the point to their box, 0 for those it lies in; equal distances
   * by id.
   * @param count How many at most, a whole number from 1, or Infinity for all. Default 1.
   * @param maxDistance Items farther away are ignored. Default Infinity.
   */
  nearest(x: number, y: number, z: number, count?: number, maxDistance?: number, out?: Hits): Hits;
}
