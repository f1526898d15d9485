import { ANNOUNCING, CLAIMING } from './Peer.js';
import type { RegionMessage } from './RegionMessage.js';

/** How far a region that was restored is with learning which of its entities are its own. */
export class Recovery {
  phase: number = ANNOUNCING;
  /** The regions that have not answered yet. */
  readonly waiting: Set<number>;
  /** Entities that others know of, with the highest epoch of each. */
  readonly known: Map<number, number> = new Map();
  readonly #others: readonly number[];

  constructor(others: readonly number[]) {
    this.#others = others;
    this.waiting = new Set(others);
  }

  /** Takes in what a message says that was meant for this incarnation; true once all have answered. */
  hear(message: RegionMessage): boolean {
    for (const { entity, epoch } of message.answers) {
      this.known.set(entity, Math.max(epoch, this.known.get(entity) ?? 0));
    }
    if (this.phase === ANNOUNCING || message.hasAnswer) this.waiting.delete(message.from);
    if (this.waiting.size > 0) return false;
    if (this.phase === CLAIMING) return true;
    this.phase = CLAIMING;
    for (const region of this.#others) this.waiting.add(region);
    return false;
  }
}
