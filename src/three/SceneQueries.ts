import type { Box3, Frustum, Line3, Object3D, Plane, Sphere, Vector3 } from 'three';
import type { OBB } from 'three/addons/math/OBB.js';
import { inWords } from '../core/inWords.js';
import { Hits } from '../core/lists/Hits.js';
import { IdList } from '../core/lists/IdList.js';
import { IdPairs } from '../core/lists/IdPairs.js';
import { Capsule } from '../core/shapes/Capsule.js';
import { OrientedBox } from '../core/shapes/OrientedBox.js';
import { MAX_PLANES } from '../core/shapes/PlanesVolume.js';
import { Sector } from '../core/shapes/Sector.js';
import { findPairs, findPairsBetween } from '../structures/findPairs.js';
import { flattenPlanes } from './cameras/cameraPlanes.js';
import type { Entries } from './follow/Entries.js';
import {
  checkBox3,
  checkList,
  checkNumbers,
  checkOBB,
  checkPlanes,
  checkSphere,
  checkVector3,
} from './objects/checks.js';
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

/** A sector of a circle on the XZ plane: what lies within reach and within an angle of view. */
export interface SceneSector {
  /** Its apex; y does not matter. */
  center: Vector3;
  /** Direction of its middle, of any length but zero; y does not matter. */
  direction: Vector3;
  /** Its reach in world units. */
  radius: number;
  /** Its full opening in radians: more than 0, at most 2 pi. */
  angle: number;
  /** Lowest height that counts. Default -Infinity. */
  minY?: number;
  /** Greatest height that counts. Default Infinity. */
  maxY?: number;
}

/** The entries behind an index, for what else in this layer looks at it. */
export let entriesOf: (index: SceneQueries) => Entries;

/**
 * What can be asked about the objects of a scene by their place. All answers go by world bounds as of the last update,
 * include hidden objects, and come in no particular order unless they have a distance or time. Lists given as `out` are
 * overwritten.
 */
export abstract class SceneQueries {
  protected readonly entries: Entries;
  protected disposed = false;
  readonly #ids = new IdList();
  readonly #hits = new Hits();
  readonly #pairs = new IdPairs();
  readonly #planes = new Float64Array(4 * MAX_PLANES);

  protected constructor(entries: Entries) {
    this.entries = entries;
  }

  static {
    entriesOf = (index) => index.entries;
  }

