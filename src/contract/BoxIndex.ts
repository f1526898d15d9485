import { BOX, copyBox, makeEmpty, readBox, readBoxes, shiftBoxes } from '../core/box.js';
import { Hits } from '../core/Hits.js';
import { IdList, type ItemIds, LIVE, sortIds } from '../core/ids.js';
import { checkCount, inWords, isArrayLike } from '../core/options.js';
import { BoxVolume, SphereVolume } from '../core/shapes/boxAndSphere.js';
import { PlanesVolume } from '../core/shapes/PlanesVolume.js';
import { ALL_ITEMS, PointDistance } from '../core/shapes/PointDistance.js';
import { Ray, type RayLike } from '../core/shapes/Ray.js';
import { Shape } from '../core/shapes/Shape.js';
import type { QueryCounters, SpatialIndex, StructureName } from './SpatialIndex.js';
import { NO_BOXES, NO_IDS, registerStructure, type Structure } from './Structure.js';

/** The one index class: it checks and copies arguments and allocates ids; a structure does the rest. */
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
    // The id is allocated just before `insert`, as a rebuild reads the box of every id in use.
    const id = this.#ids.alloc();
    this.#structure.insert(id, given);
    return id;
  }

  addAll(boxes: ArrayLike<number>, max?: ArrayLike<number>): Int32Array {
    const source = readBoxes(boxes, 'SpatialIndex.addAll', max);
    this.#version++;
    return this.#structure.insertAll(source);
  }

  update(id: number, box: ArrayLike<number>): void {
    // The box is read first: a getter in it may change the index.
    readBox(box, given, 'SpatialIndex.update');
    checkItem(this.#ids, id, 'SpatialIndex.update');
    this.#version++;
    this.#structure.move(id, given);
  }

  updateAll(ids: ArrayLike<number>, boxes: ArrayLike<number>, max?: ArrayLike<number>): void {
    const where = 'SpatialIndex.updateAll';
    // Ids are copied first: a getter in them may change the boxes or the index.
    const own = readItems(this.#ids, ids, where);
    const source = readBoxes(boxes, where, max);
    if (source.length !== BOX * own.length) {
      throw new RangeError(`${where}: needs six numbers per id, got ${source.length} numbers for ${own.length} ids`);
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

  removeAll(ids: ArrayLike<number>): void {
    const where = 'SpatialIndex.removeAll';
    // Ids are sorted: freed in order, they are reused in order, and memory by id is then read from end to end.
    const list = readItems(this.#ids, ids, where);
    // An Int32Array whose buffer is detached has no ids, and cannot be copied.
    const own = list.length > 0 ? new Int32Array(list) : NO_IDS;
    sortIds(own, own.length);
    const wrong = this.#ids.freeAll(own);
    if (wrong >= 0) {
      checkItem(this.#ids, own[wrong], where);
      throw new RangeError(`${where}: item ${own[wrong]} is listed twice`);
    }
    this.#version++;
    this.#structure.removeAll(own);
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
    overlapShape(this.#structure, shape, out);
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
    if (inside === intersecting) {
      throw new RangeError('SpatialIndex.classify: needs two different lists, got the same one twice');
    }
    this.#structure.classify(readPlanes(planes, 'SpatialIndex.classify'), intersecting, inside);
  }

  raycast(ray: RayLike, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.raycast');
    return this.#cast(takeRay().set(ray, 'SpatialIndex.raycast'), ALL_ITEMS, out);
  }

  raycastFirst(ray: RayLike, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.raycastFirst');
    return this.#cast(takeRay().set(ray, 'SpatialIndex.raycastFirst'), 1, out);
  }

  querySegment(from: ArrayLike<number>, to: ArrayLike<number>, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.querySegment');
    return this.#cast(takeRay().setSegment(from, to, 'SpatialIndex.querySegment'), ALL_ITEMS, out);
  }

  sweep(box: ArrayLike<number>, motion: ArrayLike<number>, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.sweep');
    return this.#cast(takeRay().setSweep(box, motion, 'SpatialIndex.sweep'), ALL_ITEMS, out);
  }

  #cast(ray: Ray, count: number, out: Hits): Hits {
    idleRays.push(ray);
    this.#structure.raycast(ray, count, out);
    out.sort();
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
}

// Scratch objects are filled after the last user code of a call has run, so one of each serves all indices.
/** The caller's box, copied and checked. */
const given = new Float64Array(BOX);
const box = new Float64Array(BOX);
const boxVolume = /* @__PURE__ */ new BoxVolume();
const sphereVolume = /* @__PURE__ */ new SphereVolume();
const pointDistance = /* @__PURE__ */ new PointDistance();
const candidates = /* @__PURE__ */ new Hits();

// Rays and planes not in use. Each query takes its own, as a caller's getters may start queries. Rays and planes that
// are never put back, as after an error, are garbage-collected.
const idleRays: Ray[] = [];
const idlePlanes: PlanesVolume[] = [];

function readPlanes(planes: ArrayLike<number>, where: string): PlanesVolume {
  const own = idlePlanes.pop() ?? new PlanesVolume();
  own.set(planes, where);
  idlePlanes.push(own);
  return own;
}

function takeRay(): Ray {
  return idleRays.pop() ?? new Ray();
}

/** Writes the items whose box the shape touches to `out`: a query finds candidates, the shape tests each. */
function overlapShape(structure: Structure, shape: Shape, out: IdList): void {
  const { region, path } = shape;
  if (region !== null) {
    structure.overlap(region, out);
    if (shape.isRegion && structure.isBounded) return;
    keepTouched(structure, shape, out.ids, out.length, out);
  } else if (path !== null) {
    structure.raycast(path, ALL_ITEMS, candidates);
    keepTouched(structure, shape, candidates.ids, candidates.length, out);
  }
}

/** Copies ids, out of the first `count`, to `out` if the shape touches their box; `ids` may be the array of `out`. */
function keepTouched(structure: Structure, shape: Shape, ids: Int32Array, count: number, out: IdList): void {
  out.length = 0;
  const list = out.reserve(count);
  let n = 0;
  for (let i = 0; i < count; i++) {
    structure.read(ids[i], box);
    if (shape.touches(box)) list[n++] = ids[i];
  }
  out.length = n;
}

function checkItem(ids: ItemIds, id: number, where: string): void {
  // `next` is undefined beyond its end, and for numbers that are not whole, and so fails the test.
  if (typeof id !== 'number' || ids.next[id] !== LIVE) throw new RangeError(`${where}: no item ${inWords(id)}`);
}

/** Copies and checks ids of items. Reading an Int32Array runs no user code, so it is returned as it is, unchecked. */
function readItems(items: ItemIds, ids: ArrayLike<number>, where: string): ArrayLike<number> {
  if (!isArrayLike(ids)) {
    throw new TypeError(`${where}: ids must be an array of numbers, got ${inWords(ids)}`);
  }
  if (ids instanceof Int32Array) return ids;
  const own: number[] = [];
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i];
    checkItem(items, id, where);
    own.push(id);
  }
  return own;
}

// One function for each class: `instanceof` is fast if it always tests for the same class.

function checkIdList(list: unknown, where: string): void {
  if (!(list instanceof IdList)) refuseList(where, 'an IdList', list);
}

function checkHits(list: unknown, where: string): void {
  if (!(list instanceof Hits)) refuseList(where, 'a Hits', list);
}

export function refuseList(where: string, kind: string, got: unknown): never {
  throw new TypeError(`${where}: the list to fill must be ${kind}, got ${inWords(got)}`);
}

function checkTarget(out: unknown, where: string): void {
  if (!(out instanceof Float64Array)) {
    throw new TypeError(`${where}: out must be a Float64Array, got ${inWords(out)}`);
  }
  if (out.length < BOX) throw new RangeError(`${where}: out must hold six numbers, has room for ${out.length}`);
}
