/** A row of values that is compared, one after the other, with the row of the last time. */
export class LastValues {
  readonly #values: unknown[] = [];
  #at = 0;
  #isSame = true;

  /** Begins a row. A getter may have thrown amid the last one: that counts as a change. */
  begin(): this {
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

  /** Ends a row; true when it is that of the last time. */
  takeSame(): boolean {
    if (this.#isSame && this.#values.length === this.#at) return true;
    this.#values.length = this.#at;
    this.#isSame = true;
    return false;
  }
}
