import type { MethodId } from '../setup/methods.js';

export interface RampOptions {
  /** Milliseconds of collision work a frame may take. */
  limit: number;
  /** Largest number of bodies. */
  most: number;
}

export interface RampResult {
  method: MethodId;
  /** The most bodies that stayed within the limit; 0 if none did. */
  count: number;
  /** True if the method stayed within the limit up to the largest number. */
  withinLimit: boolean;
}

/** How many times as many bodies come next: work that grows with the square then takes an eighth longer. */
const GROWTH = 1.06;
/** Number of bodies at the start. */
const START = 100;
/** Frames in a row that must exceed the limit: a single one may have been interrupted. */
const PATIENCE = 3;

/**
 * Asks of each method how many bodies it can handle: more and more of them until the work of a frame takes longer than
 * the limit. `current` is what to run next, and `report` takes its cost. It ends, because each report raises the number
 * or counts towards the end of the method.
 */
export class Ramp {
  readonly options: RampOptions;
  readonly results: RampResult[] = [];
  readonly #methods: readonly MethodId[];
  #count = START;
  #best = 0;
  #over = 0;

  constructor(methods: readonly MethodId[], options: RampOptions) {
    this.#methods = methods;
    this.options = options;
  }

  /** The method to run and on how many bodies; null at the end. */
  get current(): { method: MethodId; count: number } | null {
    const method = this.#methods[this.results.length];
    return method ? { method, count: this.#count } : null;
  }

  /** Share of the methods that are done. */
  get progress(): number {
    return this.results.length / this.#methods.length;
  }

  /** The cost in milliseconds of one frame of what is `current`. */
  report(milliseconds: number): void {
    const { limit, most } = this.options;
    if (milliseconds > limit) {
      if (++this.#over >= PATIENCE) this.#finish(false);
      return;
    }
    this.#over = 0;
    this.#best = this.#count;
    if (this.#count >= most) this.#finish(true);
    else this.#count = Math.min(most, Math.ceil(GROWTH * this.#count));
  }

  #finish(withinLimit: boolean): void {
    this.results.push({ method: this.#methods[this.results.length], count: this.#best, withinLimit });
    this.#count = START;
    this.#best = 0;
    this.#over = 0;
  }
}
