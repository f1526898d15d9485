import type { SpatialIndex } from '../../contract/SpatialIndex.js';
import { NO_BOXES } from '../../contract/Structure.js';
import { grow } from '../../core/arrays.js';
import { copyBox } from '../../core/box.js';
import { IdList, IdSet } from '../../core/ids.js';
import type { InstanceSource } from './InstanceSource.js';
import { InstanceTable, SPHERE } from './InstanceTable.js';

/** Number of instances that are measured before the clock is read again. */
const TOGETHER = 64;

/** The instances of a mesh in a core index, in the mesh's frame. Boxes hold three's sphere, and the geometry's box. */
export class IndexedInstances {
  readonly index: SpatialIndex;
  readonly table: InstanceTable = new InstanceTable();
  /** Instances without a box, as some coordinate is NaN, or their spheres are empty. */
  readonly unindexed: Set<number> = new Set();
  readonly source: InstanceSource;
  /** Ids in the core index by instance, -1 for instances that are not in it. */
  #coreIds = new Int32Array(16).fill(-1);
  /** Instances by id in the core index. */
  #instances = new Int32Array(16);
  /** Whether core ids equal instance ids. */
  #isSame = true;
  readonly #changed = new IdList();
  /** Number of changed instances that were measured. */
  #measured = 0;
  /** The boxes of the changed instances. */
  #boxes = NO_BOXES;
  /** Positions in `#changed` of instances that the core index does not have. */
  readonly #entered: number[] = [];
  /** Positions in `#changed` of instances whose boxes in the core index change. */
  readonly #moved: number[] = [];
  readonly #marks = new IdSet();
  readonly #inside = new IdList();
  readonly #border = new IdList();

  constructor(index: SpatialIndex, source: InstanceSource) {
    this.index = index;
    this.source = source;
  }

  get size(): number {
    return this.index.size + this.unindexed.size;
  }

