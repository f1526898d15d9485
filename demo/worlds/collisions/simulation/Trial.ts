import type { MethodId } from '../setup/methods.js';
import type { Cost } from './MethodRun.js';

/** Result of a method over the frames of a trial. */
export interface TrialResult extends Cost {
  method: MethodId;
  /** Milliseconds from frame to frame, drawing included. */
  frame: number;
  /** One number for the pairs of all frames together. */
  digest: number;
}

/**
 * Runs each method over the same frames, from the same start. `current` is the next method and frame, and `report`
 * takes the result.
 */
export class Trial {
  readonly frames: number;
  readonly results: TrialResult[] = [];
  readonly #methods: readonly MethodId[];
  #costs: (Cost & { frame: number })[] = [];
  #digest = 0;

  constructor(methods: readonly MethodId[], frames: number) {
    this.#methods = methods;
    this.frames = frames;
  }

  /** The method to run and the number of the frame; null at the end. */
  get current(): { method: MethodId; frame: number } | null {
    const method = this.#methods[this.results.length];
    return method ? { method, frame: this.#costs.length } : null;
  }

  /** Share of all frames that are done. */
  get progress(): number {
    return (this.results.length + this.#costs.length / this.frames) / this.#methods.length;
  }

  /**
   * Takes the cost of the current frame.
   * @param frame Milliseconds since the frame before.
   * @param digest A hash of the pairs found.
   */
  report(cost: Cost, frame: number, digest: number): void {
    this.#costs.push({ ...cost, frame });
    this.#digest = (Math.imul(this.#digest, 31) + digest) | 0;
    if (this.#costs.length < this.frames) return;
    const last = this.#costs[this.frames - 1];
    this.results.push({
      method: this.#methods[this.results.length],
      // Pairs and box tests are those of the last frame.
      ...last,
      update: trimmedMean(this.#costs.map(({ update }) => update)),
      query: trimmedMean(this.#costs.map(({ query }) => query)),
      frame: trimmedMean(this.#costs.map((each) => each.frame)),
      digest: this.#digest,
    });
    this.#costs = [];
    this.#digest = 0;
  }
}

/** The mean without the slowest fifth, which was interrupted; a median would only show how coarse the clock is. */
function trimmedMean(values: number[]): number {
  const kept = values.sort((a, b) => a - b).slice(0, Math.ceil(0.8 * values.length));
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}
