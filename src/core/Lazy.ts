/**
 * Code that a page can start without, in a chunk of its own. It is loaded once; if that fails, one warning is logged.
 *
 *     const batches = new Lazy(() => import('./SceneBatches.js'));
 *     const code = batches.get();
 *     if (code === null) return;
 */
export class Lazy<T> {
  /** The error with which loading failed; null otherwise. */
  failure: unknown = null;
  #code: T | null = null;
  #loading: Promise<void> | null = null;
  readonly #load: () => Promise<T | null>;

  /** @param load Loads the code; null if the page cannot use it. */
  constructor(load: () => Promise<T | null>) {
    this.#load = load;
  }

  /** The code; null until it is there. The first call starts loading. */
  get(): T | null {
    void this.load();
    return this.#code;
  }

  /** Starts loading. The promise resolves when loading has ended, well or not. */
  load(): Promise<void> {
    this.#loading ??= this.#load().then(
      (code) => {
        this.#code = code;
      },
      (error) => {
        this.failure = error;
        console.warn('three-scene-index runs slower:', error);
      },
    );
    return this.#loading;
  }
}