  /** Drawables whose bounds touch the box; none for an empty box. */
  queryBox(box: Box3, out: Object3D[] = []): Object3D[] {
    this.check('queryBox');
    checkBox3(box, 'SceneIndex.queryBox');
    checkList(out, 'SceneIndex.queryBox.out');
    if (isNone(box)) this.#ids.length = 0;
    else this.entries.index.queryBox(sidesOf(box), this.#ids);
    return this.#objects(out);
  }

  /** Drawables whose bounds touch the ball; none for an empty sphere. */
  querySphere(sphere: Sphere, out: Object3D[] = []): Object3D[] {
    this.check('querySphere');
    checkSphere(sphere, 'SceneIndex.querySphere');
    checkList(out, 'SceneIndex.querySphere.out');
    const { center, radius } = sphere;
    if (radius < 0) this.#ids.length = 0;
    else this.entries.index.querySphere(center.x, center.y, center.z, radius, this.#ids);
    return this.#objects(out);
  }

  /** Drawables whose bounds touch the point. */
  queryPoint(point: Vector3, out: Object3D[] = []): Object3D[] {
    this.check('queryPoint');
    checkVector3(point, 'SceneIndex.queryPoint');
    checkList(out, 'SceneIndex.queryPoint.out');
    this.entries.index.queryPoint(point.x, point.y, point.z, this.#ids);
    return this.#objects(out);
  }

  /** Drawables whose bounds meet the frustum as by `Frustum.intersectsBox`. */
  queryFrustum(frustum: Frustum, out: Object3D[] = []): Object3D[] {
    this.check('queryFrustum');
    if (!Array.isArray(frustum?.planes) || frustum.planes.length !== 6) {
      throw new TypeError(`SceneIndex.queryFrustum: must be a Frustum, got ${inWords(frustum)}`);
    }
    checkPlanes(frustum.planes, 'SceneIndex.queryFrustum');
    checkList(out, 'SceneIndex.queryFrustum.out');
    this.entries.index.queryPlanes(flattenPlanes(frustum.planes, this.#planes), this.#ids);
    return this.#objects(out);
  }

  /**
   * Drawables whose bounds are not wholly behind one of the planes, by the test of `Frustum.intersectsBox`.
   * @param planes At most 30; their normals point inwards. A plane that is NaN is no condition.
   */
  queryPlanes(planes: readonly Plane[], out: Object3D[] = []): Object3D[] {
    this.check('queryPlanes');
    if (!Array.isArray(planes)) throw new TypeError(`SceneIndex.queryPlanes: must be planes, got ${inWords(planes)}`);
    if (planes.length > MAX_PLANES) {
      throw new RangeError(`SceneIndex.queryPlanes: at most ${MAX_PLANES} planes, got ${planes.length}`);
    }
    checkPlanes(planes, 'SceneIndex.queryPlanes');
    checkList(out, 'SceneIndex.queryPlanes.out');
    this.entries.index.queryPlanes(flattenPlanes(planes, this.#planes), this.#ids);
    return this.#objects(out);
  }

  /**
   * Drawables whose bounds touch the oriented box. It must be a rotated one, neither sheared nor scaled by its rotation;
   * none for an empty one, with a half size of -Infinity.
   */
  queryOBB(obb: OBB, out: Object3D[] = []): Object3D[] {
    this.check('queryOBB');
    checkOBB(obb, 'SceneIndex.queryOBB');
    checkList(out, 'SceneIndex.queryOBB.out');
    const center = coordinatesOf(obb.center);
    const halfSize = coordinatesOf(obb.halfSize);
    checkNumbers('SceneIndex.queryOBB', ...center, ...halfSize);
    if (halfSize.includes(Number.NEGATIVE_INFINITY)) this.#ids.length = 0;
    else this.entries.index.queryShape(new OrientedBox(center, halfSize, obb.rotation.elements), this.#ids);
    return this.#objects(out);
  }

  /** Drawables whose bounds come as near to the segment from `start` to `end` as the radius. */
  queryCapsule(start: Vector3, end: Vector3, radius: number, out: Object3D[] = []): Object3D[] {
    this.check('queryCapsule');
    checkVector3(start, 'SceneIndex.queryCapsule');
    checkVector3(end, 'SceneIndex.queryCapsule');
    checkReach(radius, 'SceneIndex.queryCapsule');
    checkList(out, 'SceneIndex.queryCapsule.out');
    this.entries.index.queryShape(new Capsule(start, end, radius), this.#ids);
    return this.#objects(out);
  }

  /** Drawables whose bounds touch the sector of a circle on the XZ plane, at any height or between two. */
  querySector(sector: SceneSector, out: Object3D[] = []): Object3D[] {
    this.check('querySector');
    checkVector3(sector?.center, 'SceneIndex.querySector.center');
    checkVector3(sector.direction, 'SceneIndex.querySector.direction');
    checkList(out, 'SceneIndex.querySector.out');
    const center = [sector.center.x, sector.center.z];
    const direction = [sector.direction.x, sector.direction.z];
    this.entries.index.queryShape(new Sector({ ...sector, center, direction }), this.#ids);
    return this.#objects(out);
  }

  /**
   * The drawables nearest to a point, nearest first.
   * @param count How many at most, a whole number from 1.
   * @param maxDistance How far away at most, in world units.
   */
  nearest(
    point: Vector3,
    count = 1,
    maxDistance: number = Number.POSITIVE_INFINITY,
    out: ObjectDistance[] = [],
  ): ObjectDistance[] {
    this.check('nearest');
    checkVector3(point, 'SceneIndex.nearest');
    checkReach(maxDistance, 'SceneIndex.nearest');
    checkList(out, 'SceneIndex.nearest.out');
    const hits = this.entries.index.nearest(point.x, point.y, point.z, count, maxDistance, this.#hits);
    for (let i = 0; i < hits.length; i++) out[i] = { object: this.#object(hits.ids[i]), distance: hits.distances[i] };
    out.length = hits.length;
    return out;
  }

  /** Drawables whose bounds the segment meets, in the order in which it meets them. */
  querySegment(line: Line3, out: ObjectContact[] = []): ObjectContact[] {
    this.check('querySegment');
    checkVector3(line?.start, 'SceneIndex.querySegment.start');
    checkVector3(line.end, 'SceneIndex.querySegment.end');
    checkList(out, 'SceneIndex.querySegment.out');
    this.entries.index.querySegment(coordinatesOf(line.start), coordinatesOf(line.end), this.#hits);
    return this.#contacts(out);
  }

  /** Drawables whose bounds a box touches as it moves along, in the order in which it does; none for an empty box. */
  sweep(box: Box3, motion: Vector3, out: ObjectContact[] = []): ObjectContact[] {
    this.check('sweep');
    checkBox3(box, 'SceneIndex.sweep');
    checkVector3(motion, 'SceneIndex.sweep.motion');
    checkList(out, 'SceneIndex.sweep.out');
    if (isNone(box)) this.#hits.length = 0;
    else this.entries.index.sweep(sidesOf(box), coordinatesOf(motion), this.#hits);
    return this.#contacts(out);
  }

  /** The first of them alone, or null. */
  sweepFirst(box: Box3, motion: Vector3): ObjectContact | null {
    this.check('sweepFirst');
    checkBox3(box, 'SceneIndex.sweepFirst');
    checkVector3(motion, 'SceneIndex.sweepFirst.motion');
    if (isNone(box)) return null;
    this.entries.index.sweepFirst(sidesOf(box), coordinatesOf(motion), this.#hits);
    return this.#contacts([])[0] ?? null;
  }

  /** All pairs of drawables whose bounds touch, each once; an object and one below it are a pair like others. */
  pairs(out: [Object3D, Object3D][] = []): [Object3D, Object3D][] {
    this.check('pairs');
    checkList(out, 'SceneIndex.pairs.out');
    findPairs(this.entries.index, this.#pairs);
    return this.#objectPairs(this, out);
  }

  /** All pairs of a drawable of this index, first, and one of another index, whose bounds touch. */
  pairsWith(other: SceneQueries, out: [Object3D, Object3D][] = []): [Object3D, Object3D][] {
    this.check('pairsWith');
    if (!(other instanceof SceneQueries)) {
      throw new TypeError(`SceneIndex.pairsWith: must be a SceneIndex, got ${inWords(other)}`);
    }
    other.check('pairsWith');
    checkList(out, 'SceneIndex.pairsWith.out');
    findPairsBetween(this.entries.index, other.entries.index, this.#pairs);
    return this.#objectPairs(other, out);
  }

  /** Throws when the index is no more. */
  protected check(method: string): void {
    if (this.disposed) throw new Error(`SceneIndex.${method}: the index was disposed`);
  }

  #object(id: number): Object3D {
    return (this.entries.byId[id] as ObjectRecord).object;
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

  #objectPairs(other: SceneQueries, out: [Object3D, Object3D][]): [Object3D, Object3D][] {
    const { ids, length } = this.#pairs;
    for (let i = 0; i < length; i++) out[i] = [this.#object(ids[2 * i]), other.#object(ids[2 * i + 1])];
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
