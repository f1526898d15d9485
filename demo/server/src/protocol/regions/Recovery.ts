import { ANNOUNCING, CLAIMING } from './bytes/Phase.js';
import type { RegionMessage } from './RegionMessage.js';

/*
 * A region B that is restored has forgotten what came after its snapshot: entities that it got are missing, entities that it
 * gave away seem to be its own, and messages that it sent may still be under way.
 *
 * Nothing is lost. A giver keeps each handover until the receiver says that a stored snapshot has it (`remembered`), and sends
 * it once more to an incarnation that has forgotten it. B gives up an entity only for an owner, or a kept handover, of a higher
 * epoch which is in a stored snapshot itself: a region answers no earlier (`answerFor`). So there is always a stored snapshot
 * with the entity from which kept handovers lead to where it is, one to the next.
 *
 * Nothing is doubled. First B announces itself, until each region has addressed its new incarnation. From then on
 * - none takes in anything more that B sent in its former life, and what it did take in it knows of. If it is restored later,
 *   it takes in none of that either, as that is for an incarnation which has ended;
 * - B has again what it had been given and forgotten, as that was part of the first message which addressed it;
 * - none lets go of kept handovers (`isHolding`).
 * Then B claims all of its entities, and each region answers which of these it owns, or has given away, in a higher epoch. One
 * that announces itself does not answer yet. B begins again, and asks all, when it meets a new incarnation of some region, and
 * when it hears that one has announced itself. So in the round that ends with all answers
 * - all who answer live from its begin until they do;
 * - nothing is taken in any more that was sent in a former life of any of them: all had addressed their present one by then.
 * Let P be where the highest epoch of an entity was when that round began. P owns it when it answers, or has given it away since
 * and kept the handover: either way it answers with a higher epoch than B's, unless that is B's own.
 *
 * Meanwhile nobody gives B anything new, and B gives away nothing. Those who are restored at the same time answer each other in
 * the same way: what has the highest epoch is nowhere given up.
 *
 * With a log of what was given away since the snapshot (see regionLog) it asks its neighbours only, as a second line of defence
 * against a store that has lost its last seconds: of what the log has, nothing is claimed.
 *
 * What is promised needs snapshots that are stored in the order in which they were made, each restart to begin with the last
 * that `stored` was called for or a later one, and incarnations that grow. Not promised: what was added since the snapshot and
 * not given away is lost, and what was removed since comes back; boxes and payloads are as old as the snapshot, or as the
 * handover that brought them.
 */

/** How far a region that was restored is with learning which of its entities are its own. */
export class Recovery {
  phase: number = ANNOUNCING;
  /** Each time it claims its entities is one, from 1; answers name theirs. */
  round = 0;
  /** The regions that have not addressed it yet, or not answered. */
  readonly waiting: Set<number>;
  /** Entities that others know of, with the highest epoch of each. */
  readonly known: Map<number, number> = new Map();
  readonly #others: readonly number[];

  constructor(others: readonly number[]) {
    this.#others = others;
    this.waiting = new Set(others);
  }

  /** Asks all again: what one of them knew may have gone to one that had answered already. */
  beginAgain(): void {
    if (this.phase === CLAIMING) this.#claim();
  }

  /** Takes in what a message says that was meant for this incarnation; true once all have answered. */
  hear(message: RegionMessage): boolean {
    for (const { entity, epoch } of message.answers) {
      this.known.set(entity, Math.max(epoch, this.known.get(entity) ?? 0));
    }
    if (this.phase === ANNOUNCING || message.answeredRound === this.round) this.waiting.delete(message.from);
    if (this.waiting.size > 0) return false;
    if (this.phase === CLAIMING) return true;
    this.#claim();
    return false;
  }

  #claim(): void {
    this.phase = CLAIMING;
    this.round++;
    for (const region of this.#others) this.waiting.add(region);
  }
}
