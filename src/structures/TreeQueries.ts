import { BoxVolume } from '../core/BoxVolume.js';
import { BOX, isBounded } from '../core/box.js';
import { Capsule } from '../core/Capsule.js';
import { Hits } from '../core/Hits.js';
import { IdList } from '../core/IdList.js';
import { IdPairs } from '../core/IdPairs.js';
import { ROOT } from '../core/Nodes.js';
import { OrientedBox } from '../core/OrientedBox.js';
import { PlanesVolume } from '../core/PlanesVolume.js';
import { PointMeasure } from '../core/PointMeasure.js';
import { Ray, type RayLike } from '../core/Ray.js';
import { Sector, type SectorLike } from '../core/Sector.js';
import { SphereVolume } from '../core/SphereVolume.js';
import { Tree } from '../core/Tree.js';
import { nearest } from '../query/nearest.js';
import { overlap } from '../query/overlap.js';
import { pairs, pairsBetween } from '../query/pairs.js';
import { raycast, raycastFirst, raycastUnordered } from '../query/raycast.js';
import { refine } from '../query/refine.js';
import { sortPairs } from '../query/sortPairs.js';
import { Walk } from '../query/Walk.js';
import { checkHits, checkIdList, checkIdPairs } from './checkLists.js';
import type { QueryCounters, SpatialIndex } from './SpatialIndex.js';

/** The questions a structure answers: the same walks over the same storage for all of them. See SpatialIndex. */
export abstract class TreeQueries {
  protected readonly tree: Tree;
  readonly #walk = new Walk();

  protected constructor(multiple: boolean) {
    this.tree = new Tree(multiple);
  }

  get counters(): QueryCounters {
    return this.#walk;
  }

  /** Bytes held for queries beside the tree. */
  protected get walkBytes(): number {
    return this.#walk.simd.bytes;
  }

  /** Gives back memory that queries held for a larger tree. */
  protected releaseWalks(): void {
    this.#walk.simd.release(this.tree);
  }

