import type { BatchedMesh, InstancedMesh, Object3D, SkinnedMesh, Sprite } from 'three';
import type { SpatialIndex } from '../../contract/SpatialIndex.js';
import { NO_BOXES, NO_IDS, structureOf } from '../../contract/Structure.js';
import { grow } from '../../core/arrays.js';
import { contains, copyBox, isBox } from '../../core/box.js';
import type { IdSet } from '../../core/ids.js';
import type { Flags } from '../../three/kinds.js';
import { boundsOf, type GeometryBounds } from '../bounds/geometryBounds.js';
import { transformSides } from '../bounds/transformBox.js';
import { geometryOf, spriteOffset, worldBounds } from '../bounds/worldBounds.js';
import { geometryFacts } from '../facts/GeometryFacts.js';
import { stampOfInstances } from '../facts/InstanceFacts.js';
import { describe, describeError } from '../objects/checks.js';
import { NEW, type ObjectRecord, PARENT, POINTS, SPRITE } from '../objects/ObjectRecord.js';

/** Number of updates without a change after which a postponed entry is measured. */
const UPDATES_AT_REST = 8;

/** Maps objects to ids of a core index. Objects with empty bounds have no entry; NaN bounds quarantine an object. */
export class Entries {
  /** The core index as it is: postponed entries (see {@link postponed}) have their previous bounds. */
  measured: SpatialIndex;
  readonly byId: EntriesById = new EntriesById();
  /**
   * Postponed entries: their shape changed since they were measured. Each maps to the number of the update that saw the
   * last change. They are measured when a query asks for bounds, or after some updates without a change. So a shape
   * that changes in each frame costs nothing while only renderers and raycasters ask: three's math tests the object.
   */
  readonly postponed: Map<ObjectRecord, number> = new Map();
  /** Objects without an entry, as long as their bounds are NaN or cannot be computed. */
  readonly quarantined: Set<ObjectRecord> = new Set();
  /** Sets of ids that subscribers put here: each gets the ids of entries that come, go, or are measured anew. */
  readonly listeners: Set<IdSet> = new Set();
  /** The largest finite coordinate that any bounds have had. */
  maxAbsCoordinate = 0;
  removals = 0;
  readonly #warned = new WeakSet<Object3D>();
  #updates = 0;
  /** Part of the version beside the index's own: versions of replaced indices, and entries that were postponed. */
  #changes = 0;

  /** @throws when the index is not free; see `claimIndex`. */
  constructor(index: SpatialIndex) {
    this.measured = claimIndex(index, 'SceneIndex.structure');
  }

  /** The core index with all bounds up to date. {@link moveTo} replaces it. */
  get index(): SpatialIndex {
    this.measurePostponed();
    return this.measured;
  }

  /** A number that changes with every change of the index; equal versions mean equal contents. */
  get version(): number {
    return this.measured.version + this.#changes;
  }

  /**
   * Moves all entries to another index, and releases the present one.
   * @throws when the other index is not free; nothing has changed then.
   */
  moveTo(next: SpatialIndex): void {
    claimIndex(next, 'SceneIndex.setStructure');
    const { index } = this;
    const records = this.byId.records.filter((record) => record !== null);
    const boxes = new Float64Array(6 * records.length);
    for (const [i, { id }] of records.entries()) boxes.set(index.getBox(id, box), 6 * i);
    this.#changes += index.version + 1;
    releaseIndex(index);
    this.measured = next;
    this.byId.clear();
    this.#addBoxes(records, boxes);
  }

  /** Measures a new object; true when the object waits for {@link insert} to get an entry. */
  measureNew(record: ObjectRecord, entries: MeasuredEntries): boolean {
    if (record.id >= 0) {
      this.refresh(record);
      return false;
    }
    const at = entries.reserve();
    const isMeasured = this.#measure(record, entries.boxes, at);
    if (isMeasured) entries.take(record);
    return isMeasured;
  }

