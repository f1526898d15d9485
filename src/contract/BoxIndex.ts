import { BOX, copyBox, makeEmpty, readBox, readBoxes } from '../core/box.js';
import { checkCount } from '../core/checkCount.js';
import { Hits } from '../core/Hits.js';
import { IdList } from '../core/IdList.js';
import type { ItemIds } from '../core/ItemIds.js';
import { inWords } from '../core/inWords.js';
import { BoxVolume } from '../core/shapes/BoxVolume.js';
import { PointDistance } from '../core/shapes/PointDistance.js';
import type { RayLike } from '../core/shapes/Ray.js';
import { Shape } from '../core/shapes/Shape.js';
import { SphereVolume } from '../core/shapes/SphereVolume.js';
import { shiftBoxes } from '../core/shiftBoxes.js';
import { checkItem, readItems } from './checkItem.js';
import { checkHits, checkIdList, checkTarget } from './checkResults.js';
import { readPlanes, readRay, readSegment, readSweep } from './QueryScratch.js';
import { queryShape } from './queryShape.js';
import type { QueryCounters, SpatialIndex } from './SpatialIndex.js';
import type { Structure } from './Structure.js';
import type { StructureName } from './structureNames.js';
import { registerStructure } from './structureOf.js';

/**
 * The one index class: it checks and copies arguments and gives out ids, and leaves the rest to a structure. See
 * SpatialIndex for what the methods do.
 */
export class BoxIndex implements SpatialIndex {
  readonly #structure: Structure;
  readonly #ids: ItemIds;
  #version = 0;

  constructor(structure: Structure) {
    this.#structure = structure;
    this.#ids = structure.ids;
    registerStructure(this, structure);
  }

  get structure(): StructureName {
    return this.#structure.name;
  }

  get size(): number {
    return this.#ids.size;
  }

  get version(): number {
    return this.#version;
  }

  get counters(): QueryCounters {
    return this.#structure.counters;
  }

  add(box: ArrayLike<number>): number {
    readBox(box, given, 'SpatialIndex.add');
    this.#version++;
    return this.#place();
  }

  addAll(boxes: ArrayLike<number>): Int32Array {
    const source = readBoxes(boxes, 'SpatialIndex.addAll');
    const count = source.length / BOX;
    const ids = new Int32Array(count);
    this.#version++;
    // Placing one by one costs a few times as much per item as arranging all of them.
    if (count > (this.size + count) >> 2) {
      for (let i = 0; i < count; i++) ids[i] = this.#ids.alloc();
      this.#structure.arrange(ids, source);
    } else {
      for (let i = 0; i < count; i++) {
        copyBox(source, BOX * i, given, 0);
        ids[i] = this.#place();
      }
    }
    return ids;
  }

