import { BoxVolume } from '../core/BoxVolume.js';
import { Hits } from '../core/Hits.js';
import { IdList } from '../core/IdList.js';
import { PlanesVolume } from '../core/PlanesVolume.js';
import { Ray, type RayLike } from '../core/Ray.js';
import { SphereVolume } from '../core/SphereVolume.js';
import { Tree } from '../core/Tree.js';
import { overlap } from '../query/overlap.js';
import { raycast, raycastFirst } from '../query/raycast.js';
import { Walk } from '../query/Walk.js';
import type { QueryCounters } from './SpatialIndex.js';

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

  box(box: ArrayLike<number>, out: IdList = new IdList()): IdList {
    boxVolume.set(box, 'SpatialIndex.box');
    overlap(this.tree, boxVolume, this.#walk, out);
    return out;
  }

  point(x: number, y: number, z: number, out: IdList = new IdList()): IdList {
    boxVolume.setPoint(x, y, z, 'SpatialIndex.point');
    overlap(this.tree, boxVolume, this.#walk, out);
    return out;
  }

  sphere(x: number, y: number, z: number, radius: number, out: IdList = new IdList()): IdList {
    sphereVolume.set(x, y, z, radius, 'SpatialIndex.sphere');
    overlap(this.tree, sphereVolume, this.#walk, out);
    return out;
  }

  frustum(planes: ArrayLike<number>, out: IdList = new IdList()): IdList {
    planesVolume.set(planes, 'SpatialIndex.frustum');
    overlap(this.tree, planesVolume, this.#walk, out);
    return out;
  }

  classify(planes: ArrayLike<number>, inside: IdList, intersecting: IdList): void {
    if (!(inside instanceof IdList) || !(intersecting instanceof IdList)) {
      throw new TypeError('SpatialIndex.classify: two lists of ids are needed');
    }
    if (inside === intersecting)
      throw new RangeError('SpatialIndex.classify: two lists are needed, got the same one twice');
    planesVolume.set(planes, 'SpatialIndex.classify');
    overlap(this.tree, planesVolume, this.#walk, intersecting, inside);
  }

  ray(ray: RayLike, out: Hits = new Hits()): Hits {
    theRay.set(ray, 'SpatialIndex.ray');
    raycast(this.tree, theRay, this.#walk, out);
    return out;
  }

  rayFirst(ray: RayLike, out: Hits = new Hits()): Hits {
    theRay.set(ray, 'SpatialIndex.rayFirst');
    raycastFirst(this.tree, theRay, this.#walk, out);
    return out;
  }
}

// One set for all indices: a query fills it and is done with it before user code runs again.
const boxVolume = new BoxVolume();
const sphereVolume = new SphereVolume();
const planesVolume = new PlanesVolume();
const theRay = new Ray();
