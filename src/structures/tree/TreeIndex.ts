import { BOX, copyBox, makeEmpty, readBox, readBoxes, unite } from '../../core/box.js';
import { inWords } from '../../core/inWords.js';
import { Hits } from '../../core/lists/Hits.js';
import { IdList } from '../../core/lists/IdList.js';
import { BoxVolume } from '../../core/shapes/BoxVolume.js';
import { PointDistance } from '../../core/shapes/PointDistance.js';
import type { RayLike } from '../../core/shapes/Ray.js';
import { Shape } from '../../core/shapes/Shape.js';
import { SphereVolume } from '../../core/shapes/SphereVolume.js';
import { ItemIds } from '../../core/storage/ItemIds.js';
import { noteRuns } from '../../core/storage/noteRuns.js';
import type { Tree } from '../../core/storage/Tree.js';
import { nearest } from '../../query/nearest.js';
import { overlap } from '../../query/overlap.js';
import { raycast, raycastFirst } from '../../query/raycast.js';
import { shapeOverlap } from '../../query/shapeOverlap.js';
import { Walk } from '../../query/Walk.js';
import { checkHits, checkIdList, checkTarget } from '../contract/checkResults.js';
import { readPlanes, readRay, readSegment, readSweep } from '../contract/QueryScratch.js';
import type { QueryCounters, SpatialIndex } from '../contract/SpatialIndex.js';
import type { StructureName } from '../contract/structureNames.js';
import { arrangeItems } from './arrangeItems.js';
import { checkItem, readItems } from './checkItem.js';
import type { Layout } from './Layout.js';
import { moveItem } from './moveItem.js';
import { type IndexParts, registerParts } from './partsOf.js';
import { removeItem } from './removeItem.js';

/**
 * The one index class of all structures: it checks and copies arguments, allocates ids, and sends walks over the tree.
 * Where an item belongs in the tree is up to the layout. See SpatialIndex for what the methods do.
 */
export class TreeIndex implements SpatialIndex {
  readonly #layout: Layout;
  readonly #tree: Tree;
  readonly #ids: ItemIds = new ItemIds();
  readonly #walk: Walk = new Walk();
  readonly #parts: IndexParts;
  #version = 0;

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#tree = layout.tree;
    this.#parts = { layout, ids: this.#ids, walk: this.#walk, maintenance: null };
    registerParts(this, this.#parts);
  }

  get structure(): StructureName {
    return this.#layout.structure;
  }

  get size(): number {
    return this.#ids.size;
  }

  get version(): number {
    return this.#version;
  }

