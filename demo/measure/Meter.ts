/** Browsers round their clocks to 0.1 ms or so: only a mean over many frames says something about less. */
const SAMPLES = 40;
/** The first calls are the engine's: it has not compiled them yet. */
const WARM_UP = 2;

/** Times something, and knows the mean of the last times. */
export class Meter {
  readonly #values: number[] = [];
  #next = 0;
  #skip = WARM_UP;

  time<T>(job: () => T): T {
    const start = performance.now();
    const result = job();
    this.add(performance.now() - start);
    return result;
  }

  /** Whether a mean is still to come. */
  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  add(value: number): void {
    if (this.#skip > 0) {
      this.#skip--;
      return;
    }
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % SAMPLES;
  }

  /** Without the slowest fifth: those were interrupted by something else. */
  get mean(): number {
    const values = [...this.#values].sort((a, b) => a - b);
    const kept = Math.ceil(0.8 * values.length);
    let sum = 0;
    for (let i = 0; i < kept; i++) sum += values[i]!;
    return kept === 0 ? 0 : sum / kept;
  }

  reset(): void {
    this.#values.length = 0;
    this.#next = 0;
    this.#skip = WARM_UP;
  }
}
