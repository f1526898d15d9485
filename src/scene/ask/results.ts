import type { Box3, Object3D, Vector3 } from 'three';
import type { Hits } from '../../core/Hits.js';
import type { IdList } from '../../core/ids.js';
import { checkFinite } from '../../core/shapes/vectors.js';
import type { Entries } from '../follow/Entries.js';
import { checkVector3 } from '../objects/checks.js';

// Arguments and results of queries by position.

/** An object and its distance, from `SceneIndex.nearest`. */
export interface ObjectDistance<T extends Object3D = Object3D> {
  /** The object. */
  object: T;
  /** Distance to the object's bounds, in world units. 0 for a point within the bounds. */
  distance: number;
}

/** An object that a segment or a moving box meets. */
export interface ObjectContact<T extends Object3D = Object3D> {
  object: T;
  /** Time of first contact with the bounds: 0 at the start, 1 at the end. */
  time: number;
}

/** Writes the objects of entries, in the order of their ids in a list. */
export function writeObjects<T extends Object3D>({ ids, length }: IdList, entries: Entries, out: T[]): T[] {
  const { objects } = entries.byId;
  for (let i = 0; i < length; i++) out[i] = objects[ids[i]] as T;
  out.length = length;
  return out;
}

/** Writes the result of `make` for each hit object, in the order of the hits. */
export function writeHits<T extends Object3D, H>(
  { ids, distances, length }: Hits,
  { byId: { objects } }: Entries,
  out: H[],
  make: (object: T, distance: number) => H,
): H[] {
  for (let i = 0; i < length; i++) out[i] = make(objects[ids[i]] as T, distances[i]);
  out.length = length;
  return out;
}

/** Checks that a point or motion is finite: the core's error would name a method of the core. */
export function checkPoint(point: Vector3, where: string, name: string): void {
  checkVector3(point, `${where}.${name}`);
  checkFinite(coordinatesOf(point), where, name);
}

export function toContact<T extends Object3D>(object: T, time: number): ObjectContact<T> {
  return { object, time };
}

export function isNone({ min, max }: Box3): boolean {
  return max.x < min.x || max.y < min.y || max.z < min.z;
}

export function coordinatesOf({ x, y, z }: Vector3): number[] {
  return [x, y, z];
}

export function sidesOf({ min, max }: Box3): number[] {
  return [min.x, min.y, min.z, max.x, max.y, max.z];
}
