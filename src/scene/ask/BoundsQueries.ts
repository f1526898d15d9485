import type { Box3, Frustum, Line3, Object3D, Plane, Sphere, Vector3 } from 'three';
import { Hits } from '../../core/Hits.js';
import { IdList } from '../../core/ids.js';
import { checkCount, inWords } from '../../core/options.js';
import { Shape } from '../../core/shapes/Shape.js';
import { MAX_PLANES } from '../../core/shapes/Volume.js';
import { checkFinite, checkReach } from '../../core/shapes/vectors.js';
import type { Entries } from '../follow/Entries.js';
import { checkBox3, checkList, checkPlanes, checkSphere, checkVector3 } from '../objects/checks.js';
import { flattenPlanes } from './cameraViews.js';

/** An object and its distance, from `SceneIndex.nearest`. */
export interface ObjectDistance<T extends Object3D = Object3D> {
  /** The object. */
  object: T;
  /** Distance to the object's bounds, in world units. 0 for a point within. */
  distance: number;
}

/** An object that a segment or a moving box meets. */
export interface ObjectContact<T extends Object3D = Object3D> {
  object: T;
  /** Time of first contact with its bounds: 0 at the start, 1 at the end. */
  time: number;
}

/** Queries by place: checks the arguments, asks the core index, and maps ids to objects. See `SceneIndex`. */
export class BoundsQueries {
  readonly #entries: Entries;
  readonly #ids = new IdList();
  readonly #hits = new Hits();
  readonly #planes = new Float64Array(4 * MAX_PLANES);

  constructor(entries: Entries) {
    this.#entries = entries;
  }

  queryBox<T extends Object3D>(box: Box3, out: T[]): T[] {
    checkBox3(box, 'SceneIndex.queryBox');
    checkList(out, 'SceneIndex.queryBox');
    if (isNone(box)) this.#ids.length = 0;
    else this.#entries.index.queryBox(sidesOf(box), this.#ids);
    return this.#objects(out);
  }

  querySphere<T extends Object3D>(sphere: Sphere, out: T[]): T[] {
    checkSphere(sphere, 'SceneIndex.querySphere');
    checkPoint(sphere.center, 'SceneIndex.querySphere', 'center');
    checkList(out, 'SceneIndex.querySphere');
    const { center, radius } = sphere;
    if (radius < 0) this.#ids.length = 0;
    else this.#entries.index.querySphere(center.x, center.y, center.z, radius, this.#ids);
    return this.#objects(out);
  }

  queryPoint<T extends Object3D>(point: Vector3, out: T[]): T[] {
    checkVector3(point, 'SceneIndex.queryPoint');
    checkList(out, 'SceneIndex.queryPoint');
    this.#entries.index.queryPoint(point.x, point.y, point.z, this.#ids);
    return this.#objects(out);
  }

  queryFrustum<T extends Object3D>(frustum: Frustum, out: T[]): T[] {
    const where = 'SceneIndex.queryFrustum';
    const planes = frustum?.planes;
    if (!Array.isArray(planes) || planes.length !== 6) {
      throw new TypeError(`${where}: must be a Frustum, got ${inWords(frustum)}`);
    }
    return this.#within(planes, where, out);
  }

  queryPlanes<T extends Object3D>(planes: readonly Plane[], out: T[]): T[] {
    const where = 'SceneIndex.queryPlanes';
    if (!Array.isArray(planes)) throw new TypeError(`${where}: must be an array of planes, got ${inWords(planes)}`);
    if (planes.length > MAX_PLANES) {
      throw new RangeError(`${where}: at most ${MAX_PLANES} planes, got ${planes.length}`);
    }
    return this.#within(planes, where, out);
  }

  #within<T extends Object3D>(planes: readonly Plane[], where: string, out: T[]): T[] {
    checkPlanes(planes, where);
    checkList(out, where);
    this.#entries.index.queryPlanes(flattenPlanes(planes, this.#planes), this.#ids);
    return this.#objects(out);
  }

  queryShape<T extends Object3D>(shape: Shape, out: T[]): T[] {
    if (!(shape instanceof Shape)) {
      throw new TypeError(`SceneIndex.queryShape: must be a shape, got ${inWords(shape)}`);
    }
    checkList(out, 'SceneIndex.queryShape');
    this.#entries.index.queryShape(shape, this.#ids);
    return this.#objects(out);
  }

  nearest<T extends Object3D>(
    point: Vector3,
    count: number,
    maxDistance: number,
    out: ObjectDistance<T>[],
  ): ObjectDistance<T>[] {
    checkVector3(point, 'SceneIndex.nearest');
    checkReach(point.x, point.y, point.z, maxDistance, 'SceneIndex.nearest', 'point', 'distance');
    checkCount(count, 'SceneIndex.nearest');
    checkList(out, 'SceneIndex.nearest');
    const { index } = this.#entries;
    index.nearest(point.x, point.y, point.z, count, maxDistance, this.#hits);
    return writeHits(this.#hits, this.#entries, out, (object: T, distance) => ({ object, distance }));
  }

  querySegment<T extends Object3D>(line: Line3, out: ObjectContact<T>[]): ObjectContact<T>[] {
    checkPoint(line?.start, 'SceneIndex.querySegment', 'start');
    checkPoint(line.end, 'SceneIndex.querySegment', 'end');
    checkList(out, 'SceneIndex.querySegment');
    const { index } = this.#entries;
    index.querySegment(coordinatesOf(line.start), coordinatesOf(line.end), this.#hits);
    return writeHits(this.#hits, this.#entries, out, toContact<T>);
  }

  #objects<T extends Object3D>(out: T[]): T[] {
    const { ids, length } = this.#ids;
    const { objects } = this.#entries.byId;
    for (let i = 0; i < length; i++) out[i] = objects[ids[i]] as T;
    out.length = length;
    return out;
  }
}

/** Writes what `make` returns for each object that was hit, in the order of the hits. */
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

/** A point or a way, whose coordinates must be finite: the core would name a method of its own. */
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
