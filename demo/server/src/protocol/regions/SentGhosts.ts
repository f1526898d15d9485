import { grow } from './checks.js';
import { NO_BYTES } from './EntityTable.js';

/** Differences are 16-bit integers. */
const MOST_STEPS = 2 ** 15 - 1;

/**
 * The length of a step in which ghosts are told, in world units: a power of two, so that 16 bits reach as far as a margin, and
 * coordinates that are multiples of a step arrive exactly.
 */
export function stepOf(margin: number): number {
  return 2 ** (Math.max(-1000, Math.floor(Math.log2(margin))) - 14);
}

/** A ghost as it is told in full. */
export interface Ghost {
  entity: number;
  epoch: number;
  readonly box: Float64Array;
  payload: Uint8Array;
}

interface Anchor extends Ghost {
  /** The item whose slot it has, or -1. */
  item: number;
  /** The first message that had it. */
  since: number;
  /** The last message that had the ghost. */
  seen: number;
}

/**
 * What one neighbour has been told of the ghosts that it sees, so that it is told differences only.
 *
 * Each ghost has a slot, and an anchor: entity, epoch, payload and box, as they were at some time. A message says for each
 * ghost how many steps it is from its anchor. Anchors are part of each message until the neighbour has confirmed one that had
 * them; so whatever message it takes in, it knows all anchors that this one counts from, and lost messages do no harm. What
 * cannot be told in steps, such as another payload, is a new anchor.
 */
export class SentGhosts {
  /** The ghosts of the message: the slot of each. */
  slots: Uint32Array = new Uint32Array(64);
  /** Three numbers for each of these. */
  steps: Int16Array = new Int16Array(3 * 64);
  /** How many ghosts the message has. */
  length = 0;
  /** The slots whose anchors are part of the message. */
  readonly unconfirmed: number[] = [];
  readonly #step: number;
  readonly #anchors: Anchor[] = [];
  readonly #free: number[] = [];
  /** By item: its slot and 1, or 0. */
  #slotOf = new Uint32Array(64);
  #message = 0;
  #confirmed = 0;

  constructor(margin: number) {
    this.#step = stepOf(margin);
  }

  anchor(slot: number): Ghost {
    return this.#anchors[slot];
  }

  /**
   * Begins a message.
   * @param message Its number, greater than those before.
   * @param confirmed The number of the last message that the neighbour has taken in.
   */
  begin(message: number, confirmed: number): void {
    this.#message = message;
    this.#confirmed = confirmed;
    this.length = 0;
    this.unconfirmed.length = 0;
  }

  /** Adds a ghost to the message. */
  add(item: number, entity: number, epoch: number, box: Float64Array, payload: Uint8Array): void {
    const at = this.length++;
    if (at === this.slots.length) {
      this.slots = grow(this.slots, at + 1);
      this.steps = grow(this.steps, 3 * this.slots.length);
    }
    const slot = this.#slotFor(item);
    const anchor = this.#anchors[slot];
    anchor.seen = this.#message;
    const isKnown = anchor.entity === entity && anchor.epoch === epoch && anchor.payload === payload;
    if (!(isKnown && this.#count(anchor.box, box, 3 * at))) {
      anchor.entity = entity;
      anchor.epoch = epoch;
      anchor.payload = payload;
      anchor.box.set(box);
      anchor.since = this.#message;
      this.steps.fill(0, 3 * at, 3 * at + 3);
    }
    this.slots[at] = slot;
    if (anchor.since > this.#confirmed) this.unconfirmed.push(slot);
  }

  /** Ends the message: slots of what is no longer seen are free. */
  end(): void {
    this.#anchors.forEach((anchor, slot) => {
      if (anchor.item < 0 || anchor.seen === this.#message) return;
      this.#slotOf[anchor.item] = 0;
      anchor.item = -1;
      this.#free.push(slot);
    });
  }

  /** Forgets all, as the neighbour has. */
  clear(): void {
    this.#anchors.length = this.#free.length = 0;
    this.#slotOf.fill(0);
  }

  #slotFor(item: number): number {
    if (item >= this.#slotOf.length) this.#slotOf = grow(this.#slotOf, item + 1);
    if (this.#slotOf[item] > 0) return this.#slotOf[item] - 1;
    const slot = this.#free.pop() ?? this.#anchors.length;
    // No entity has a negative id.
    const none = { entity: -1, epoch: 0, payload: NO_BYTES, since: 0, seen: 0 };
    this.#anchors[slot] = { ...none, item, box: this.#anchors[slot]?.box ?? new Float64Array(6) };
    this.#slotOf[item] = slot + 1;
    return slot;
  }

  /** Counts the steps from one box to another; false where steps cannot tell it. */
  #count(from: Float64Array, to: Float64Array, at: number): boolean {
    for (let c = 0; c < 3; c++) {
      const growth = to[c + 3] - to[c] - (from[c + 3] - from[c]);
      const steps = Math.round((to[c] - from[c]) / this.#step);
      if (!(Math.abs(growth) <= this.#step / 2 && Math.abs(steps) <= MOST_STEPS)) return false;
      this.steps[at + c] = steps;
    }
    return true;
  }
}
