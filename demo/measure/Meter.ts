/** Browsers round their clocks to about 0.1 ms, so shorter times need a mean over many frames. */
const SAMPLES = 40;
/** A mean of fewer samples is not worth showing. */
const ENOUGH = 8;
/** The first calls are slower: the engine has not compiled them yet. */
const WARM_UP = 2;

/** Times calls, and keeps the mean of the last ones. */
export class Meter {
  readonly #values: number[] = [];
  #next = 0;
  #skip = WARM_UP;
  #of = '';

  time<T>(job: () => T): T {
    const start = performance.now();
    const result = job();
    this.add(performance.now() - start);
    return result;
  }

  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  /** Whether the mean stands for enough samples to be shown. */
  get isReliable(): boolean {
    return this.#values.length >= ENOUGH;
  }

  /** @param of What was timed, where that changes: times of something else go. */
  add(value: number, of = this.#of): void {
    if (of !== this.#of) this.reset();
    this.#of = of;
    if (this.#skip > 0) {
      this.#skip--;
      return;
    }
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % SAMPLES;
  }

  /** Milliseconds, without the slowest fifth, which something else interrupted; 0 before the first sample. */
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
