const STAYS = 6000;

/** One line over the stage: progress, errors, hints. */
export class Notice {
  readonly #root: HTMLElement;
  #timer = 0;

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  /** Stays until the next one. */
  show(text: string): void {
    this.#put(text, '');
  }

  /** Disappears after some seconds. */
  showBriefly(text: string): void {
    this.#put(text, '');
    this.#timer = window.setTimeout(() => this.clear(), STAYS);
  }

  error(text: string): void {
    this.#put(text, 'error');
    this.#timer = window.setTimeout(() => this.clear(), 2 * STAYS);
  }

  clear(): void {
    this.#put('', '');
  }

  #put(text: string, kind: string): void {
    clearTimeout(this.#timer);
    this.#root.dataset.kind = kind;
    this.#root.textContent = text;
  }
}
