import { ANNOUNCING, CLAIMING } from './Peer.js';
import type { RegionMessage } from './RegionMessage.js';

/** How far a region that was restored is with learning which of its entities are its own. */
export class Recovery {
  phase: number = ANNOUNCING;
  /** Each time it claims its entities is one; answers name theirs. */
  round = 1;
  /** The regions that have not answered yet. */
  readonly waiting: Set<number>;
  /** Entities that others know of, with the highest epoch of each. */
  readonly known: Map<number, number> = new Map();
  readonly #others: readonly number[];

  constructor(others: readonly number[]) {
    this.#others = others;
    this.waiting = new Set(others);
  }

  /** Another region was restarted as well: what it knew may have gone to one that has answered already. All are asked again. */
  beginAgain(): void {
    if (this.phase === ANNOUNCING) return;
    this.round++;
    this.#enter(ANNOUNCING);
  }

  /** Takes in what a message says that was meant for this incarnation; true once all have answered. */
  hear(message: RegionMessage): boolean {
    for (const { entity, epoch } of message.answers) {
      this.known.set(entity, Math.max(epoch, this.known.get(entity) ?? 0));
    }
    if (this.phase === ANNOUNCING || message.answeredRound === this.round) this.waiting.delete(message.from);
    if (this.waiting.size > 0) return false;
    if (this.phase === CLAIMING) return true;
    this.#enter(CLAIMING);
    return false;
  }

  #enter(phase: number): void {
    this.phase = phase;
    for (const region of this.#others) this.waiting.add(region);
  }
}
