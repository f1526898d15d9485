/** Most calls for one load or edit. */
const MOST = 3;

/** Tells a page that draws on demand when its next picture would be cheaper, or another, though it has changed nothing. */
export class Redraws {
  readonly #onChange: () => void;
  /** Calls that are left; negative once it is disposed. */
  #left = MOST;
  /** The page was told, and has not drawn since. */
  #isAsked = false;
  /** Of the last picture that was drawn in this task; null between two. */
  #isPending: boolean | null = null;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Allows as many calls as at first: something was loaded, or edited. */
  renew(): void {
    if (this.#left >= 0) this.#left = MOST;
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

  /**
   * A page may draw several pictures at a time: the last one counts.
   * @param isPending Whether the next picture would be cheaper, or another.
   */
  afterPicture(isPending: boolean): void {
    const isFirst = this.#isPending === null;
    this.#isPending = isPending;
    if (isFirst) queueMicrotask(() => this.#afterTask());
  }

  #afterTask(): void {
    const isPending = this.#isPending === true;
    if (!isPending && !this.#isAsked) this.renew();
    this.#isPending = null;
    this.#isAsked = false;
    if (isPending) this.ask();
  }

  /** Ends all calls. */
  dispose(): void {
    this.#left = -1;
  }
}
