import { MOST_SHORT_ID, MOST_VIEW_BYTES } from './limits.js';

/** What the writer reads of entities, by id. */
export interface Places {
  /** Coordinates in steps of the wire. */
  readonly stepsX: Int32Array;
  readonly stepsZ: Int32Array;
  readonly kind: Uint8Array;
}

/** Some ids; an `IdList`. */
export interface Ids {
  readonly ids: Int32Array;
  readonly length: number;
}

/** The flag of a message whose reader is to forget what it knew. */
export const ALL = 1;
/** The flag of one whose ids have 32 bits. */
export const WIDE = 2;

/**
 * Writes what one client sees in one tick, in words of 16 bits, little-endian:
 *
 *     flags, tick (2), own id (2), own x z in steps (2 each),
 *     counts of left, entered, moved,
 *     left:    id
 *     entered: id, kind, x z
 *     moved:   id, x z
 *
 * Places are the low words of steps: the same for all who see an entity, so nothing is computed for each of them. All that is in
 * view is within half their range, so the reader knows the high words by its own place. Ids have a word, with `WIDE` two.
 *
 * All clients share one buffer: `written` holds until the next message.
 */
export class ViewWriter {
  readonly #bytes = new Uint8Array(MOST_VIEW_BYTES);
  readonly #words = new Uint16Array(this.#bytes.buffer);
  readonly #places: Places;
  #isWide = false;
  #at = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Begins a message. There are as many ids in the first two lists as their counts say. */
  begin(flags: number, tick: number, own: number, left: number, entered: number): void {
    const { stepsX, stepsZ } = this.#places;
    this.#isWide = stepsX.length > MOST_SHORT_ID + 1;
    this.#at = 0;
    this.#word(this.#isWide ? flags | WIDE : flags);
    this.#long(tick);
    this.#long(own);
    this.#long(stepsX[own]);
    this.#long(stepsZ[own]);
    this.#word(left);
    this.#word(entered);
    this.#word(0);
  }

  left({ ids, length }: Ids): void {
    for (let i = 0; i < length; i++) this.#id(ids[i]);
  }

  entered({ ids, length }: Ids): void {
    const { stepsX, stepsZ, kind } = this.#places;
    for (let i = 0; i < length; i++) {
      this.#id(ids[i]);
      this.#word(kind[ids[i]]);
      this.#word(stepsX[ids[i]]);
      this.#word(stepsZ[ids[i]]);
    }
  }

  /**
   * Those that have moved since a tick, but for some; these come last.
   * @param except 1 for an id that is left out.
   */
  moved({ ids, length }: Ids, movedAt: Int32Array, since: number, except: Uint8Array): void {
    const { stepsX, stepsZ } = this.#places;
    const words = this.#words;
    const isWide = this.#isWide;
    let at = this.#at;
    let count = 0;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      if (movedAt[id] < since || except[id] === 1) continue;
      words[at++] = id;
      if (isWide) words[at++] = id >>> 16;
      words[at++] = stepsX[id];
      words[at++] = stepsZ[id];
      count++;
    }
    this.#at = at;
    words[MOVED_AT] = count;
  }

  get written(): Uint8Array {
    return this.#bytes.subarray(0, 2 * this.#at);
  }

  #id(id: number): void {
    this.#words[this.#at++] = id;
    if (this.#isWide) this.#words[this.#at++] = id >>> 16;
  }

  /** Of a number its lowest 16 bits. */
  #word(value: number): void {
    this.#words[this.#at++] = value;
  }

  #long(value: number): void {
    this.#words[this.#at++] = value;
    this.#words[this.#at++] = value >>> 16;
  }
}

/** Where the count of what has moved is, in words. */
const MOVED_AT = 11;
