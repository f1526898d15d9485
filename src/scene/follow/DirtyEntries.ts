import type { Flags } from '../../three/kinds.js';
import { BONE, type ObjectRecord, REMEASURE, SKINNED } from '../objects/ObjectRecord.js';
import { type Entries, MeasuredEntries } from './Entries.js';
import type { Todo } from './Todo.js';

/**
 * Entries whose bounds may have changed since they were measured.
 *
 * The bounds of skinned meshes depend on bones anywhere, followed or not. So skinned meshes that may move are measured
 * in each update, static ones when a bone came, moved or was touched.
 */
export class DirtyEntries {
  readonly #entries: Entries;
  readonly #todo: Todo;
  readonly #watched: Set<ObjectRecord>;
  /** The list of moved entries; null while {@link measure} uses the list. */
  #moved: MeasuredEntries | null = null;
  /** `Entries.removals` at the end of the last {@link measure}, when the list held no removed entry. */
  #removals = 0;
  #haveBonesMoved = false;
  /** Whether there have been entries with skinned meshes. */
  #hasSkinned = false;

  /** @param watched Gets the entries with skinned meshes. */
  constructor(entries: Entries, todo: Todo, watched: Set<ObjectRecord>) {
    this.#entries = entries;
    this.#todo = todo;
    this.#watched = watched;
  }

  /** Adds an entry; postponed ones are measured when a query asks for them. */
  add(record: ObjectRecord): void {
    if (!this.#entries.postponed.has(record)) this.#todo.add(record, REMEASURE);
  }

  /** Notes a new object that is a skinned mesh or a bone. `entry` is the record whose entry stands for the object. */
  addNew(record: ObjectRecord, entry: ObjectRecord | null): void {
    if ((record.object as Flags).isSkinnedMesh && entry !== null) {
      entry.bits |= SKINNED;
      this.#hasSkinned = true;
      this.#watched.add(entry);
    }
    this.boneMayHaveMoved(record);
  }

  /** Notes an object that moved or was touched. */
  boneMayHaveMoved(record: ObjectRecord): void {
    if (record.has(BONE)) this.#haveBonesMoved = true;
  }

  /** Measures now an entry with another world matrix and the same shape, unless it is to be measured later anyway. */
  follow(record: ObjectRecord): void {
    if (record.has(REMEASURE)) return;
    const { postponed } = this.#entries;
    if (postponed.size > 0 && postponed.has(record)) return;
    this.#moved ??= new MeasuredEntries();
    this.#entries.follow(record, this.#moved);
  }

  /**
   * Measures all entries on the list, and moves them in the index.
   * @param hasChanged Whether the matrix of an entry has changed since {@link follow}; null when no matrix can have.
   */
  measure(hasChanged: ((record: ObjectRecord) => boolean) | null): void {
    if (this.#hasSkinned) {
      for (const entry of this.#watched) {
        if (entry.has(SKINNED) && (this.#haveBonesMoved || !entry.isStatic)) this.add(entry);
      }
    }
    this.#haveBonesMoved = false;
    // Measuring runs getters of objects, which may start another update.
    const moved = this.#moved ?? new MeasuredEntries();
    this.#moved = null;
    if (hasChanged !== null) {
      for (let i = 0; i < moved.count; i++) {
        const record = moved.records[i] as ObjectRecord;
        // An entry without an id was removed meanwhile.
        if (record.id < 0 || !hasChanged(record)) continue;
        this.add(record);
        moved.records[i] = null;
      }
    }
    try {
      this.#todo.each(REMEASURE, (record) => this.#entries.refresh(record, moved));
    } finally {
      if (hasChanged !== null || this.#entries.removals !== this.#removals) moved.sift();
      this.#removals = this.#entries.removals;
      moved.flush(this.#entries.measured);
      this.#moved = moved;
    }
  }
}
