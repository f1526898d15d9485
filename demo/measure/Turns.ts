import type { Mode } from '../state/Settings.js';
import { Meter } from './Meter.js';

/** The cost of frames drawn in one way. */
export interface Cost {
  /** CPU time of a frame. */
  readonly time: Meter;
  /** What the last frame drew. */
  drawn: number;
}

/** Of two ways to draw the same picture one is used, and the other now and then, so that the cost of both is known. */
export class Turns {
  readonly costs: Readonly<Record<Mode, Cost>> = {
    index: { time: new Meter(), drawn: 0 },
    three: { time: new Meter(), drawn: 0 },
  };
  readonly #other: number;
  readonly #otherAtFirst: number;
  #frame = 0;

  /**
   * @param other One of so many frames is drawn the other way.
   * @param otherAtFirst One of so many until the mean of that way is reliable.
   */
  constructor(other: number, otherAtFirst: number) {
    this.#other = other;
    this.#otherAtFirst = otherAtFirst;
  }

  /**
   * Draws a frame in a way, and now and then in the other.
   * @param draw Draws in a way; returns how much was drawn.
   */
  take(mode: Mode, draw: (mode: Mode) => number): void {
    const other = mode === 'index' ? 'three' : 'index';
    const { isEmpty: isUnknown, isReliable } = this.costs[other].time;
    const isOthersTurn = ++this.#frame % (isReliable ? this.#other : this.#otherAtFirst) === 0;
    if (isUnknown || isOthersTurn) this.#drawBy(other, draw);
    if (isUnknown || !isOthersTurn) this.#drawBy(mode, draw);
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
