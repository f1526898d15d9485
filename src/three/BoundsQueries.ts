import type { Box3, Frustum, Line3, Object3D, Plane, Sphere, Vector3 } from 'three';
import { inWords } from '../core/inWords.js';
import { Hits } from '../core/lists/Hits.js';
import { IdList } from '../core/lists/IdList.js';
import { MAX_PLANES } from '../core/shapes/PlanesVolume.js';
import { Shape } from '../core/shapes/Shape.js';
import { flattenPlanes } from './cameras/cameraPlanes.js';
import type { Entries } from './entries/Entries.js';
import { checkBox3, checkList, checkPlanes, checkSphere, checkVector3 } from './objects/checks.js';
import type { ObjectRecord } from './objects/ObjectRecord.js';

/** An object at a distance. */
export interface ObjectDistance {
  object: Object3D;
  /** From a point to the object's bounds, in world units; 0 for a point within. */
  distance: number;
}

/** An object that something meets on its way. */
export interface ObjectContact {
  object: Object3D;
  /** When it meets the object's bounds: 0 at the start of the way, 1 at its end. */
  time: number;
}

/** Queries by place: the arguments are checked, the core index answers, and its ids become objects. See `SceneIndex`. */
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
    if (!Array.isArray(frustum?.planes) || frustum.planes.length !== 6) {
      throw new TypeError(`SceneIndex.queryFrustum: must be a Frustum, got ${inWords(frustum)}`);
    }
    checkPlanes(frustum.planes, 'SceneIndex.queryFrustum');
    checkList(out, 'SceneIndex.queryFrustum.out');
    this.#entries.index.queryPlanes(flattenPlanes(frustum.planes, this.#planes), this.#ids);
    return this.#objects(out);
  }

  queryPlanes(planes: readonly Plane[], out: Object3D[]): Object3D[] {
    if (!Array.isArray(planes)) throw new TypeError(`SceneIndex.queryPlanes: must be planes, got ${inWords(planes)}`);
    if (planes.length > MAX_PLANES) {
      throw new RangeError(`SceneIndex.queryPlanes: at most ${MAX_PLANES} planes, got ${planes.length}`);
    }
    checkPlanes(planes, 'SceneIndex.queryPlanes');
    checkList(out, 'SceneIndex.queryPlanes.out');
    this.#entries.index.queryPlanes(flattenPlanes(planes, this.#planes), this.#ids);
    return this.#objects(out);
  }

  queryShape(shape: Shape, out: Object3D[]): Object3D[] {
    if (!(shape instanceof Shape)) {
      throw new TypeError(
        `SceneIndex.queryShape: must be an OrientedBox, a Capsule or a Sector, got ${inWords(shape)}`,
      );
    }
    checkList(out, 'SceneIndex.queryShape.out');
    this.#entries.index.queryShape(shape, this.#ids);
    return this.#objects(out);
  }

  nearest(point: Vector3, count: number, maxDistance: number, out: ObjectDistance[]): ObjectDistance[] {
    checkVector3(point, 'SceneIndex.nearest');
    checkReach(maxDistance, 'SceneIndex.nearest');
    checkList(out, 'SceneIndex.nearest.out');
    const hits = this.#entries.index.nearest(point.x, point.y, point.z, count, maxDistance, this.#hits);
    for (let i = 0; i < hits.length; i++) out[i] = { object: this.#object(hits.ids[i]), distance: hits.distances[i] };
    out.length = hits.length;
    return out;
  }

  querySegment(line: Line3, out: ObjectContact[]): ObjectContact[] {
    checkVector3(line?.start, 'SceneIndex.querySegment.start');
    checkVector3(line.end, 'SceneIndex.querySegment.end');
    checkList(out, 'SceneIndex.querySegment.out');
    this.#entries.index.querySegment(coordinatesOf(line.start), coordinatesOf(line.end), this.#hits);
    return this.#contacts(out);
  }

  sweep(box: Box3, motion: Vector3, out: ObjectContact[]): ObjectContact[] {
    checkBox3(box, 'SceneIndex.sweep');
    checkVector3(motion, 'SceneIndex.sweep.motion');
    checkList(out, 'SceneIndex.sweep.out');
    if (isNone(box)) this.#hits.length = 0;
    else this.#entries.index.sweep(sidesOf(box), coordinatesOf(motion), this.#hits);
    return this.#contacts(out);
  }

  sweepFirst(box: Box3, motion: Vector3): ObjectContact | null {
    checkBox3(box, 'SceneIndex.sweepFirst');
    checkVector3(motion, 'SceneIndex.sweepFirst.motion');
    if (isNone(box)) return null;
    this.#entries.index.sweepFirst(sidesOf(box), coordinatesOf(motion), this.#hits);
    return this.#contacts([])[0] ?? null;
  }

  #object(id: number): Object3D {
    return (this.#entries.byId[id] as ObjectRecord).object;
  }

  #objects(out: Object3D[]): Object3D[] {
    const { ids, length } = this.#ids;
    for (let i = 0; i < length; i++) out[i] = this.#object(ids[i]);
    out.length = length;
    return out;
  }

  #contacts(out: ObjectContact[]): ObjectContact[] {
    const { ids, distances, length } = this.#hits;
    for (let i = 0; i < length; i++) out[i] = { object: this.#object(ids[i]), time: distances[i] };
    out.length = length;
    return out;
  }
}

function isNone({ min, max }: Box3): boolean {
  return max.x < min.x || max.y < min.y || max.z < min.z;
}

function coordinatesOf({ x, y, z }: Vector3): number[] {
  return [x, y, z];
}

function sidesOf({ min, max }: Box3): number[] {
  return [min.x, min.y, min.z, max.x, max.y, max.z];
}

function checkReach(reach: number, where: string): void {
  if (typeof reach !== 'number') throw new TypeError(`${where}: must be a number, got ${inWords(reach)}`);
  if (!(reach >= 0)) throw new RangeError(`${where}: must not be negative, got ${reach}`);
}
