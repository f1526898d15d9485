import type { Hits } from '../core/Hits.js';
import type { IdList, ItemIds } from '../core/ids.js';
import { inWords, nearestName } from '../core/options.js';
import type { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import type { PointDistance } from '../core/shapes/PointDistance.js';
import type { Ray } from '../core/shapes/Ray.js';
import type { Volume } from '../core/shapes/Volume.js';
import { type Counters, STRUCTURES, type StructureName } from './SpatialIndex.js';

/** Keeps the boxes of an index. Its methods do the work of `SpatialIndex`, for checked arguments; no user code runs. */
export interface Structure {
  readonly name: StructureName;
  /** Ids are allocated just before `insert`, and freed just after `remove` but before `removeAll`. */
  readonly ids: ItemIds;
  /** Counts of the last query; `beginQuery` starts to count the next query. */
  readonly counters: Counters & { beginQuery(): void };
  /** True only if no box is unbounded, see `isBounded` of core/box; may be false all the same. */
  readonly isBounded: boolean;

  /** Adds a new item. Boxes are copied, here and in all other methods. */
  insert(id: number, box: Float64Array): void;
  /** Allocates ids for many new items, and adds the items. */
  insertAll(boxes: Float64Array): Int32Array;
  move(id: number, box: Float64Array): void;
  /** Moves many items, six numbers each. An id may occur more than once: the last of its boxes counts. */
  moveAll(ids: ArrayLike<number>, boxes: Float64Array): void;
  /** Moves all items by x, y and z, to the given boxes. */
  translate(x: number, y: number, z: number, ids: Int32Array, boxes: Float64Array): void;
  remove(id: number): void;
  /** Removes many items, each listed once, in ascending order. */
  removeAll(ids: Int32Array): void;
  /** Builds the structure anew from its items and the new ones. */
  arrange(newIds: Int32Array, newBoxes: Float64Array): void;
  /** Restores the speed of queries, for some milliseconds; true when nothing is left to do. */
  maintain(budget: number): boolean;
  clear(): void;
  /** Copies the box of an item. */
  read(id: number, out: Float64Array): void;
  /** Widens a box so that it holds all items. */
  uniteAll(out: Float64Array): void;

  overlap(volume: Volume, out: IdList): void;
  classify(planes: PlanesVolume, intersecting: IdList, inside: IdList): void;
  /** Finds all items that the ray meets, in no particular order, or with a count of 1 the first item. */
  raycast(ray: Ray, count: number, out: Hits): void;
  nearest(point: PointDistance, count: number, out: Hits): void;
}

/** The structure of each index, for the library's functions; users cannot get it. */
const structures = new WeakMap<object, Structure>();

export function registerStructure(index: object, structure: Structure): void {
  structures.set(index, structure);
}

/** The structure of an index; throws for anything else. */
export function structureOf(index: unknown, where: string): Structure {
  const structure = structures.get(index as object);
  if (structure === undefined)
    throw new TypeError(`${where}: must be an index, got ${inWords(index)}${lineFor(index)}`);
  return structure;
}

/** The code to write for an index, when the name of a structure was given in its stead. */
function lineFor(given: unknown): string {
  const name = typeof given === 'string' && nearestName(given, STRUCTURES);
  return name ? `: write new ${name[0].toUpperCase()}${name.slice(1)}(), or createIndex('${name}')` : '';
}

export const NO_IDS: Int32Array = new Int32Array(0);
export const NO_BOXES: Float64Array = new Float64Array(0);
