/** Passes at most between two questions. */
const LONGEST = 15;

/**
 * Remembers of a view whether it saw too much to make a list of it, as what it sees changes little from frame to frame:
 * after each refusal in a row twice as many passes are not asked about at all. Either way the picture is the same.
 */
export class Refusals {
  #pause = 0;
  #left = 0;

  /** True when the next question is likely to be refused, and need not be asked. */
  isLikely(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  /** Takes note of an answer. */
  note(isRefused: boolean): void {
    this.#pause = isRefused ? Math.min(2 * this.#pause + 1, LONGEST) : 0;
    this.#left = this.#pause;
  }
}
