import type { Claim } from './bytes/Claim.js';
import type { Handover } from './bytes/Handover.js';
import { RUNNING } from './bytes/Phase.js';
import { isAfter, NEVER, type Stamp } from './bytes/Stamp.js';
import { type Ghost, SentGhosts } from './SentGhosts.js';

/** What a region knows of another one. */
export class Peer {
  readonly region: number;
  /** Whether they exchange ghosts. */
  readonly isNeighbour: boolean;
  /** Its latest incarnation that was heard of; 0 for none. */
  incarnation = 0;
  /** RUNNING, or how far it is with coming back. */
  phase: number = RUNNING;
  /** Its last message that was taken in. */
  received: Stamp = NEVER;
  /** The one that it is told to have been kept for good: what came until then need not be sent again. */
  kept: Stamp = NEVER;
  /** The last message that it has taken in, as it said. */
  acknowledged: Stamp = NEVER;
  /** The last one that it would remember after a restart. */
  remembered: Stamp = NEVER;
  /**
   * What was given to it, oldest first: after `remembered` at least the last of each entity. What is after `acknowledged` is on
   * its way, and part of each message.
   */
  readonly handovers: Handover[] = [];
  /** How many of these, from the first, have arrived and are no longer kept as items. */
  #released = 0;
  /** How many there are when those that were replaced are dropped next. */
  #dropAt = 64;
  /** The ghosts that it was told of. */
  readonly ghostsSent: SentGhosts;
  /** What its ghosts are told in steps from, by slot. */
  readonly anchors: Map<number, Ghost> = new Map();
  /** Items of the entities that it told of last. */
  readonly ghosts: number[] = [];
  /** The tick of the own region in which ghosts came last. */
  heardAt = 0;
  isSilent = false;
  /** It is heard of, and has not confirmed for long what was said to it: whatever was given to it would stand still. */
  isDeaf = false;
  /** It has addressed this incarnation. */
  isMet = false;
  /** The message that it is to confirm next, 0 for none, and in which tick that was sent. */
  #asked = 0;
  #askedAt = 0;
  /** It waits for a message although it may be no neighbour. */
  isOwed = false;
  /** What of its claims belongs to others by now; null before it has claimed anything in this incarnation. */
  answer: Claim[] | null = null;
  /** Which round of its claims that answers. */
  answeredRound = 0;
  /** How many snapshots the own region had made when it claimed: it is answered once a later one is stored. */
  snapshotsBefore = 0;

  constructor(region: number, isNeighbour: boolean, margin: number) {
    this.region = region;
    this.isNeighbour = isNeighbour;
    this.ghostsSent = new SentGhosts(margin);
  }

  /** True while something given to it has not arrived. */
  get isWaitedFor(): boolean {
    const last = this.handovers.at(-1);
    return last !== undefined && isAfter(last.stamp, this.acknowledged);
  }

  /** Notes a message that was sent to it. */
  ask(sequence: number, tick: number): void {
    // One that is no neighbour answers only what it was given.
    if (this.#asked > 0 || !(this.isNeighbour || this.isWaitedFor)) return;
    this.#asked = sequence;
    this.#askedAt = tick;
  }

  /** Learns what it has taken in of this incarnation. */
  confirm(acknowledged: Stamp, incarnation: number): void {
    this.acknowledged = acknowledged;
    if (acknowledged.incarnation !== incarnation || acknowledged.sequence < this.#asked) return;
    this.#asked = 0;
    this.isDeaf = false;
  }

  /** A message may take as long as ghosts live, and the answer as long again. */
  age(tick: number, ghostLifetime: number): void {
    this.isDeaf = this.#asked > 0 && tick - this.#askedAt > 2 * ghostLifetime;
  }

  /** Learns of its incarnation; false for a message of one before. */
  meet(incarnation: number, phase: number): boolean {
    if (incarnation < this.incarnation) return false;
    if (incarnation > this.incarnation) {
      this.incarnation = incarnation;
      this.phase = phase;
      this.answer = null;
      this.answeredRound = 0;
      // It may have forgotten all that it was not sure to remember.
      this.acknowledged = this.remembered;
      this.ghostsSent.clear();
      this.anchors.clear();
    }
    return true;
  }

  give(handover: Handover): void {
    this.handovers.push(handover);
    if (this.handovers.length >= this.#dropAt) this.#dropReplaced();
  }

  /** The next of what was given to it that has arrived, each once; null for no more. */
  nextArrived(): Handover | null {
    const next = this.handovers[this.#released];
    if (next === undefined || isAfter(next.stamp, this.acknowledged)) return null;
    this.#released++;
    return next;
  }

  /** Where in `handovers` begins what is on its way. */
  get firstOnItsWay(): number {
    let first = this.handovers.length;
    while (first > 0 && isAfter(this.handovers[first - 1].stamp, this.acknowledged)) first--;
    return first;
  }

  /** Lets go of what it will remember after any restart. */
  forget(): void {
    let count = 0;
    while (count < this.#released && !isAfter(this.handovers[count].stamp, this.remembered)) count++;
    if (count === 0) return;
    this.handovers.splice(0, count);
    this.#released -= count;
  }

  /**
   * Drops the handovers of entities that have come back and were given once more. So those that are kept for a region that does
   * not come back are no more than twice the entities. The later one has the higher epoch, and is kept for longer.
   */
  #dropReplaced(): void {
    const { handovers } = this;
    const last = new Map(handovers.map((handover) => [handover.entity, handover]));
    let count = 0;
    for (const handover of handovers) if (last.get(handover.entity) === handover) handovers[count++] = handover;
    handovers.length = count;
    // They are gone through once more, which changes nothing.
    this.#released = 0;
    this.#dropAt = 2 * count + 64;
  }
}
