import { ByteWriter } from './ByteWriter.js';
import { MOST_STEPS, MOST_VIEW_BYTES } from './limits.js';

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

/**
 * Writes what one client sees in one tick:
 *
 *     flags, tick, own id, own x z in steps (32 bits),
 *     counts of left, entered, moved,
 *     left:    id
 *     entered: id, kind, x z in steps from the own place (16 bits)
 *     moved:   id as the difference to the one before, x z
 *
 * All clients share one buffer: `written` holds until the next message.
 */
export class ViewWriter {
  readonly #out = new ByteWriter(MOST_VIEW_BYTES);
  readonly #places: Places;
  #x = 0;
  #z = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Begins a message. There are as many ids in each list as its count says. */
  begin(flags: number, tick: number, own: number, left: number, entered: number, moved: number): void {
    const out = this.#out;
    out.length = 0;
    out.byte(flags);
    out.count(tick);
    out.count(own);
    this.#x = this.#places.stepsX[own];
    this.#z = this.#places.stepsZ[own];
    out.int32(this.#x);
    out.int32(this.#z);
    out.count(left);
    out.count(entered);
    out.count(moved);
  }

  left({ ids, length }: Ids): void {
    for (let i = 0; i < length; i++) this.#out.count(ids[i]);
  }

  entered({ ids, length }: Ids): void {
    for (let i = 0; i < length; i++) {
      this.#out.count(ids[i]);
      this.#out.byte(this.#places.kind[ids[i]]);
      this.#place(ids[i]);
    }
  }

  moved({ ids, length }: Ids): void {
    let before = 0;
    for (let i = 0; i < length; i++) {
      this.#out.difference(ids[i] - before);
      before = ids[i];
      this.#place(before);
    }
  }

  get written(): Uint8Array {
    return this.#out.written;
  }

  #place(id: number): void {
    const { stepsX, stepsZ } = this.#places;
    this.#out.int16(within(stepsX[id] - this.#x));
    this.#out.int16(within(stepsZ[id] - this.#z));
  }
}

function within(steps: number): number {
  return steps > MOST_STEPS ? MOST_STEPS : steps < -MOST_STEPS ? -MOST_STEPS : steps;
}
