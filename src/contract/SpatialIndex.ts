import type { Hits } from '../core/Hits.js';
import type { IdList } from '../core/ids.js';
import type { RayLike } from '../core/shapes/Ray.js';
import type { Shape } from '../core/shapes/Shape.js';

/** Numbers of nodes and items that the last query of an index tested. */
export interface Counters {
  /** Nodes whose box was tested. */
  nodesVisited: number;
  /** Items whose box was tested one by one; items of a node wholly inside are taken without a test. */
  itemsTested: number;
}

/**
 * Names of all structures, for menus, tests and benchmarks.
 *
 * @example
 * ```ts
 * import { createIndex, STRUCTURES, stats } from 'three-scene-index/core';
 *
 * for (const name of STRUCTURES) {
 *   const index = createIndex(name);
 *   index.addAll(boxes);
 *   console.log(name, stats(index).bytes);
 * }
 * ```
 */
export const STRUCTURES = ['bruteForce', 'grid', 'octree', 'quadtree', 'looseOctree', 'bvh', 'packed'] as const;

/** The name of a structure, one of {@link STRUCTURES}. */
export type StructureName = (typeof STRUCTURES)[number];

/** How many boxes the last query of an index tested. */
export type QueryCounters = Readonly<Counters>;

/**
 * A set of boxes, queried by position and changed at any time.
 *
 * All structures keep this contract:
 * - Boxes are closed: touching counts. Zero-size and infinite boxes are legal.
 * - A query returns exactly the items that a test of each box in double precision would return, each once. Frustum
 *   tests agree with three's `Frustum.intersectsBox`.
 * - `Hits` are sorted by distance, then by id. Other results have no particular order, but identical edits and queries
 *   give an identical order. `IdList.sort()` sorts by id.
 * - Results overwrite the list you pass, or go to a new one. Arguments are copied.
 * - A bad argument throws `RangeError` (wrong value) or `TypeError` (wrong type) before anything changes.
 */
export interface SpatialIndex {
  /** Name of the structure, as `createIndex` takes it. */
  readonly structure: StructureName;
  /** Number of items. */
  readonly size: number;
  /** Grows with every change: equal versions mean equal contents. */
  readonly version: number;
  /** How many boxes the last query tested. */
  readonly counters: QueryCounters;

  /**
   * Adds an item and returns its id, a small integer. Ids of removed items are reused.
   * @param box minX minY minZ maxX maxY maxZ.
   */
  add(box: ArrayLike<number>): number;
  /**
   * Adds many items in one call, and returns their ids in order. Faster than adding them one by one. All boxes are
   * checked before the first is added.
   * @param boxes Six numbers for each item.
   */
  addAll(boxes: ArrayLike<number>): Int32Array;
  /** Adds many items whose minima and maxima are in two arrays, three numbers per item. */
  addAll(min: ArrayLike<number>, max: ArrayLike<number>): Int32Array;
  /** Gives an item a new box. */
  update(id: number, box: ArrayLike<number>): void;
  /**
   * Gives many items new boxes in one call. Faster than one by one. All ids and boxes are checked before the first item
   * changes; for an id listed twice the last box counts.
   *
   * `Packed` reads an `Int32Array` of ids with a `Float64Array` or `Float32Array` of boxes without copying; consecutive
   * ids are fastest.
   * @param boxes Six numbers for each id, in the order of the ids.
   */
  updateAll(ids: ArrayLike<number>, boxes: ArrayLike<number>): void;
  /**
   * Updates many items whose minima and maxima are in two arrays, three numbers per item.
   * @example
   * ```ts
   * // A simulation that keeps corners in single precision: nothing is converted before the call.
   * const ids = index.addAll(min, max);
   * step(min, max);
   * index.updateAll(ids, min, max);
   * ```
   */
  updateAll(ids: ArrayLike<number>, min: ArrayLike<number>, max: ArrayLike<number>): void;
  /** Removes an item. */
  remove(id: number): void;
  /**
   * Removes many items in one call. Faster than one by one. All ids are checked before the first item goes. The next
   * `addAll` reuses the ids in ascending order.
   * @throws RangeError for an id without an item, and for an id that is listed twice.
   * @example
   * ```ts
   * index.removeAll(gone);
   * const ids = index.addAll(boxes); // ids of removed items come first
   * ```
   */
  removeAll(ids: ArrayLike<number>): void;
  /** True for the id of an item in the index, false for anything else. */
  has(id: number): boolean;
  /** Copies the box of an item into `out`, or into a new array. */
  getBox(id: number, out?: Float64Array): Float64Array;
  /**
   * Writes the tight box around all items into `out`, or a new array. Without items, min is above max. Reads every
   * item.
   */
  getBounds(out?: Float64Array): Float64Array;
  /** Removes everything. */
  clear(): void;
  /** Rebuilds the structure from its items, for the best shape and without spare memory. Ids stay. */
  rebuild(): void;
  /**
   * Adds x, y and z to all boxes, for a world that moves its origin. `Packed` moves its rows; other structures are
   * rebuilt. Ids stay.
   * @throws RangeError when a coordinate would become infinite.
   */
  translate(x: number, y: number, z: number): void;

