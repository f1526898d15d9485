import type { Mode } from '../state/Settings.js';
import { Meter } from './Meter.js';

/** The cost of frames drawn in one way. */
export interface Cost {
  /** CPU time of a frame. */
  readonly time: Meter;
  /** What the last frame drew. */
  drawn: number;
}

/** So many frames in a row are drawn in one way. */
const BLOCK = 8;
/** So many of these are not measured: caches hold what the way before needed, and batches come together. */
const SETTLING = 4;

/**
 * Of several ways to draw the same picture one is used, and the others now and then, so that the cost of all is known. Each has
 * its turn for some frames in a row, as single frames of another way cost more than they would by themselves.
 */
export class Turns {
  readonly costs: Readonly<Record<Mode, Cost>> = {
    index: { time: new Meter(), drawn: 0 },
    batched: { time: new Meter(), drawn: 0 },
    three: { time: new Meter(), drawn: 0 },
  };
  readonly ways: readonly Mode[];
  readonly #other: number;
  readonly #otherAtFirst: number;
  readonly #known = new Set<Mode>();
  /** The way that is asked for, the way whose turn it is, and how many frames of its turn there were. */
  #mode: Mode | null = null;
  #way: Mode | null = null;
  #frames = 0;
  #turns = 0;

  /**
   * @param other One of so many turns is another way's.
   * @param otherAtFirst One of so many until the mean of that way is reliable.
   */
  constructor(ways: readonly Mode[], other: number, otherAtFirst: number) {
    this.ways = ways;
    this.#other = other;
    this.#otherAtFirst = otherAtFirst;
  }

  /**
   * Draws a frame in a way, or in the way whose turn it is.
   * @param draw Draws in a way; returns how much was drawn.
   */
  take(mode: Mode, draw: (mode: Mode) => number): void {
    const others = this.ways.filter((way) => way !== mode);
    // What others draw is known from the first frame on.
    for (const way of others) if (!this.#known.has(way)) this.#drawBy(way, draw, false);
    if (mode !== this.#mode || this.#frames === BLOCK) this.#begin(mode, others);
    this.#drawBy(this.#way ?? mode, draw, this.#frames >= SETTLING);
    this.#frames++;
  }

  /** Drops all costs, because they are about to change. */
  reset(): void {
    this.#known.clear();
    this.#mode = null;
    for (const cost of Object.values(this.costs)) {
      cost.time.reset();
      cost.drawn = 0;
    }
  }

  /** Begins a turn: the first of a mode is its own. */
  #begin(mode: Mode, others: readonly Mode[]): void {
    const unsure = others.find((way) => !this.costs[way].time.isReliable);
    const isOthers = mode === this.#mode && ++this.#turns % (unsure ? this.#otherAtFirst : this.#other) === 0;
    this.#way = isOthers ? (unsure ?? others[(this.#turns / this.#other) % others.length]!) : mode;
    this.#mode = mode;
    this.#frames = 0;
  }

  #drawBy(mode: Mode, draw: (mode: Mode) => number, isMeasured: boolean): void {
    const { time } = this.costs[mode];
    const start = performance.now();
    this.costs[mode].drawn = draw(mode);
    if (isMeasured) time.add(performance.now() - start);
    this.#known.add(mode);
  }
}
