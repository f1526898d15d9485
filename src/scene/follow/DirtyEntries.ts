import type { Flags, ObjectRecord } from '../objects/ObjectRecord.js';
import { type Entries, MovedEntries } from './Entries.js';

/**
 * Entries whose bounds may have changed since they were measured, each once.
 *
 * The bounds of skinned meshes depend on bones anywhere, followed or not, so those that may move are measured in each
 * update; those at rest are when a bone came, moved or was touched.
 */
export class DirtyEntries {
  readonly #entries: Entries;
  readonly #dirty = new Set<ObjectRecord>();
  /** Null while it is in use. */
  #moved: MovedEntries | null = null;
  /** Entries with skinned meshes. */
  readonly #skinned = new Set<ObjectRecord>();
  #haveBonesMoved = false;

  constructor(entries: Entries) {
    this.#entries = entries;
  }

  /** Adds an entry, unless its bounds are pending: then they are measured when they are asked for. */
  add(record: ObjectRecord): void {
    if (!this.#entries.pending.has(record)) this.#dirty.add(record);
  }

  forget(record: ObjectRecord): void {
    this.#dirty.delete(record);
    this.#skinned.delete(record);
  }

  /** Takes account of an object that came, and of the entry that stands for it. */
  addNew(record: ObjectRecord, entry: ObjectRecord | null): void {
    if ((record.object as Flags).isSkinnedMesh && entry !== null) this.#skinned.add(entry);
    this.noteMoved(record);
  }

  /** Takes account of an object that moved, or was touched. */
  noteMoved({ object }: ObjectRecord): void {
    if ((object as Flags).isBone) this.#haveBonesMoved = true;
  }

  /** Measures an entry at once, whose world matrix has changed and whose shape has not. */
  follow(record: ObjectRecord): void {
    if (this.#dirty.has(record) || this.#entries.pending.has(record)) return;
    this.#moved ??= new MovedEntries();
    this.#entries.follow(record, this.#moved);
  }

  /**
   * Measures all of them, and tells the index what has moved.
   * @param hasChanged Of what was measured at once, whether its matrix has changed since; null where none can have.
   */
  measure(hasChanged: ((record: ObjectRecord) => boolean) | null): void {
    for (const entry of this.#skinned) if (this.#haveBonesMoved || !entry.isStatic) this.add(entry);
    this.#haveBonesMoved = false;
    // Measuring runs getters of objects, which may begin another update.
    const moved = this.#moved ?? new MovedEntries();
    this.#moved = null;
    if (hasChanged !== null) {
      for (let i = 0; i < moved.count; i++) {
        const record = moved.records[i] as ObjectRecord;
        // Without an id an entry has gone meanwhile.
        if (record.id < 0 || !hasChanged(record)) continue;
        this.add(record);
        moved.records[i] = null;
      }
    }
    try {
      for (const record of this.#dirty) {
        this.#entries.refresh(record, moved);
        // Deleted last, so that the next update goes on here after an exception.
        this.#dirty.delete(record);
      }
    } finally {
      moved.flush(this.#entries.measured);
      this.#moved = moved;
    }
  }

  clear(): void {
    this.#dirty.clear();
    this.#skinned.clear();
  }
}
