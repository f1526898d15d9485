import { createIndex, type IndexOptions } from '../structures/createIndex.js';
import type { SpatialIndex } from '../structures/SpatialIndex.js';
import type { StructureName } from '../structures/structureNames.js';
import { describe, describeError } from './describe.js';
import { shapeVersion } from './geometryBounds.js';
import { Leaves } from './Leaves.js';
import type { Tracked } from './Tracked.js';
import type { Tracker } from './Tracker.js';
import { geometryOf, instanceRevision, instancesOf, worldBounds } from './worldBounds.js';

/**
 * The entries of a scene in a core index: which object has which id, and what becomes of bounds that are empty (no
 * entry, no word) or NaN (no entry, one warning; the object comes back with its next valid bounds).
 */
export class Entries {
  /** The core index. Replaced as a whole when the structure changes. */
  index: SpatialIndex;
  /** Record of each id. */
  readonly byId: (Tracked | null)[] = [];
  /** Those with nothing below them. */
  readonly leaves: Leaves = new Leaves();
  /** The largest finite coordinate that any bounds have had. */
  farthest = 0;
  /** Objects kept out because their bounds are not numbers. */
  readonly quarantined: Set<Tracked> = new Set();

  readonly #warned = new WeakSet<object>();
  /** Versions that indices had which were replaced. */
  #replaced = 0;

  constructor(structure: StructureName, options: IndexOptions) {
    this.index = createIndex(structure, options);
  }

  /** Changes with every change of the index; equal versions mean equal contents. */
  get version(): number {
    return this.index.version + this.#replaced;
  }

  /** Moves all entries to another structure. */
  replace(structure: StructureName, options: IndexOptions): void {
    const index = createIndex(structure, options);
    const records = this.byId.filter((record) => record !== null);
    const boxes = new Float64Array(6 * records.length);
    records.forEach((record, i) => {
      boxes.set(this.index.getBox(record.id, box), 6 * i);
    });
    this.#replaced = this.version + 1;
    this.index.clear();
    this.index = index;
    this.byId.length = 0;
    this.leaves.clear();
    this.#addAll(records, boxes);
  }

  /** Makes entries for objects that are new to the index. */
  addAll(records: readonly Tracked[]): void {
    const valid: Tracked[] = [];
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
  refresh(record: Tracked): void {
    if (!this.#measure(record)) {
      this.remove(record);
    } else if (record.id < 0) {
      this.#setId(record, this.index.add(box));
    } else if (!isSame(this.index.getBox(record.id, before), box)) {
      this.index.update(record.id, box);
    }
  }

  /** Takes the entry of an object out. */
  remove(record: Tracked): void {
    if (record.id < 0) return;
    this.index.remove(record.id);
    this.byId[record.id] = null;
    this.leaves.remove(record.id);
    record.id = -1;
  }

  /** An object that is tracked no longer. */
  forget(record: Tracked): void {
    this.remove(record);
    this.#setQuarantined(record, false);
  }

  /** True when the geometry, its shape or the instances changed since the bounds were made. */
  isStale(record: Tracked): boolean {
    const { object, geometry } = record;
    try {
      if (geometryOf(object) !== geometry) return true;
      if (geometry === null) return false;
      if (geometry.attributes.position !== record.position) return true;
      if (record.position && shapeVersion(geometry) !== record.version) return true;
      if (!record.hasInstances) return false;
      return instancesOf(object) !== record.instances || instanceRevision(object) !== record.revision;
    } catch {
      // Whatever is wrong with the object, measuring it finds out.
      return true;
    }
  }

  /** Takes note of what the bounds are made of, for {@link isStale}. Throws what the object's own getters throw. */
  note(record: Tracked): void {
    const { object } = record;
    const geometry = geometryOf(object);
    record.geometry = geometry;
    record.position = geometry?.attributes.position;
    record.version = geometry && record.position ? shapeVersion(geometry) : 0;
    if (!record.hasInstances) return;
    record.instances = instancesOf(object);
    record.revision = instanceRevision(object);
  }

  /** Problems in words: ids and records must name each other, and what is filed must be followed. */
  validate(tracker: Tracker): string[] {
    const problems: string[] = [];
    let count = 0;
    this.byId.forEach((record, id) => {
      if (record === null) return;
      count++;
      if (record.id !== id) problems.push(`the object of id ${id} believes to have id ${record.id}`);
      if (!this.index.has(id)) problems.push(`id ${id} has an object, but no box`);
      if (tracker.records.get(record.object) !== record)
        problems.push(`id ${id} belongs to an object that is not followed`);
    });
    if (count !== this.index.size) problems.push(`${count} objects have ids, but ${this.index.size} boxes are filed`);
    let quarantined = 0;
    for (const record of tracker.records.values()) if (record.quarantined) quarantined++;
    if (quarantined !== this.quarantined.size)
      problems.push(`${quarantined} objects are quarantined, not ${this.quarantined.size}`);
    return problems;
  }

  clear(): void {
    this.index.clear();
    this.byId.length = 0;
    this.leaves.clear();
    this.quarantined.clear();
  }

  #addAll(records: readonly Tracked[], boxes: Float64Array): void {
    const ids = this.index.addAll(boxes);
    records.forEach((record, i) => {
      this.#setId(record, ids[i]);
    });
  }

  #setId(record: Tracked, id: number): void {
    record.id = id;
    // Filled up one by one, so that the array stays dense.
    while (this.byId.length <= id) this.byId.push(null);
    this.byId[id] = record;
    this.leaves.add(record);
  }

  /** Computes the bounds of an object into `box`; false when it can have no entry with them. */
  #measure(record: Tracked): boolean {
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

  #setQuarantined(record: Tracked, quarantined: boolean): void {
    if (record.quarantined === quarantined) return;
    record.quarantined = quarantined;
    if (quarantined) this.quarantined.add(record);
    else this.quarantined.delete(record);
  }

  #warn(record: Tracked, problem: unknown): void {
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
