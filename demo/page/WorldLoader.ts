import { type WorldName, worldEntry } from '../state/catalogue.js';
import type { Notice } from '../ui/Notice.js';
import type { World } from '../worlds/contract/World.js';
import { ModelError } from '../worlds/model/ModelError.js';

/** Loads one world. It reports the share that is done, and may stop when the signal aborts. */
type LoadTask = (onProgress: (share: number) => void, signal: AbortSignal) => Promise<World>;

/** Loads worlds, one at a time: a new request cancels the last. The old world stays until the new one is there. */
export class WorldLoader {
  readonly #notice: Notice;
  readonly #onLoaded: (name: WorldName, world: World) => void;
  readonly #onFailed: () => void;
  #current: AbortController | null = null;
  /** What is being loaded; null for nothing. */
  loading: WorldName | null = null;

  constructor(notice: Notice, onLoaded: (name: WorldName, world: World) => void, onFailed: () => void) {
    this.#notice = notice;
    this.#onLoaded = onLoaded;
    this.#onFailed = onFailed;
  }

  async load(name: WorldName, task: LoadTask): Promise<void> {
    this.#current?.abort();
    const current = new AbortController();
    const { signal } = current;
    this.#current = current;
    this.loading = name;
    const { loading } = worldEntry(name);
    this.#notice.show(loading);
    try {
      const world = await task((share) => {
        if (!signal.aborted) this.#notice.show(`${loading} ${Math.round(100 * share)} %`);
      }, signal);
      if (signal.aborted) return world.dispose();
      this.#onLoaded(name, world);
      this.#notice.clear();
    } catch (error) {
      if (signal.aborted) return;
      this.#notice.error(
        error instanceof ModelError ? error.message : `This world could not be loaded: ${String(error)}`,
      );
      this.#onFailed();
    } finally {
      if (this.#current === current) this.#end();
    }
  }

  /** Cancels what is loading. */
  cancel(): void {
    if (this.#current === null) return;
    this.#current.abort();
    this.#end();
    this.#notice.showBriefly('Loading cancelled.');
    this.#onFailed();
  }

  #end(): void {
    this.#current = null;
    this.loading = null;
  }
}