  /** Makes entries for measured objects that are still new: getters may have removed some, or made their entries. */
  insert(entries: MeasuredEntries): void {
    entries.sift();
    this.#addBoxes(entries.records as ObjectRecord[], entries.boxes.subarray(0, 6 * entries.count));
  }

  /** Measures an object anew. A moved entry is added to the list `moved`; without a list the index is told. */
  refresh(record: ObjectRecord, moved: MeasuredEntries | null = null): void {
    this.postponed.delete(record);
    if (!this.#measure(record, box, 0)) {
      this.remove(record);
    } else if (record.id < 0) {
      this.#setId(record, this.measured.add(box));
    } else {
      this.noteChange(record.id);
      if (contains(this.measured.getBox(record.id, before), 0, box, 0) && contains(box, 0, before, 0)) return;
      if (moved === null) this.measured.update(record.id, box);
      else {
        const at = moved.reserve();
        copyBox(box, 0, moved.boxes, at);
        moved.take(record);
      }
    }
  }

  /** Measures an entry whose world matrix, but not shape, has changed, into the list of moved entries. */
  follow(record: ObjectRecord, moved: MeasuredEntries): void {
    const { shape, object } = record;
    if (shape !== null && shape.shape === record.shapeStamp && record.id >= 0) {
      const at = moved.reserve();
      if (transformSides(shape.sides, object.matrixWorld, moved.boxes, at)) {
        this.#extendCoordinates(moved.boxes, at);
        this.noteChange(record.id);
        moved.take(record);
        return;
      }
    }
    this.refresh(record, moved);
  }

  /** Tells listeners of an entry that comes, goes or is measured anew. */
  noteChange(id: number): void {
    if (this.listeners.size > 0) for (const ids of this.listeners) ids.add(id);
  }

  /** Postpones an entry whose shape changed. */
  postpone(record: ObjectRecord): void {
    if (!this.postponed.has(record)) this.#changes++;
    this.postponed.set(record, this.#updates);
  }

  measurePostponed(): void {
    if (this.postponed.size > 0) for (const record of this.postponed.keys()) this.refresh(record);
  }

  /** Ends an update: measures the postponed entries that have not changed in the last updates. */
  endUpdate(): void {
    this.#updates++;
    for (const [record, changedIn] of this.postponed) {
      // Entries that are never culled need no bounds until a query asks.
      if (this.#updates - changedIn >= UPDATES_AT_REST && record.object.frustumCulled) this.refresh(record);
    }
  }

  remove(record: ObjectRecord): void {
    if (record.id < 0) return;
    this.removals++;
    this.measured.remove(record.id);
    this.noteChange(record.id);
    this.byId.remove(record.id);
    record.id = -1;
  }

  /** Forgets an object that is no longer followed. */
  forget(record: ObjectRecord): void {
    this.postponed.delete(record);
    this.remove(record);
    this.quarantined.delete(record);
  }

  /** Forgets all objects, and empties and releases the index. */
  dispose(): void {
    this.postponed.clear();
    releaseIndex(this.measured);
    this.byId.clear();
    this.quarantined.clear();
  }

  #addBoxes(records: readonly ObjectRecord[], boxes: Float64Array): void {
    // This call only raises the version: with boxes it would copy and check them, though they are known to be valid.
    this.measured.addAll(NO_BOXES);
    const ids = structureOf(this.measured, 'SceneIndex').insertAll(boxes);
    this.byId.reserve(ids.reduce((most, id) => Math.max(most, id), -1) + 1);
    for (let i = 0; i < ids.length; i++) this.#setId(records[i], ids[i]);
  }

  #setId(record: ObjectRecord, id: number): void {
    record.id = id;
    this.noteChange(id);
    this.byId.add(record);
  }