  /** Finds items whose box touches a box. */
  queryBox(box: ArrayLike<number>, out?: IdList): IdList;
  /** Finds items whose box contains or touches a point. */
  queryPoint(x: number, y: number, z: number, out?: IdList): IdList;
  /** Finds items whose box touches a ball. A radius of Infinity is legal. */
  querySphere(x: number, y: number, z: number, radius: number, out?: IdList): IdList;
  /** Finds items whose box touches an `OrientedBox`, a `Capsule` or a `Sector`. */
  queryShape(shape: Shape, out?: IdList): IdList;
  /**
   * Finds items whose box is not wholly behind any of the planes. The planes bound the view of a camera, or any convex
   * region. The test is conservative: a box just outside an edge or corner of the region may be reported, as it is
   * behind no single plane.
   * @param planes Four numbers per plane: normal x y z, pointing inwards, and constant; at most 30 planes. A plane with
   * NaN in it is ignored.
   * @example
   * ```ts
   * import { Frustum, Matrix4 } from 'three';
   *
   * const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
   * const frustum = new Frustum().setFromProjectionMatrix(matrix);
   * const planes = frustum.planes.flatMap(({ normal, constant }) => [...normal, constant]);
   * for (const id of index.queryPlanes(planes)) console.log(id);
   * ```
   */
  queryPlanes(planes: ArrayLike<number>, out?: IdList): IdList;
  /**
   * Finds the items of `queryPlanes`, and sorts them into two lists.
   * @param inside Gets the items wholly in front of all planes.
   * @param intersecting Gets the other items found.
   */
  classify(planes: ArrayLike<number>, inside: IdList, intersecting: IdList): void;
  /** Finds items whose box the ray meets, nearest first. */
  raycast(ray: RayLike, out?: Hits): Hits;
  /** Finds the first item whose box the ray meets, if any. */
  raycastFirst(ray: RayLike, out?: Hits): Hits;
  /**
   * Finds items whose box a segment between two points touches, nearest to its start first. Distances are shares of its
   * length, 0 to 1.
   */
  querySegment(from: ArrayLike<number>, to: ArrayLike<number>, out?: Hits): Hits;
  /**
   * Finds items that a moving box touches, in the order of first contact. Distances are times, 0 at the start of the
   * motion and 1 at its end. The box may have any size, zero included, and may stand still.
   * @param motion Three finite numbers: how far the box moves along each axis.
   */
  sweep(box: ArrayLike<number>, motion: ArrayLike<number>, out?: Hits): Hits;
  /**
   * Finds the items nearest to a point, by distance from the point to their box. The distance is 0 inside a box; ties
   * are sorted by id.
   * @param count The most items to return, a whole number from 1, or Infinity for all. Default 1.
   * @param maxDistance Items farther away are ignored. Default Infinity.
   */
  nearest(x: number, y: number, z: number, count?: number, maxDistance?: number, out?: Hits): Hits;
}
