/** A series of values that is compared, value by value, with the previous series. */
export class LastValues {
  readonly #values: unknown[] = [];
  #at = 0;
  #isSame = true;

  /** Begins a series. Changes found before a getter threw count as changes of the next series. */
  beginRow(): this {
    this.#at = 0;
    return this;
  }

  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  compare(value: unknown): void {
    if (this.#values[this.#at] !== value) {
      this.#values[this.#at] = value;
      this.#isSame = false;
    }
    this.#at++;
  }

  compareAll(values: ArrayLike<number>): void {
    for (let i = 0; i < values.length; i++) this.compare(values[i]);
  }

  /** Ends a series; true when it equals the previous series. */
  takeSame(): boolean {
    if (this.#isSame && this.#values.length === this.#at) return true;
    this.#values.length = this.#at;
    this.#isSame = true;
    return false;
  }
}
