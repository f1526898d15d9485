import { BOX, isBounded } from '../../core/box.js';
import { inWords } from '../../core/inWords.js';
import { Hits } from '../../core/lists/Hits.js';
import { IdList } from '../../core/lists/IdList.js';
import { IdPairs } from '../../core/lists/IdPairs.js';
import { BoxVolume } from '../../core/shapes/BoxVolume.js';
import { PointDistance } from '../../core/shapes/PointDistance.js';
import type { RayLike } from '../../core/shapes/Ray.js';
import type { SectorLike } from '../../core/shapes/Sector.js';
import { SphereVolume } from '../../core/shapes/SphereVolume.js';
import { ROOT } from '../../core/storage/Nodes.js';
import { Tree } from '../../core/storage/Tree.js';
import { nearest } from '../../query/nearest.js';
import { overlap } from '../../query/overlap.js';
import { pairs, pairsBetween } from '../../query/pairs.js';
import { raycast, raycastFirst, raycastUnordered } from '../../query/raycast.js';
import { refine } from '../../query/refine.js';
import { sortPairs } from '../../query/sortPairs.js';
import { Walk } from '../../query/Walk.js';
import { checkHits, checkIdList, checkIdPairs } from '../contract/checkResults.js';
import {
  readBoxVolume,
  readCapsule,
  readOrientedBox,
  readPlanes,
  readRay,
  readSector,
  readSegment,
  readSweep,
} from '../contract/QueryScratch.js';
import type { QueryCounters, SpatialIndex } from '../contract/SpatialIndex.js';

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

  queryBox(box: ArrayLike<number>, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.queryBox');
    overlap(this.tree, readBoxVolume(box, 'SpatialIndex.queryBox'), this.#walk, out);
    return out;
  }

  queryPoint(x: number, y: number, z: number, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.queryPoint');
    pointVolume.setPoint(x, y, z, 'SpatialIndex.queryPoint');
    overlap(this.tree, pointVolume, this.#walk, out);
    return out;
  }

  querySphere(x: number, y: number, z: number, radius: number, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.querySphere');
    sphereVolume.set(x, y, z, radius, 'SpatialIndex.querySphere');
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
    const box = readOrientedBox(center, halfSize, axes, 'SpatialIndex.orientedBox');
    overlap(this.tree, box.slabs, this.#walk, out);
    // The slabs decide about all boxes but those with infinite sides.
    if (!isBounded(this.tree.nodes.box, BOX * ROOT)) refine(this.tree, box, out.ids, out.length, out);
    return out;
  }

  capsule(from: ArrayLike<number>, to: ArrayLike<number>, radius: number, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.capsule');
    const capsule = readCapsule(from, to, radius, 'SpatialIndex.capsule');
    const path = readSweep(capsule.start, capsule.motion, 'SpatialIndex.capsule');
    raycastUnordered(this.tree, path, this.#walk, candidates);
    refine(this.tree, capsule, candidates.ids, candidates.length, out);
    return out;
  }

  sector(sector: SectorLike, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.sector');
    const region = readSector(sector, 'SpatialIndex.sector');
    overlap(this.tree, region.bounds, this.#walk, out);
    refine(this.tree, region, out.ids, out.length, out);
    return out;
  }

  queryPlanes(planes: ArrayLike<number>, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.queryPlanes');
    overlap(this.tree, readPlanes(planes, 'SpatialIndex.queryPlanes'), this.#walk, out);
    return out;
  }

  classify(planes: ArrayLike<number>, inside: IdList, intersecting: IdList): void {
    checkIdList(inside, 'SpatialIndex.classify.inside');
    checkIdList(intersecting, 'SpatialIndex.classify.intersecting');
    if (inside === intersecting)
      throw new RangeError('SpatialIndex.classify: two lists are needed, got the same one twice');
    overlap(this.tree, readPlanes(planes, 'SpatialIndex.classify'), this.#walk, intersecting, inside);
  }

  raycast(ray: RayLike, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.raycast');
    raycast(this.tree, readRay(ray, 'SpatialIndex.raycast'), this.#walk, out);
    return out;
  }

  raycastFirst(ray: RayLike, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.raycastFirst');
    raycastFirst(this.tree, readRay(ray, 'SpatialIndex.raycastFirst'), this.#walk, out);
    return out;
  }

  querySegment(from: ArrayLike<number>, to: ArrayLike<number>, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.querySegment');
    raycast(this.tree, readSegment(from, to, 'SpatialIndex.querySegment'), this.#walk, out);
    return out;
  }

  sweep(box: ArrayLike<number>, motion: ArrayLike<number>, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.sweep');
    raycast(this.tree, readSweep(box, motion, 'SpatialIndex.sweep'), this.#walk, out);
    return out;
  }

  sweepFirst(box: ArrayLike<number>, motion: ArrayLike<number>, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.sweepFirst');
    raycastFirst(this.tree, readSweep(box, motion, 'SpatialIndex.sweepFirst'), this.#walk, out);
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
      throw new TypeError(`SpatialIndex.pairsWith: must be an index, got ${inWords(other)}`);
    }
    pairsBetween(this.tree, other.tree, this.#walk, out);
    sortPairs(out);
    return out;
  }
}

// What is made of numbers alone; the rest is in Questions.
const pointVolume = new BoxVolume();
const sphereVolume = new SphereVolume();
const thePoint = new PointDistance();
const candidates = new Hits();

function checkCount(count: number, where: string): void {
  if (typeof count !== 'number') throw new TypeError(`${where}: the count must be a number, got ${inWords(count)}`);
  if (!(count >= 1) || !(Number.isInteger(count) || count === Number.POSITIVE_INFINITY)) {
    throw new RangeError(`${where}: the count must be a whole number from 1, got ${count}`);
  }
}