  box(box: ArrayLike<number>, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.box');
    boxVolume.set(box, 'SpatialIndex.box');
    overlap(this.tree, boxVolume, this.#walk, out);
    return out;
  }

  point(x: number, y: number, z: number, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.point');
    boxVolume.setPoint(x, y, z, 'SpatialIndex.point');
    overlap(this.tree, boxVolume, this.#walk, out);
    return out;
  }

  sphere(x: number, y: number, z: number, radius: number, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.sphere');
    sphereVolume.set(x, y, z, radius, 'SpatialIndex.sphere');
    overlap(this.tree, sphereVolume, this.#walk, out);
    return out;
  }

  orientedBox(
    center: ArrayLike<number>,
    halfSize: ArrayLike<number>,
    axes: ArrayLike<number>,
    out: IdList = new IdList(),
  ): IdList {
    checkIdList(out, 'SpatialIndex.orientedBox');
    theOrientedBox.set(center, halfSize, axes, 'SpatialIndex.orientedBox');
    overlap(this.tree, theOrientedBox.slabs, this.#walk, out);
    // The slabs decide about all boxes but those with infinite sides.
    if (!isBounded(this.tree.nodes.box, BOX * ROOT)) refine(this.tree, theOrientedBox, out.ids, out.length, out);
    return out;
  }

  capsule(from: ArrayLike<number>, to: ArrayLike<number>, radius: number, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.capsule');
    theCapsule.set(from, to, radius, 'SpatialIndex.capsule');
    theRay.setSweep(theCapsule.start, theCapsule.motion, 'SpatialIndex.capsule');
    raycastUnordered(this.tree, theRay, this.#walk, candidates);
    refine(this.tree, theCapsule, candidates.ids, candidates.length, out);
    return out;
  }

  sector(sector: SectorLike, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.sector');
    theSector.set(sector, 'SpatialIndex.sector');
    overlap(this.tree, theSector.bounds, this.#walk, out);
    refine(this.tree, theSector, out.ids, out.length, out);
    return out;
  }

  frustum(planes: ArrayLike<number>, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.frustum');
    planesVolume.set(planes, 'SpatialIndex.frustum');
    overlap(this.tree, planesVolume, this.#walk, out);
    return out;
  }

  classify(planes: ArrayLike<number>, inside: IdList, intersecting: IdList): void {
    checkIdList(inside, 'SpatialIndex.classify.inside');
    checkIdList(intersecting, 'SpatialIndex.classify.intersecting');
    if (inside === intersecting)
      throw new RangeError('SpatialIndex.classify: two lists are needed, got the same one twice');
    planesVolume.set(planes, 'SpatialIndex.classify');
    overlap(this.tree, planesVolume, this.#walk, intersecting, inside);
  }

  ray(ray: RayLike, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.ray');
    theRay.set(ray, 'SpatialIndex.ray');
    raycast(this.tree, theRay, this.#walk, out);
    return out;
  }

  rayFirst(ray: RayLike, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.rayFirst');
    theRay.set(ray, 'SpatialIndex.rayFirst');
    raycastFirst(this.tree, theRay, this.#walk, out);
    return out;
  }

  segment(from: ArrayLike<number>, to: ArrayLike<number>, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.segment');
    theRay.setSegment(from, to, 'SpatialIndex.segment');
    raycast(this.tree, theRay, this.#walk, out);
    return out;
  }

  sweep(box: ArrayLike<number>, motion: ArrayLike<number>, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.sweep');
    theRay.setSweep(box, motion, 'SpatialIndex.sweep');
    raycast(this.tree, theRay, this.#walk, out);
    return out;
  }

  sweepFirst(box: ArrayLike<number>, motion: ArrayLike<number>, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.sweepFirst');
    theRay.setSweep(box, motion, 'SpatialIndex.sweepFirst');
    raycastFirst(this.tree, theRay, this.#walk, out);
    return out;
  }

  nearest(
    x: number,
    y: number,
    z: number,
    count = 1,
    maxDistance: number = Number.POSITIVE_INFINITY,
    out: Hits = new Hits(),
  ): Hits {
    checkHits(out, 'SpatialIndex.nearest');
    checkCount(count, 'SpatialIndex.nearest');
    thePoint.set(x, y, z, maxDistance, 'SpatialIndex.nearest');
    nearest(this.tree, thePoint, count, this.#walk, out);
    return out;
  }

  pairs(out: IdPairs = new IdPairs()): IdPairs {
    checkIdPairs(out, 'SpatialIndex.pairs');
    pairs(this.tree, this.#walk, out);
    sortPairs(out);
    return out;
  }

  pairsWith(other: SpatialIndex, out: IdPairs = new IdPairs()): IdPairs {
    checkIdPairs(out, 'SpatialIndex.pairsWith');
    if (!(other instanceof TreeQueries)) {
      throw new TypeError(`SpatialIndex.pairsWith: must be an index, got ${String(other)}`);
    }
    pairsBetween(this.tree, other.tree, this.#walk, out);
    sortPairs(out);
    return out;
  }
}

// One set for all indices: a query fills it and is done with it before user code runs again.
const boxVolume = new BoxVolume();
const sphereVolume = new SphereVolume();
const planesVolume = new PlanesVolume();
const theRay = new Ray();
const thePoint = new PointMeasure();
const theOrientedBox = new OrientedBox();
const theCapsule = new Capsule();
const theSector = new Sector();
const candidates = new Hits();

function checkCount(count: number, where: string): void {
  if (typeof count !== 'number') throw new TypeError(`${where}: the count must be a number, got ${String(count)}`);
  if (!(count >= 1) || !(Number.isInteger(count) || count === Number.POSITIVE_INFINITY)) {
    throw new RangeError(`${where}: the count must be a whole number from 1, got ${count}`);
  }
}
