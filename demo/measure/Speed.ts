/** Ratios kept: the last ones. */
const KEPT = 12;
/** Quartiles of fewer ratios say nothing. */
const ENOUGH = 5;
/** Browsers round their clocks to 0.1 or 1 ms: times are added up to so many milliseconds before they are divided... */
const RESOLVED = 1;
/** ...or over so many pairs; what still is shorter than one step of the clock then counts as that step. */
const PATIENCE = 8;
const STEP = 0.1;

/** The median of ratios, and the quartiles around it. */
export interface Spread {
  median: number;
  low: number;
  high: number;
  /** Whether enough ratios stand behind it. */
  isReliable: boolean;
}

/** How many times as fast one way is as another: ratios of times that were measured side by side. */
export class Speed {
  readonly #ratios: number[] = [];
  #next = 0;
  #one = 0;
  #other = 0;
  #pairs = 0;

  /** Adds what the same work took in both ways, in milliseconds. */
  add(one: number, other: number): void {
    this.#one += one;
    this.#other += other;
    this.#pairs++;
    if (Math.min(this.#one, this.#other) < RESOLVED && this.#pairs < PATIENCE) return;
    this.#ratios[this.#next] = Math.max(this.#other, STEP) / Math.max(this.#one, STEP);
    this.#next = (this.#next + 1) % KEPT;
    this.#one = this.#other = this.#pairs = 0;
  }

  get spread(): Spread {
    const sorted = [...this.#ratios].sort((a, b) => a - b);
    const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share));
    return { low: low!, median: median!, high: high!, isReliable: sorted.length >= ENOUGH };
  }

  reset(): void {
    this.#ratios.length = this.#next = 0;
    this.#one = this.#other = this.#pairs = 0;
  }
}

/** The same speeds, seen from the other way. */
export function inverse({ median, low, high, isReliable }: Spread): Spread {
  return { median: 1 / median, low: 1 / high, high: 1 / low, isReliable };
}

function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)] ?? 1, sorted[Math.ceil(at)] ?? 1];
  return below + (above - below) * (at - Math.floor(at));
}
