/** The parts of a tick, in their order. */
export const PARTS = ['move', 'interest', 'cards', 'encode', 'send'] as const;
export type Part = (typeof PARTS)[number];

/** What ticks took since the last `take`. */
export interface Times {
  ticks: number;
  /** Mean milliseconds of each part. */
  means: Record<Part, number>;
  /** Milliseconds of all parts: mean, and the slowest tick. */
  mean: number;
  slowest: number;
}

/** A clock of the parts of ticks. */
export class TickTimes {
  readonly #sums = new Float64Array(PARTS.length);
  #ticks = 0;
  #slowest = 0;
  #now = 0;
  #tick = 0;

  begin(): void {
    this.#now = performance.now();
    this.#tick = 0;
  }

  /** The part that ends now; a part may come several times in a tick. */
  end(part: Part): void {
    const now = performance.now();
    this.#sums[PARTS.indexOf(part)] += now - this.#now;
    this.#tick += now - this.#now;
    this.#now = now;
  }

  close(): void {
    this.#ticks++;
    this.#slowest = Math.max(this.#slowest, this.#tick);
  }

  /** Means, and a new beginning. */
  take(): Times {
    const ticks = Math.max(1, this.#ticks);
    const means = Object.fromEntries(PARTS.map((part, i) => [part, this.#sums[i] / ticks])) as Record<Part, number>;
    const times = {
      ticks: this.#ticks,
      means,
      mean: this.#sums.reduce((a, b) => a + b) / ticks,
      slowest: this.#slowest,
    };
    this.#sums.fill(0);
    this.#ticks = this.#slowest = 0;
    return times;
  }
}