  get counters(): QueryCounters {
    return this.#walk;
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
      this.#arrange(ids, source);
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
    checkItem(this.#tree, id, 'SpatialIndex.update');
    this.#version++;
    if (moveItem(this.#layout, id, given, this.size)) this.rebuild();
  }

  updateAll(ids: ArrayLike<number>, boxes: ArrayLike<number>): void {
    const where = 'SpatialIndex.updateAll';
    // Copied first: a getter in them may change the boxes or the index.
    const own = readItems(this.#tree, ids, where);
    const source = readBoxes(boxes, where);
    if (source.length !== BOX * own.length) {
      throw new RangeError(`${where}: six numbers an id, got ${source.length} numbers for ${own.length} ids`);
    }
    for (let i = 0; i < own.length; i++) checkItem(this.#tree, own[i], where);
    this.#version++;
    for (let i = 0, o = 0; i < own.length; i++, o += BOX) {
      copyBox(source, o, given, 0);
      if (moveItem(this.#layout, own[i], given, this.size)) this.rebuild();
    }
  }

  remove(id: number): void {
    checkItem(this.#tree, id, 'SpatialIndex.remove');
    this.#version++;
    removeItem(this.#layout, id);
    this.#ids.free(id);
    if (this.size === 0) this.clear();
  }

  has(id: number): boolean {
    return Number.isInteger(id) && this.#tree.rows.firstSlot[id] >= 0;
  }

  getBox(id: number, out: Float64Array = new Float64Array(BOX)): Float64Array {
    const slot = checkItem(this.#tree, id, 'SpatialIndex.getBox');
    checkTarget(out, 'SpatialIndex.getBox');
    this.#tree.rows.read(slot, out, 0);
    return out;
  }

  getBounds(out: Float64Array = new Float64Array(BOX)): Float64Array {
    checkTarget(out, 'SpatialIndex.getBounds');
    const { rows } = this.#tree;
    makeEmpty(out, 0);
    for (let row = 0; row < rows.count; row++) {
      if (rows.sizes[row] === 0) continue;
      rows.tighten(row, tight);
      unite(out, 0, tight, 0);
    }
    return out;
  }

  clear(): void {
    this.#version++;
    this.#ids.clear();
    this.#layout.reset(0);
    this.#parts.maintenance = null;
    this.#walk.kernel?.release(this.#tree);
  }

  rebuild(): void {
    this.#version++;
    this.#arrange(NO_IDS, NO_BOXES);
  }

  queryBox(box: ArrayLike<number>, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.queryBox');
    boxVolume.set(box, 'SpatialIndex.queryBox');
    overlap(this.#tree, boxVolume, this.#walk, out);
    return out;
  }

  queryPoint(x: number, y: number, z: number, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.queryPoint');
    boxVolume.setPoint(x, y, z, 'SpatialIndex.queryPoint');
    overlap(this.#tree, boxVolume, this.#walk, out);
    return out;
  }

  querySphere(x: number, y: number, z: number, radius: number, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.querySphere');
    sphereVolume.set(x, y, z, radius, 'SpatialIndex.querySphere');
    overlap(this.#tree, sphereVolume, this.#walk, out);
    return out;
  }

  queryShape(shape: Shape, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.queryShape');
    if (!(shape instanceof Shape)) {
      throw new TypeError(`SpatialIndex.queryShape: must be a shape, got ${inWords(shape)}`);
    }
    shapeOverlap(this.#tree, shape, this.#walk, out);
    return out;
  }

  queryPlanes(planes: ArrayLike<number>, out: IdList = new IdList()): IdList {
    checkIdList(out, 'SpatialIndex.queryPlanes');
    overlap(this.#tree, readPlanes(planes, 'SpatialIndex.queryPlanes'), this.#walk, out);
    return out;
  }

  classify(planes: ArrayLike<number>, inside: IdList, intersecting: IdList): void {
    checkIdList(inside, 'SpatialIndex.classify.inside');
    checkIdList(intersecting, 'SpatialIndex.classify.intersecting');
    if (inside === intersecting)
      throw new RangeError('SpatialIndex.classify: two lists are needed, got the same one twice');
    overlap(this.#tree, readPlanes(planes, 'SpatialIndex.classify'), this.#walk, intersecting, inside);
  }

  raycast(ray: RayLike, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.raycast');
    raycast(this.#tree, readRay(ray, 'SpatialIndex.raycast'), this.#walk, out);
    return out;
  }

  raycastFirst(ray: RayLike, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.raycastFirst');
    raycastFirst(this.#tree, readRay(ray, 'SpatialIndex.raycastFirst'), this.#walk, out);
    return out;
  }

  querySegment(from: ArrayLike<number>, to: ArrayLike<number>, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.querySegment');
    raycast(this.#tree, readSegment(from, to, 'SpatialIndex.querySegment'), this.#walk, out);
    return out;
  }

  sweep(box: ArrayLike<number>, motion: ArrayLike<number>, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.sweep');
    raycast(this.#tree, readSweep(box, motion, 'SpatialIndex.sweep'), this.#walk, out);
    return out;
  }

  sweepFirst(box: ArrayLike<number>, motion: ArrayLike<number>, out: Hits = new Hits()): Hits {
    checkHits(out, 'SpatialIndex.sweepFirst');
    raycastFirst(this.#tree, readSweep(box, motion, 'SpatialIndex.sweepFirst'), this.#walk, out);
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
    nearest(this.#tree, pointDistance, count, this.#walk, out);
    return out;
  }

  /** Makes the entries of a new item with the box in `given`, and returns its id. */
  #place(): number {
    // Allocate the id just before placing its item: a rebuild visits every live id.
    const id = this.#ids.alloc();
    if (this.#layout.place(id, given, this.size)) this.rebuild();
    return id;
  }

  #arrange(newIds: Int32Array, newBoxes: Float64Array): void {
    arrangeItems(this.#layout, this.size, newIds, newBoxes);
    noteRuns(this.#tree);
    this.#parts.maintenance = null;
  }
}

function checkCount(count: number, where: string): void {
  if (typeof count !== 'number') throw new TypeError(`${where}: the count must be a number, got ${inWords(count)}`);
  if (!(count >= 1) || !(Number.isInteger(count) || count === Number.POSITIVE_INFINITY)) {
    throw new RangeError(`${where}: the count must be a whole number from 1, got ${count}`);
  }
}

const NO_IDS = new Int32Array(0);
const NO_BOXES = new Float64Array(0);
/** The box that a caller gave, copied and checked. */
const given = new Float64Array(BOX);
const tight = new Float64Array(BOX);
// These are filled only after the last user code of a call has run, so one of each serves all. For other arguments see
// QueryScratch.
const boxVolume = /* @__PURE__ */ new BoxVolume();
const sphereVolume = /* @__PURE__ */ new SphereVolume();
const pointDistance = /* @__PURE__ */ new PointDistance();
