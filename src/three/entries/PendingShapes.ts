import type { ObjectRecord } from '../objects/ObjectRecord.js';

/** Rounds without a change after which an entry is measured. */
const PATIENCE = 8;

/**
 * Entries whose shape changed since they were measured. They are measured when a query asks for bounds, or once they
 * have been left alone for some rounds. So a shape that changes in each frame costs nothing as long as only renderers
 * and raycasters ask, who test each of these by what three knows of it.
 */
export class PendingShapes {
  /** Each with the round of its last change. */
  readonly #changedIn = new Map<ObjectRecord, number>();
  #round = 0;
  /** Number of all entries that have been added: it grows when the index ceases to be what a query would find. */
  added = 0;

  get size(): number {
    return this.#changedIn.size;
  }

  has(entry: ObjectRecord): boolean {
    return this.#changedIn.has(entry);
  }

  keys(): Iterable<ObjectRecord> {
    return this.#changedIn.keys();
  }

  /** Notes that the shape of an entry changed in this round. */
  add(entry: ObjectRecord): void {
    if (!this.#changedIn.has(entry)) this.added++;
    this.#changedIn.set(entry, this.#round);
  }

  remove(entry: ObjectRecord): void {
    this.#changedIn.delete(entry);
  }

  /** Ends a round, and has each entry measured, and so removed, that has not changed for some rounds. */
  endRound(entries: { refresh(entry: ObjectRecord): void }): void {
    this.#round++;
    if (this.#changedIn.size === 0) return;
    for (const [entry, round] of this.#changedIn) {
      // Nobody needs the bounds of what is never culled, unless a query asks.
      if (this.#round - round >= PATIENCE && entry.frustumCulled) entries.refresh(entry);
    }
  }

  clear(): void {
    this.#changedIn.clear();
  }
}
