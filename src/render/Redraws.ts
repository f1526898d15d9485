/** Most calls until a picture that the page drew by itself shows everything as it stays. */
const MOST = 3;

/** Tells a page that draws on demand when its next picture would be cheaper, or another, though it has changed nothing. */
export class Redraws {
  readonly #onChange: () => void;
  /** Calls that are left; negative once it is disposed. */
  #left = MOST;
  /** The page was told, and has not drawn since. */
  #isAsked = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Tells the page, soon: never within a picture. */
  ask(): void {
    if (this.#isAsked || this.#left <= 0) return;
    this.#left--;
    this.#isAsked = true;
    queueMicrotask(() => {
      if (this.#left < 0) return;
      try {
        this.#onChange();
      } catch (error) {
        console.error('accelerate.onChange:', error);
      }
    });
  }

  /** @param isPending Whether the next picture would be cheaper, or another. */
  afterPicture(isPending: boolean): void {
    if (!isPending && !this.#isAsked && this.#left >= 0) this.#left = MOST;
    this.#isAsked = false;
    if (isPending) this.ask();
  }

  /** Ends all calls. */
  dispose(): void {
    this.#left = -1;
  }
}
