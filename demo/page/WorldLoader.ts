import { type WorldName, worldEntry } from '../state/catalogue.js';
import type { Notice } from '../ui/Notice.js';
import type { World } from '../worlds/contract/World.js';
import { ModelError } from '../worlds/model/ModelError.js';

type Loading = (told: (share: number) => void, signal: AbortSignal) => Promise<World>;

/** Opens worlds, the last one asked for. Until it is there, and if it fails, the old one stays. */
export class Opener {
  readonly #notice: Notice;
  readonly #show: (name: WorldName, world: World) => void;
  readonly #failed: () => void;
  #opening: AbortController | null = null;

  constructor(notice: Notice, show: (name: WorldName, world: World) => void, failed: () => void) {
    this.#notice = notice;
    this.#show = show;
    this.#failed = failed;
  }

  async open(name: WorldName, load: Loading): Promise<void> {
    this.#opening?.abort();
    const opening = new AbortController();
    const { signal } = opening;
    this.#opening = opening;
    const { loading } = worldEntry(name);
    this.#notice.show(loading);
    try {
      const world = await load((share) => {
        if (!signal.aborted) this.#notice.show(`${loading} ${Math.round(100 * share)} %`);
      }, signal);
      if (signal.aborted) return world.dispose();
      this.#show(name, world);
      this.#notice.clear();
    } catch (error) {
      if (signal.aborted) return;
      this.#notice.error(
        error instanceof ModelError ? error.message : `This world could not be opened: ${String(error)}`,
      );
      this.#failed();
    } finally {
      if (this.#opening === opening) this.#opening = null;
    }
  }

  /** Gives up what is being opened. */
  cancel(): void {
    if (this.#opening === null) return;
    this.#opening.abort();
    this.#opening = null;
    this.#notice.tell('Given up.');
    this.#failed();
  }
}
