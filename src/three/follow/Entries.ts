import type { SpatialIndex } from '../../structures/contract/SpatialIndex.js';
import type { StructureName } from '../../structures/contract/structureNames.js';
import { createIndex, type IndexOptions } from '../../structures/createIndex.js';
import { revisionOf } from '../bounds/geometryRevision.js';
import { instanceRevision, instancesOf } from '../bounds/instanceBounds.js';
import { geometryOf, worldBounds } from '../bounds/worldBounds.js';
import { describe, describeError } from '../objects/describe.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import { ChildlessEntries } from './ChildlessEntries.js';
import type { Hierarchy } from './Hierarchy.js';

/** Rounds without a change after which what changed its shape is measured. */
const PATIENCE = 8;

/**
 * The entries of a scene in a core index: which object has which id, and what becomes of bounds that are empty (no
 * entry, no word) or NaN (no entry, one warning; the object comes back with its next valid bounds).
 */
export class Entries {
  /** The core index as it is: what is {@link pending} may be filed by bounds that it had before. */
  measured: SpatialIndex;
  /** Record of each id. */
  readonly byId: (ObjectRecord | null)[] = [];
  /** Those with nothing below them. */
  readonly childless: ChildlessEntries = new ChildlessEntries();
  /** The largest finite coordinate that any bounds have had. */
  farthest = 0;
  /** Objects kept out because their bounds are not numbers. */
  readonly quarantined: Set<ObjectRecord> = new Set();

  /**
   * Entries whose shape changed since they were measured, by the round of the last change. They are measured when a query
   * asks for bounds, or once they have been left alone for some rounds: what changes in each frame costs nothing while
   * only renderers and raycasters come by, who test each of them by what three knows of it.
   */
  readonly #pending = new Map<ObjectRecord, number>();
  #round = 0;
  #deferrals = 0;
  readonly #warned = new WeakSet<object>();
  /** Versions that indices had which were replaced. */
  #replaced = 0;

  constructor(structure: StructureName, options: IndexOptions) {
    this.measured = createIndex(structure, options);
  }

  /** The core index with all bounds up to date. Replaced as a whole when the structure changes. */
  get index(): SpatialIndex {
    this.settle();
    return this.measured;
  }

  /** Entries that have not been measured since their shape changed. */
  get pending(): ReadonlyMap<ObjectRecord, unknown> {
    return this.#pending;
  }

  /** Changes with every change of the index; equal versions mean equal contents. */
  get version(): number {
    return this.measured.version + this.#replaced + this.#deferrals;
  }

  /** Moves all entries to another structure. */
  replace(structure: StructureName, options: IndexOptions): void {
    const next = createIndex(structure, options);
    const { index } = this;
    const records = this.byId.filter((record) => record !== null);
    const boxes = new Float64Array(6 * records.length);
    records.forEach((record, i) => {
      boxes.set(index.getBox(record.id, box), 6 * i);
    });
    this.#replaced += index.version + 1;
    index.clear();
    this.measured = next;
    this.byId.length = 0;
    this.childless.clear();
    this.#addAll(records, boxes);
  }

  /** Makes entries for objects that are new to the index. */
  addAll(records: readonly ObjectRecord[]): void {
    const valid: ObjectRecord[] = [];
    const boxes = new Float64Array(6 * records.length);
    for (const record of records) {
      if (record.id >= 0) this.refresh(record);
      else if (this.#measure(record)) {
        boxes.set(box, 6 * valid.length);
        valid.push(record);
      }
    }
    this.#addAll(valid, boxes.subarray(0, 6 * valid.length));
  }

  /** Looks at the bounds of an object again. */
  refresh(record: ObjectRecord): void {
    this.#pending.delete(record);
    if (!this.#measure(record)) {
      this.remove(record);
    } else if (record.id < 0) {
      this.#setId(record, this.measured.add(box));
    } else if (!isSame(this.measured.getBox(record.id, before), box)) {
      this.measured.update(record.id, box);
    }
  }

