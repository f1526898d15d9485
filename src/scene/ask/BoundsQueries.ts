import type { Box3, Frustum, Line3, Object3D, Plane, Sphere, Vector3 } from 'three';
import { Hits } from '../../core/Hits.js';
import { IdList } from '../../core/ids.js';
import { inWords } from '../../core/options.js';
import { MAX_PLANES } from '../../core/shapes/PlanesVolume.js';
import { Shape } from '../../core/shapes/Volume.js';
import type { Entries } from '../follow/Entries.js';
import { checkBox3, checkList, checkPlanes, checkReach, checkSphere, checkVector3 } from '../objects/checks.js';
import { flattenPlanes } from './cameraPlanes.js';

/** An object at a distance. */
export interface ObjectDistance {
  object: Object3D;
  /** From a point to the object's bounds, in world units; 0 for a point within. */
  distance: number;
}

/** An object that a moving box or a segment meets. */
export interface ObjectContact {
  object: Object3D;
  /** When it meets the object's bounds: 0 at the start of the motion, 1 at its end. */
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

  queryBox(box: Box3, out: Object3D[]): Object3D[] {
    checkBox3(box, 'SceneIndex.queryBox');
    checkList(out, 'SceneIndex.queryBox.out');
    if (isNone(box)) this.#ids.length = 0;
    else this.#entries.index.queryBox(sidesOf(box), this.#ids);
    return this.#objects(out);
  }

  querySphere(sphere: Sphere, out: Object3D[]): Object3D[] {
    checkSphere(sphere, 'SceneIndex.querySphere');
    checkList(out, 'SceneIndex.querySphere.out');
    const { center, radius } = sphere;
    if (radius < 0) this.#ids.length = 0;
    else this.#entries.index.querySphere(center.x, center.y, center.z, radius, this.#ids);
    return this.#objects(out);
  }

  queryPoint(point: Vector3, out: Object3D[]): Object3D[] {
    checkVector3(point, 'SceneIndex.queryPoint');
    checkList(out, 'SceneIndex.queryPoint.out');
    this.#entries.index.queryPoint(point.x, point.y, point.z, this.#ids);
    return this.#objects(out);
  }

  queryFrustum(frustum: Frustum, out: Object3D[]): Object3D[] {
    const where = 'SceneIndex.queryFrustum';
    const planes = frustum?.planes;
    if (!Array.isArray(planes) || planes.length !== 6) {
      throw new TypeError(`${where}: must be a Frustum, got ${inWords(frustum)}`);
    }
    return this.#within(planes, where, out);
  }

  queryPlanes(planes: readonly Plane[], out: Object3D[]): Object3D[] {
    const where = 'SceneIndex.queryPlanes';
    if (!Array.isArray(planes)) throw new TypeError(`${where}: must be planes, got ${inWords(planes)}`);
    if (planes.length > MAX_PLANES) {
      throw new RangeError(`${where}: at most ${MAX_PLANES} planes, got ${planes.length}`);
    }
    return this.#within(planes, where, out);
  }

  #within(planes: readonly Plane[], where: string, out: Object3D[]): Object3D[] {
    checkPlanes(planes, where);
    checkList(out, `${where}.out`);
    this.#entries.index.queryPlanes(flattenPlanes(planes, this.#planes), this.#ids);
    return this.#objects(out);
  }

  queryShape(shape: Shape, out: Object3D[]): Object3D[] {
    if (!(shape instanceof Shape)) {
      throw new TypeError(`SceneIndex.queryShape: must be a shape, got ${inWords(shape)}`);
    }
    checkList(out, 'SceneIndex.queryShape.out');
    this.#entries.index.queryShape(shape, this.#ids);
    return this.#objects(out);
  }

  nearest(point: Vector3, count: number, maxDistance: number, out: ObjectDistance[]): ObjectDistance[] {
    checkVector3(point, 'SceneIndex.nearest');
    checkReach(maxDistance, 'SceneIndex.nearest');
    checkList(out, 'SceneIndex.nearest.out');
    const { index } = this.#entries;
    index.nearest(point.x, point.y, point.z, count, maxDistance, this.#hits);
    return writeHits(this.#hits, this.#entries, out, (object, distance) => ({ object, distance }));
  }

  querySegment(line: Line3, out: ObjectContact[]): ObjectContact[] {
    checkVector3(line?.start, 'SceneIndex.querySegment.start');
    checkVector3(line.end, 'SceneIndex.querySegment.end');
    checkList(out, 'SceneIndex.querySegment.out');
    const { index } = this.#entries;
    index.querySegment(coordinatesOf(line.start), coordinatesOf(line.end), this.#hits);
    return writeHits(this.#hits, this.#entries, out, toContact);
  }

  #objects(out: Object3D[]): Object3D[] {
    const { ids, length } = this.#ids;
    const { objects } = this.#entries.byId;
    for (let i = 0; i < length; i++) out[i] = objects[ids[i]] as Object3D;
    out.length = length;
    return out;
  }
}

/** Writes what `make` returns for each object that was hit, in the order of the hits. */
export function writeHits<T>(
  { ids, distances, length }: Hits,
  { byId: { objects } }: Entries,
  out: T[],
  make: (object: Object3D, distance: number) => T,
): T[] {
  for (let i = 0; i < length; i++) out[i] = make(objects[ids[i]] as Object3D, distances[i]);
  out.length = length;
  return out;
}

export function toContact(object: Object3D, time: number): ObjectContact {
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
