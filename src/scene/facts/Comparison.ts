import { isLookedAt, look, takeStamp } from './looks.js';

/** Values on which something depends, compared with those of the last comparison, in the same order. */
export class Comparison {
  /** The stamp of the last change. */
  stamp = 0;
  #lookedIn = 0;
  readonly #values: unknown[] = [];
  #at = 0;
  #isSame = true;

  /** True when there is nothing to compare in this look. */
  get isDone(): boolean {
    return isLookedAt(this.#lookedIn);
  }

  start(): void {
    this.#at = 0;
  }

  /** Compares the next value; NaN differs each time. */
  compare(value: unknown): void {
    if (this.#values[this.#at] !== value) {
      this.#values[this.#at] = value;
      this.#isSame = false;
    }
    this.#at++;
  }

  /** Ends a comparison, and returns the stamp. Where a getter threw before that, the next one has the change. */
  end(): number {
    if (!this.#isSame || this.#values.length !== this.#at) this.stamp = takeStamp();
    this.#values.length = this.#at;
    this.#isSame = true;
    this.#lookedIn = look;
    return this.stamp;
  }
}
