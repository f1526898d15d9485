import type { TestOptions } from '../state/url.js';

/** Longest step in seconds: after a pause of the page the world continues where it was. */
const LONGEST = 0.1;
/** Frames drawn after each request while nothing is animated. */
const ON_REQUEST = 5;

/** Decides which frames are drawn: all, or with animate=0 a few after each request. */
export class Frames {
  /** Frames drawn so far. */
  count = 0;
  /** Resolves when the first frame was drawn. */
  readonly ready: Promise<void>;
  /** Whether time passes in the world. */
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

  /** Asks for some frames, because something changed. */
  readonly request = (): void => {
    this.#wanted = ON_REQUEST;
  };

  /** Begins a frame; returns the milliseconds since the last one, 0 for the first. */
  tick(now: number): number {
    const passed = this.#last > 0 ? now - this.#last : 0;
    this.#last = now;
    return passed;
  }

  /** The step in seconds for a frame of so many milliseconds. */
  static seconds(milliseconds: number): number {
    return Math.min(LONGEST, milliseconds / 1000);
  }

  /** Whether to draw this frame. */
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
