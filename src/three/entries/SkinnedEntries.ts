import type { Flags, ObjectRecord } from '../objects/ObjectRecord.js';
import type { DirtyEntries } from './DirtyEntries.js';

/**
 * Entries with skinned meshes: their bounds depend on bones anywhere, followed or not, so those that may move are
 * measured in each update. Those at rest are when a bone came, moved or was touched.
 */
export class SkinnedEntries {
  readonly #entries = new Set<ObjectRecord>();
  #haveBonesMoved = false;

  /** Takes account of an object that came, and of the entry that stands for it. */
  add(record: ObjectRecord, entry: ObjectRecord | null): void {
    if ((record.object as Flags).isSkinnedMesh && entry !== null) this.#entries.add(entry);
    this.noteMoved(record);
  }

  /** Takes account of an object that moved, or was touched. */
  noteMoved({ object }: ObjectRecord): void {
    if ((object as Flags).isBone) this.#haveBonesMoved = true;
  }

  /** Has those measured that may have other bounds than at the last call. */
  measure(dirty: DirtyEntries): void {
    for (const entry of this.#entries) if (this.#haveBonesMoved || !entry.isStatic) dirty.add(entry);
    this.#haveBonesMoved = false;
  }

  forget(record: ObjectRecord): void {
    this.#entries.delete(record);
  }

  clear(): void {
    this.#entries.clear();
  }
}
