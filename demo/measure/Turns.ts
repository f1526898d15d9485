import type { Mode } from '../state/Settings.js';
import { Meter } from './Meter.js';

/** The cost of frames drawn in one way. */
export interface Cost {
  /** CPU time of a frame. */
  readonly time: Meter;
  /** What the last frame drew. */
  drawn: number;
}

/** Of several ways to draw the same picture one is used, and the others now and then, so that the cost of all is known. */
export class Turns {
  readonly costs: Readonly<Record<Mode, Cost>> = {
    index: { time: new Meter(), drawn: 0 },
    batched: { time: new Meter(), drawn: 0 },
    three: { time: new Meter(), drawn: 0 },
  };
  readonly ways: readonly Mode[];
  readonly #other: number;
  readonly #otherAtFirst: number;
  #frame = 0;
  #turn = 0;

  /**
   * @param other One of so many frames is drawn another way.
   * @param otherAtFirst One of so many until the mean of that way is reliable.
   */
  constructor(ways: readonly Mode[], other: number, otherAtFirst: number) {
    this.ways = ways;
    this.#other = other;
    this.#otherAtFirst = otherAtFirst;
  }

  /**
   * Draws a frame in a way, and now and then in another.
   * @param draw Draws in a way; returns how much was drawn.
   */
  take(mode: Mode, draw: (mode: Mode) => number): void {
    const others = this.ways.filter((way) => way !== mode);
    const unknown = others.find((way) => this.costs[way].time.isEmpty);
    const isReliable = others.every((way) => this.costs[way].time.isReliable);
    const isOthersTurn = ++this.#frame % (isReliable ? this.#other : this.#otherAtFirst) === 0;
    const other = unknown ?? others[this.#turn % others.length]!;
    if (isOthersTurn) this.#turn++;
    if (unknown !== undefined || isOthersTurn) this.#drawBy(other, draw);
    if (unknown !== undefined || !isOthersTurn) this.#drawBy(mode, draw);
  }

  /** Drops all costs, because they are about to change. */
  reset(): void {
    for (const cost of Object.values(this.costs)) {
      cost.time.reset();
      cost.drawn = 0;
    }
  }

  #drawBy(mode: Mode, draw: (mode: Mode) => number): void {
    const cost = this.costs[mode];
    cost.drawn = cost.time.time(() => draw(mode));
  }
}