  /** Brings the index up to date; false, with the changes left to `build`, when more than `most` have changed. */
  update(most: number = Number.POSITIVE_INFINITY): boolean {
    return this.#try(() => {
      this.#findChanged();
      return this.#changed.length <= most && this.#measure(Number.POSITIVE_INFINITY);
    });
  }

  /** Works on changes for some milliseconds; true when all are done. Until then no other method may be called. */
  build(budget: number): boolean {
    return this.#try(() => {
      if (this.#measured === this.#changed.length) this.#findChanged();
      return this.#measure(performance.now() + budget);
    });
  }

  /**
   * Lists the instances whose spheres meet a frustum, as three decides, in ascending order.
   * @param frusta The planes of each frustum, in the frame of the mesh.
   */
  cull(frusta: readonly Float64Array[], out: IdList): void {
    const marks = this.#marks;
    const inside = this.#inside;
    const border = this.#border;
    const { spheres } = this.table;
    for (const planes of frusta) {
      this.index.classify(planes, inside, border);
      this.toInstances(inside);
      this.toInstances(border);
      marks.addAll(inside);
      const { ids, length } = border;
      for (let i = 0; i < length; i++) if (meetsSphere(planes, spheres, SPHERE * ids[i])) marks.add(ids[i]);
      for (const id of this.unindexed) if (meetsSphere(planes, spheres, SPHERE * id)) marks.add(id);
    }
    marks.drain(out);
  }

  /** Lists all instances that may be partly visible between some planes, in ascending order. */
  cullRoughly(views: readonly Float64Array[], out: IdList): void {
    const marks = this.#marks;
    const inside = this.#inside;
    for (const planes of views) {
      this.index.queryPlanes(planes, inside);
      this.toInstances(inside);
      marks.addAll(inside);
    }
    for (const id of this.unindexed) marks.add(id);
    for (const id of this.table.projective) marks.add(id);
    marks.drain(out);
  }

  /** Writes the box of an instance in the frame of the mesh; false for an instance that may be drawn beyond any box. */
  getBox(id: number, out: Float64Array): boolean {
    if (this.#coreIds[id] < 0 || this.table.projective.has(id)) return false;
    this.index.getBox(this.#coreIds[id], out);
    return true;
  }

  /** Lists all present instances, in ascending order. */
  listAll(out: IdList): void {
    const { limit, shapeOf } = this.table;
    out.length = 0;
    const ids = out.reserve(limit);
    for (let id = 0; id < limit; id++) if (shapeOf[id] >= 0) ids[out.length++] = id;
  }

  /** Replaces ids of the core index by ids of instances, in place. */
  toInstances({ ids, length }: { ids: Int32Array; length: number }): void {
    if (this.#isSame) return;
    for (let i = 0; i < length; i++) ids[i] = this.#instances[ids[i]];
  }

  /** Does work; after any error the next call starts over. */
  #try(work: () => boolean): boolean {
    try {
      return work();
    } catch (error) {
      this.table.invalidate();
      this.#changed.length = this.#measured = 0;
      throw error;
    }
  }

  #findChanged(): void {
    const changed = this.#changed;
    this.table.findChanged(this.source, changed);
    this.#measured = this.#entered.length = this.#moved.length = 0;
    if (changed.length === 0) return;
    this.#boxes = new Float64Array(6 * changed.length);
    const known = this.#coreIds.length;
    if (this.table.limit > known) this.#coreIds = grow(this.#coreIds, this.table.limit).fill(-1, known);
  }

  /** Measures changed instances until a time has come; true when all are measured, and in the index. */
  #measure(end: number): boolean {
    const { ids, length } = this.#changed;
    while (this.#measured < length) {
      const to = Math.min(this.#measured + TOGETHER, length);
      for (let i = this.#measured; i < to; i++) this.#measureOne(i, ids[i]);
      this.#measured = to;
      if (to < length && performance.now() >= end) return false;
    }
    this.#commit();
    return true;
  }

  #measureOne(i: number, id: number): void {
    const isPresent = this.table.shapeOf[id] >= 0;
    this.unindexed.delete(id);
    if (isPresent && this.table.measure(id, box)) {
      copyBox(box, 0, this.#boxes, 6 * i);
      (this.#coreIds[id] < 0 ? this.#entered : this.#moved).push(i);
      return;
    }
    if (isPresent) this.unindexed.add(id);
    if (this.#coreIds[id] < 0) return;
    this.index.remove(this.#coreIds[id]);
    this.#coreIds[id] = -1;
  }

  #commit(): void {
    const { ids } = this.#changed;
    const moved = this.#moved;
    const entered = this.#entered;
    if (moved.length > 0) {
      const coreIds = moved.map((i) => this.#coreIds[ids[i]]);
      this.index.updateAll(coreIds, pickBoxes(this.#boxes, moved));
    }
    if (entered.length > 0) {
      const coreIds = this.index.addAll(pickBoxes(this.#boxes, entered));
      for (const [k, i] of entered.entries()) this.#link(ids[i], coreIds[k]);
    }
    this.#boxes = NO_BOXES;
  }

  #link(id: number, coreId: number): void {
    this.#coreIds[id] = coreId;
    if (coreId >= this.#instances.length) this.#instances = grow(this.#instances, coreId + 1);
    this.#instances[coreId] = id;
    this.#isSame &&= coreId === id;
  }
}

const box = new Float64Array(6);

function pickBoxes(boxes: Float64Array, chosen: readonly number[]): Float64Array {
  if (6 * chosen.length === boxes.length) return boxes;
  const picked = new Float64Array(6 * chosen.length);
  for (const [k, i] of chosen.entries()) copyBox(boxes, 6 * i, picked, 6 * k);
  return picked;
}

/** `Frustum.intersectsSphere` of three, in its order of operations. Spheres with NaN are met. */
function meetsSphere(planes: Float64Array, spheres: Float64Array, s: number): boolean {
  const x = spheres[s];
  const y = spheres[s + 1];
  const z = spheres[s + 2];
  const negativeRadius = -spheres[s + 3];
  for (let p = 0; p < 24; p += 4) {
    if (planes[p] * x + planes[p + 1] * y + planes[p + 2] * z + planes[p + 3] < negativeRadius) return false;
  }
  return true;
}