  /**
   * Computes the bounds of an object into six numbers from `at` on; false when the bounds allow no entry.
   *
   * A broken object must not end the frame loop: errors of its getters and methods are reported here, by a warning. All
   * other code that reads geometries swallows them.
   */
  #measure(record: ObjectRecord, out: Float64Array, at: number): boolean {
    let problem: unknown = null;
    record.shape = null;
    try {
      record.shapeStamp = shapeStampOf(record);
      record.shape = plainShape(record);
      const { shape, object } = record;
      const isDone = shape !== null && transformSides(shape.sides, object.matrixWorld, out, at);
      if (!isDone) worldBounds(object, out.subarray(at, at + 6));
    } catch (error) {
      problem = error;
      out.fill(Number.NaN, at, at + 6);
    }
    const canHaveEntry = isBox(out, at);
    if (!canHaveEntry && out.subarray(at, at + 6).some(Number.isNaN)) this.#quarantine(record, problem);
    else if (this.quarantined.size > 0) this.quarantined.delete(record);
    if (canHaveEntry) this.#extendCoordinates(out, at);
    return canHaveEntry;
  }

  /** Keeps an object out of the index; warns once in the object's life. */
  #quarantine(record: ObjectRecord, problem: unknown): void {
    this.quarantined.add(record);
    if (this.#warned.has(record.object)) return;
    this.#warned.add(record.object);
    const reason =
      problem === null ? 'its bounds are NaN' : `its bounds cannot be computed (${describeError(problem)})`;
    // The message names the object in words alone: a console retains the objects that it is given.
    console.warn(`SceneIndex: ${describe(record.object)} is left out of all results: ${reason}`);
  }

  #extendCoordinates(b: Float64Array, at: number): void {
    const most = this.maxAbsCoordinate;
    // biome-ignore format: aligned lines show the symmetry
    if (b[at] >= -most && b[at + 1] >= -most && b[at + 2] >= -most
     && b[at + 3] <= most && b[at + 4] <= most && b[at + 5] <= most) return;
    for (let side = at; side < at + 6; side++) {
      const distance = Math.abs(b[side]);
      if (distance > this.maxAbsCoordinate && distance < Number.POSITIVE_INFINITY) this.maxAbsCoordinate = distance;
    }
  }
}

/** The fields that every query reads, by id, side by side: reading each object's record costs more than finding it. */
export class EntriesById {
  /** Null for ids without an entry, here and in the other lists. */
  readonly records: (ObjectRecord | null)[] = [];
  readonly objects: (Object3D | null)[] = [];
  /** The record of each object's parent; null for an object without a followed parent. */
  readonly parents: (ObjectRecord | null)[] = [];
  /** 1 for an object with a followed parent, no children and no instances: renderers check its `visible` and layers. */
  isLeaf: Uint8Array = new Uint8Array(64);
  /** 1 for points and sprites, whose size on the screen may not depend on their distance. */
  isPoints: Uint8Array = new Uint8Array(64);
  readonly #lists: unknown[][] = [this.records, this.objects, this.parents];

  add(record: ObjectRecord): void {
    const { id, object, parent } = record;
    this.reserve(id + 1);
    this.records[id] = record;
    this.objects[id] = object;
    this.parents[id] = parent;
    this.isPoints[id] = Number(record.has(POINTS));
    this.isLeaf[id] = Number(parent !== null && !record.has(PARENT) && !record.hasInstances);
  }

  reserve(count: number): void {
    for (const list of this.#lists) {
      const { length } = list;
      if (length >= count) break;
      // Sets the length needed: pushing would leave room for half as many more.
      list.length = count;
      list.fill(null, length);
    }
    if (this.isLeaf.length >= count) return;
    this.isLeaf = grow(this.isLeaf, count);
    this.isPoints = grow(this.isPoints, count);
  }

