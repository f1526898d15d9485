import type { TestOptions } from '../state/url.js';

/** Seconds between two frames are at most so many: after a nap the world goes on where it was. */
const LONGEST = 0.1;
/** Frames drawn after each request while nothing is animated. */
const ON_REQUEST = 5;

/** When frames are drawn, and how much time passes: all the time, or (animate=0) some frames after each request. */
export class Frames {
  /** Frames drawn so far. */
  count = 0;
  /** Resolves when the first frame was drawn. */
  readonly ready: Promise<void>;
  /** Time passes in the world. */
  readonly timeRuns: boolean;
  readonly #animate: boolean;
  #wanted = 0;
  #last = 0;
  #resolveReady!: () => void;

  constructor({ animate, time }: TestOptions) {
    this.#animate = animate;
    this.timeRuns = animate && time === null;
    this.ready = new Promise((resolve) => {
      this.#resolveReady = resolve;
    });
  }

  /** Something changed: a frame is wanted. */
  readonly request = (): void => {
    this.#wanted = ON_REQUEST;
  };

  /** Begins a frame; returns the milliseconds since the last one, 0 for the first. */
  tick(now: number): number {
    const passed = this.#last > 0 ? now - this.#last : 0;
    this.#last = now;
    return passed;
  }

  /** Seconds of the world for so many milliseconds. */
  static seconds(milliseconds: number): number {
    return Math.min(LONGEST, milliseconds / 1000);
  }

  /** Whether this frame is to be drawn. */
  shouldDraw(): boolean {
    return this.#animate || this.#wanted-- > 0;
  }

  countFrame(): void {
    this.count++;
    this.#resolveReady();
  }

  /** True once in so many milliseconds, and for every frame on request. */
  every(milliseconds: number): (now: number) => boolean {
    let last = 0;
    return (now) => {
      if (now - last <= milliseconds && this.#animate) return false;
      last = now;
      return true;
    };
  }
}