  /** Has the bounds of an entry looked at again, but not before they are asked for: an object of it changed its shape. */
  defer(entry: ObjectRecord): void {
    if (!this.#pending.has(entry)) this.#deferrals++;
    this.#pending.set(entry, this.#round);
  }

  /** Measures what is pending. */
  settle(): void {
    if (this.#pending.size > 0) for (const record of this.#pending.keys()) this.refresh(record);
  }

  /** Ends a round: what changed its shape some rounds ago, and no more since, is measured. */
  age(): void {
    this.#round++;
    if (this.#pending.size === 0) return;
    for (const [record, round] of this.#pending) {
      // What is never culled has no need of bounds while nobody asks.
      if (this.#round - round >= PATIENCE && record.frustumCulled) this.refresh(record);
    }
  }

  /** Takes the entry of an object out. */
  remove(record: ObjectRecord): void {
    if (record.id < 0) return;
    this.measured.remove(record.id);
    this.byId[record.id] = null;
    this.childless.remove(record.id);
    record.id = -1;
  }

  /** An object that is tracked no longer. */
  forget(record: ObjectRecord): void {
    this.#pending.delete(record);
    this.remove(record);
    this.#setQuarantined(record, false);
  }

  /**
   * Takes note of what the bounds of an object are made of: its geometry, the shape of that, its instances. True when that
   * is not what was noted last.
   */
  note(record: ObjectRecord): boolean {
    const { object } = record;
    try {
      const geometry = geometryOf(object);
      const shapeRevision = geometry === null ? 0 : revisionOf(geometry);
      const isSame = geometry === record.geometry && shapeRevision === record.shapeRevision;
      record.geometry = geometry;
      record.shapeRevision = shapeRevision;
      if (!record.hasInstances) return !isSame;
      const instances = instancesOf(object);
      const revision = instanceRevision(object);
      const isAsBefore = isSame && instances === record.instances && revision === record.revision;
      record.instances = instances;
      record.revision = revision;
      return !isAsBefore;
    } catch {
      // Whatever is wrong with the object, measuring it finds out.
      return true;
    }
  }

  /** Problems in words: ids and records must name each other, and what is filed must be followed. */
  validate(tracker: Hierarchy): string[] {
    const problems: string[] = [];
    let count = 0;
    this.byId.forEach((record, id) => {
      if (record === null) return;
      count++;
      if (record.id !== id) problems.push(`the object of id ${id} believes to have id ${record.id}`);
      if (!this.measured.has(id)) problems.push(`id ${id} has an object, but no box`);
      if (tracker.records.get(record.object) !== record)
        problems.push(`id ${id} belongs to an object that is not followed`);
    });
    if (count !== this.measured.size)
      problems.push(`${count} objects have ids, but ${this.measured.size} boxes are filed`);
    let quarantined = 0;
    for (const record of tracker.records.values()) if (record.quarantined) quarantined++;
    if (quarantined !== this.quarantined.size)
      problems.push(`${quarantined} objects are quarantined, not ${this.quarantined.size}`);
    return problems;
  }

  clear(): void {
    this.#pending.clear();
    this.measured.clear();
    this.byId.length = 0;
    this.childless.clear();
    this.quarantined.clear();
  }

  #addAll(records: readonly ObjectRecord[], boxes: Float64Array): void {
    const ids = this.measured.addAll(boxes);
    records.forEach((record, i) => {
      this.#setId(record, ids[i]);
    });
  }

  #setId(record: ObjectRecord, id: number): void {
    record.id = id;
    // Filled up one by one, so that the array stays dense.
    while (this.byId.length <= id) this.byId.push(null);
    this.byId[id] = record;
    this.childless.add(record);
  }

  /** Computes the bounds of an object into `box`; false when it can have no entry with them. */
  #measure(record: ObjectRecord): boolean {
    const { object } = record;
    let problem: unknown = null;
    try {
      this.note(record);
      worldBounds(object, box);
    } catch (error) {
      // A broken object must not take the frame loop down with it.
      problem = error;
      box.fill(Number.NaN);
    }
    const broken = hasNaN(box);
    if (broken) this.#warn(record, problem);
    this.#setQuarantined(record, broken);
    if (!(box[0] <= box[3] && box[1] <= box[4] && box[2] <= box[5])) return false;
    for (let side = 0; side < 6; side++) {
      if (Number.isFinite(box[side])) this.farthest = Math.max(this.farthest, Math.abs(box[side]));
    }
    return true;
  }

  #setQuarantined(record: ObjectRecord, quarantined: boolean): void {
    if (record.quarantined === quarantined) return;
    record.quarantined = quarantined;
    if (quarantined) this.quarantined.add(record);
    else this.quarantined.delete(record);
  }

  #warn(record: ObjectRecord, problem: unknown): void {
    if (this.#warned.has(record.object)) return;
    this.#warned.add(record.object);
    const reason =
      problem === null ? 'its bounds are NaN' : `its bounds cannot be computed (${describeError(problem)})`;
    // In words alone: a console keeps the objects that it is given.
    console.warn(`SceneIndex: ${describe(record.object)} is in no result, ${reason}`);
  }
}

/** Written out, as these are asked of every object that moved. */
function isSame(a: Float64Array, b: Float64Array): boolean {
  return a[0] === b[0] && a[1] === b[1] && a[2] === b[2] && a[3] === b[3] && a[4] === b[4] && a[5] === b[5];
}

function hasNaN(b: Float64Array): boolean {
  return Number.isNaN(b[0] + b[1] + b[2]) || Number.isNaN(b[3] + b[4] + b[5]) ? b.some(Number.isNaN) : false;
}

const box = new Float64Array(6);
const before = new Float64Array(6);
