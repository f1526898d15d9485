import { copyBox } from '../../core/box.js';
import type { SpatialIndex } from '../../structures/contract/SpatialIndex.js';
import { transformBox } from '../bounds/transformBox.js';
import { worldBounds } from '../bounds/worldBounds.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import { claimIndex, releaseIndex } from './claimIndex.js';
import { EntriesById } from './EntriesById.js';
import type { MovedEntries } from './MovedEntries.js';
import { noteShape } from './noteShape.js';
import { PendingShapes } from './PendingShapes.js';
import { plainShape } from './plainShape.js';
import { Quarantine } from './Quarantine.js';

/**
 * The entries of a scene in a core index: which object has which id. An object with empty bounds has no entry, and one
 * with bounds that are not numbers is in quarantine.
 */
export class Entries {
  /** The core index as it is: entries that are {@link pending} have the bounds of before. */
  measured: SpatialIndex;
  readonly byId: EntriesById = new EntriesById();
  /** Entries that have not been measured since their shape changed. */
  readonly pending: PendingShapes = new PendingShapes();
  /** The largest finite coordinate that any bounds have had. */
  farthest = 0;
  readonly #quarantine = new Quarantine();
  /** Sum of the versions of the indices that were replaced. */
  #replaced = 0;

  /** @throws when the index cannot be had; see `claimIndex`. */
  constructor(index: SpatialIndex) {
    this.measured = claimIndex(index, 'SceneIndex.index');
  }

  /** The core index with all bounds up to date. Another one after {@link moveTo}. */
  get index(): SpatialIndex {
    this.settle();
    return this.measured;
  }

  /** Objects kept out because their bounds are not numbers. */
  get quarantined(): ReadonlySet<ObjectRecord> {
    return this.#quarantine.records;
  }

  /** Changes with every change of the index; equal versions mean equal contents. */
  get version(): number {
    return this.measured.version + this.#replaced + this.pending.added;
  }

  /**
   * Moves all entries to another index, and gives the present one back.
   * @throws with everything as it was when that index cannot be had.
   */
  moveTo(next: SpatialIndex): void {
    claimIndex(next, 'SceneIndex.setIndex');
    const { index } = this;
    const records = this.byId.records.filter((record) => record !== null);
    const boxes = new Float64Array(6 * records.length);
    records.forEach((record, i) => {
      boxes.set(index.getBox(record.id, box), 6 * i);
    });
    this.#replaced += index.version + 1;
    releaseIndex(index);
    this.measured = next;
    this.byId.clear();
    this.#addBoxes(records, boxes);
  }

  /** Makes entries for objects that are new to the index. */
  addAll(records: readonly ObjectRecord[]): void {
    const valid: ObjectRecord[] = [];
    const boxes = new Float64Array(6 * records.length);
    for (const record of records) {
      if (record.id >= 0) this.refresh(record);
      else if (this.#measure(record)) {
        copyBox(box, 0, boxes, 6 * valid.length);
        valid.push(record);
      }
    }
    this.#addBoxes(valid, boxes.subarray(0, 6 * valid.length));
  }

  /** Measures an object again. Given a list, the index is to be told by that if an entry has moved. */
  refresh(record: ObjectRecord, moved: MovedEntries | null = null): void {
    this.pending.remove(record);
    if (!this.#measure(record)) {
      this.remove(record);
    } else if (record.id < 0) {
      this.#setId(record, this.measured.add(box));
    } else if (!isSame(this.measured.getBox(record.id, before), box)) {
      if (moved === null) this.measured.update(record.id, box);
      else moved.add(record, box);
    }
  }

  /** Measures an entry whose world matrix has changed and whose shape has not. */
  follow(record: ObjectRecord, moved: MovedEntries): void {
    const { shape, object } = record;
    if (shape === null || shape.revision !== record.shapeRevision || record.id < 0) {
      this.refresh(record, moved);
      return;
    }
    transformBox(shape.box, object.matrixWorld, box);
    if (isMeasured(box)) {
      this.#reach(box);
      moved.add(record, box);
    } else this.refresh(record, moved);
  }

  /** Measures what is pending. */
  settle(): void {
    if (this.pending.size > 0) for (const record of this.pending.keys()) this.refresh(record);
  }

  /** Ends a round of updates: measures what has been pending for long enough. */
  endRound(): void {
    this.pending.endRound(this);
  }

  /** Takes the entry of an object out. */
  remove(record: ObjectRecord): void {
    if (record.id < 0) return;
    this.measured.remove(record.id);
    this.byId.remove(record.id);
    record.id = -1;
  }

  /** Lets go of an object that is followed no longer. */
  forget(record: ObjectRecord): void {
    this.pending.remove(record);
    this.remove(record);
    this.#quarantine.remove(record);
  }

  /** Lets go of all objects, and gives the index back, empty. */
  dispose(): void {
    this.pending.clear();
    releaseIndex(this.measured);
    this.byId.clear();
    this.#quarantine.records.clear();
  }

  #addBoxes(records: readonly ObjectRecord[], boxes: Float64Array): void {
    const ids = this.measured.addAll(boxes);
    records.forEach((record, i) => {
      this.#setId(record, ids[i]);
    });
  }

  #setId(record: ObjectRecord, id: number): void {
    record.id = id;
    this.byId.add(record);
  }

  /**
   * Computes the bounds of an object into `box`; false when it can have no entry with them.
   *
   * Errors of an object's own getters and methods are reported here, by a warning: a broken object must not end the
   * frame loop. Everything else that reads geometries swallows them.
   */
  #measure(record: ObjectRecord): boolean {
    let problem: unknown = null;
    try {
      noteShape(record);
      worldBounds(record.object, box);
    } catch (error) {
      problem = error;
      box.fill(Number.NaN);
    }
    if (hasNaN(box)) this.#quarantine.add(record, problem);
    else this.#quarantine.remove(record);
    record.shape = problem === null ? plainShape(record) : null;
    if (!isMeasured(box)) return false;
    this.#reach(box);
    return true;
  }

  #reach(b: Float64Array): void {
    for (let side = 0; side < 6; side++) {
      const distance = Math.abs(b[side]);
      if (distance > this.farthest && distance < Number.POSITIVE_INFINITY) this.farthest = distance;
    }
  }
}

/** True for a box that is not empty, and has no side that is not a number. */
function isMeasured(b: Float64Array): boolean {
  return b[0] <= b[3] && b[1] <= b[4] && b[2] <= b[5];
}

/** Written out, as these two are asked of every object that moved. */
function isSame(a: Float64Array, b: Float64Array): boolean {
  return a[0] === b[0] && a[1] === b[1] && a[2] === b[2] && a[3] === b[3] && a[4] === b[4] && a[5] === b[5];
}

function hasNaN(b: Float64Array): boolean {
  // Sums of opposite infinities are NaN as well.
  return Number.isNaN(b[0] + b[1] + b[2]) || Number.isNaN(b[3] + b[4] + b[5]) ? b.some(Number.isNaN) : false;
}

const box = new Float64Array(6);
const before = new Float64Array(6);