  update(id: number, box: ArrayLike<number>): void {
    // The box first: a getter in it may change the index.
    readBox(box, given, 'SpatialIndex.update');
    checkItem(this.#ids, id, 'SpatialIndex.update');
    this.#version++;
    this.#structure.move(id, given);
  }

  updateAll(ids: ArrayLike<number>, boxes: ArrayLike<number>): void {
    const where = 'SpatialIndex.updateAll';
    // Copied first: a getter in them may change the boxes or the index.
    const own = readItems(this.#ids, ids, where);
    const source = readBoxes(boxes, where);
    if (source.length !== BOX * own.length) {
      throw new RangeError(`${where}: six numbers an id, got ${source.length} numbers for ${own.length} ids`);
    }
    for (let i = 0; i < own.length; i++) checkItem(this.#ids, own[i], where);
    this.#version++;
    this.#structure.moveAll(own, source);
  }

  remove(id: number): void {
    checkItem(this.#ids, id, 'SpatialIndex.remove');
    this.#version++;
    this.#structure.remove(id);
    this.#ids.free(id);
    if (this.size === 0) this.clear();
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  getBox(id: number, out: Float64Array = new Float64Array(BOX)): Float64Array {
    checkItem(this.#ids, id, 'SpatialIndex.getBox');
    checkTarget(out, 'SpatialIndex.getBox');
    this.#structure.read(id, out);
    return out;
  }

  getBounds(out: Float64Array = new Float64Array(BOX)): Float64Array {
    checkTarget(out, 'SpatialIndex.getBounds');
    makeEmpty(out, 0);
    this.#structure.uniteAll(out);
    return out;
  }

  clear(): void {
    this.#version++;
    this.#ids.clear();
    this.#structure.clear();
  }

  rebuild(): void {
    this.#version++;
    this.#structure.arrange(NO_IDS, NO_BOXES);
  }

  translate(x: number, y: number, z: number): void {
    const ids = this.#ids.all();
    const boxes = new Float64Array(BOX * ids.length);
    for (let i = 0; i < ids.length; i++) {
      this.#structure.read(ids[i], given);
      copyBox(given, 0, boxes, BOX * i);
    }
    shiftBoxes(boxes, x, y, z, 'SpatialIndex.translate');
    this.#version++;
    this.#structure.translate(x, y, z, ids, boxes);
  }

  queryBox(box: ArrayLike<number>, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.queryBox');
    boxVolume.set(box, 'SpatialIndex.queryBox');
    this.#structure.overlap(boxVolume, out);
    return out;
  }

  queryPoint(x: number, y: number, z: number, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.queryPoint');
    boxVolume.setPoint(x, y, z, 'SpatialIndex.queryPoint');
    this.#structure.overlap(boxVolume, out);
    return out;
  }

  querySphere(x: number, y: number, z: number, radius: number, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.querySphere');
    sphereVolume.set(x, y, z, radius, 'SpatialIndex.querySphere');
    this.#structure.overlap(sphereVolume, out);
    return out;
  }

  queryShape(shape: Shape, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.queryShape');
    if (!(shape instanceof Shape)) {
      throw new TypeError(`SpatialIndex.queryShape: must be a shape, got ${inWords(shape)}`);
    }
    queryShape(this.#structure, shape, out);
    return out;
  }

  queryPlanes(planes: ArrayLike<number>, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.queryPlanes');
    this.#structure.overlap(readPlanes(planes, 'SpatialIndex.queryPlanes'), out);
    return out;
  }

  classify(planes: ArrayLike<number>, inside: IdList, intersecting: IdList): void {
    checkIdList(inside, 'SpatialIndex.classify.inside');
    checkIdList(intersecting, 'SpatialIndex.classify.intersecting');
    if (inside === intersecting)
      throw new RangeError('SpatialIndex.classify: two lists are needed, got the same one twice');
    this.#structure.classify(readPlanes(planes, 'SpatialIndex.classify'), intersecting, inside);
  }

  raycast(ray: RayLike, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.raycast');
    this.#structure.raycast(readRay(ray, 'SpatialIndex.raycast'), out);
    out.sort();
    return out;
  }

  raycastFirst(ray: RayLike, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.raycastFirst');
    this.#structure.raycastFirst(readRay(ray, 'SpatialIndex.raycastFirst'), out);
    return out;
  }

  querySegment(from: ArrayLike<number>, to: ArrayLike<number>, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.querySegment');
    this.#structure.raycast(readSegment(from, to, 'SpatialIndex.querySegment'), out);
    out.sort();
    return out;
  }

  sweep(box: ArrayLike<number>, motion: ArrayLike<number>, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.sweep');
    this.#structure.raycast(readSweep(box, motion, 'SpatialIndex.sweep'), out);
    out.sort();
    return out;
  }

  sweepFirst(box: ArrayLike<number>, motion: ArrayLike<number>, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.sweepFirst');
    this.#structure.raycastFirst(readSweep(box, motion, 'SpatialIndex.sweepFirst'), out);
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
    pointDistance.set(x, y, z, maxDistance, 'SpatialIndex.nearest');
    this.#structure.nearest(pointDistance, count, out);
    return out;
  }

  /** Makes the entries of a new item with the box in `given`, and returns its id. */
  #place(): number {
    // Allocate the id just before placing its item: a rebuild visits every live id.
    const id = this.#ids.alloc();
    this.#structure.place(id, given);
    return id;
  }
}

const NO_IDS = new Int32Array(0);
const NO_BOXES = new Float64Array(0);
/** The box that a caller gave, copied and checked. */
const given = new Float64Array(BOX);
// These are filled only after the last user code of a call has run, so one of each serves all. For other arguments see
// QueryScratch.
const boxVolume = /* @__PURE__ */ new BoxVolume();
const sphereVolume = /* @__PURE__ */ new SphereVolume();
const pointDistance = /* @__PURE__ */ new PointDistance();