  remove(id: number): void {
    for (const list of this.#lists) list[id] = null;
  }

  clear(): void {
    for (const list of this.#lists) list.length = 0;
  }
}

/** Objects with new bounds, with or without entries so far. The index is told of all in one call. */
export class MeasuredEntries {
  /** Records; null from {@link count} on. The room is kept, as growing an array anew costs more than filling it. */
  readonly records: (ObjectRecord | null)[] = [];
  count = 0;
  boxes: Float64Array;
  #ids: Int32Array;

  /** @param room Initial room, in entries; it grows as needed. */
  constructor(room = 64) {
    this.boxes = new Float64Array(6 * room);
    this.#ids = new Int32Array(room);
  }

  /** Offset in {@link boxes} for the bounds of the next entry; {@link take} adds that entry. */
  reserve(): number {
    if (this.count === this.#ids.length) {
      this.#ids = grow(this.#ids, this.count + 1);
      this.boxes = grow(this.boxes, 6 * this.#ids.length);
    }
    return 6 * this.count;
  }

  take(record: ObjectRecord): void {
    const n = this.count++;
    this.#ids[n] = record.id;
    if (n < this.records.length) this.records[n] = record;
    else this.records.push(record);
  }

  /** Drops null, removed records, and records that got an entry after they were added. */
  sift(): void {
    const { boxes, records } = this;
    const ids = this.#ids;
    let n = 0;
    for (let i = 0; i < this.count; i++) {
      const record = records[i];
      if (record?.id !== ids[i] || (record.id < 0 && !record.has(NEW))) continue;
      ids[n] = ids[i];
      copyBox(boxes, 6 * i, boxes, 6 * n);
      records[n++] = record;
    }
    records.fill(null, n, this.count);
    this.count = n;
  }

  /** Moves the entries in the index, and empties the list. The last bounds of an entry count. */
  flush(index: SpatialIndex): void {
    const n = this.count;
    if (n === 0) return;
    this.records.fill(null, 0, n);
    this.count = 0;
    // This call only raises the version: with ids and boxes it would check them, though they are known to be valid.
    index.updateAll(NO_IDS, NO_BOXES);
    structureOf(index, 'SceneIndex').moveAll(this.#ids.subarray(0, n), this.boxes.subarray(0, 6 * n));
  }
}

/**
 * The stamp of everything that an object's bounds depend on besides matrices: the shape of its geometry, and its
 * instances, or how far from a sprite its center lies. It is NaN when a getter throws: NaN differs each time, so the
 * object is measured, which reports the problem.
 */
export function shapeStampOf(record: ObjectRecord): number {
  const { object } = record;
  try {
    const geometry = geometryOf(object);
    if (record.has(SPRITE)) return spriteOffset(object as Sprite);
    if (geometry === null) return 0;
    if (record.hasInstances) return stampOfInstances(object as InstancedMesh | BatchedMesh);
    return geometryFacts(geometry).lookAtShape();
  } catch {
    return Number.NaN;
  }
}

/** The geometry's bounds if the world matrix carries them to the object's, else null; valid for one shape stamp. */
function plainShape({ object, hasInstances }: ObjectRecord): GeometryBounds | null {
  const kind = object as Object3D & Flags;
  const geometry = geometryOf(object);
  if (geometry === null || hasInstances || kind.isLOD || kind.isSprite) return null;
  if (kind.isSkinnedMesh && (object as SkinnedMesh).skeleton) return null;
  return geometry.attributes.position === undefined ? null : boundsOf(geometry);
}

const claimed = new WeakSet<SpatialIndex>();

/**
 * Takes a core index for one scene.
 * @throws TypeError for an index that is not of this library, RangeError for one with items or with a scene already.
 */
export function claimIndex(index: SpatialIndex, where: string): SpatialIndex {
  checkFree(index, where);
  claimed.add(index);
  return index;
}

/** @throws unless {@link claimIndex} would succeed. */
export function checkFree(index: SpatialIndex, where: string): void {
  structureOf(index, where);
  if (claimed.has(index)) throw new RangeError(`${where}: already belongs to a SceneIndex`);
  if (index.size > 0) throw new RangeError(`${where}: must be empty, has ${index.size} items`);
}

/** Empties an index, so that it may serve another scene. */
export function releaseIndex(index: SpatialIndex): void {
  index.clear();
  claimed.delete(index);
}

const box = new Float64Array(6);
const before = new Float64Array(6);
