import type { Notice } from './ui/Notice.js';
import { CATALOGUE, type WorldName } from './worlds/catalogue.js';
import { ModelError } from './worlds/ModelError.js';
import type { World } from './worlds/World.js';

type Loading = (told: (share: number) => void) => Promise<World>;

/** Opens worlds, the last one asked for. Until it is there, and if it fails, the old one stays. */
export class Opener {
  readonly #notice: Notice;
  readonly #show: (name: WorldName, world: World) => void;
  readonly #failed: () => void;
  #turn = 0;

  constructor(notice: Notice, show: (name: WorldName, world: World) => void, failed: () => void) {
    this.#notice = notice;
    this.#show = show;
    this.#failed = failed;
  }

  async open(name: WorldName, load: Loading): Promise<void> {
    const turn = ++this.#turn;
    const { loading } = CATALOGUE[name];
    this.#notice.show(loading);
    try {
      const world = await load((share) => {
        if (turn === this.#turn) this.#notice.show(`${loading} ${Math.round(100 * share)} %`);
      });
      if (turn !== this.#turn) return world.dispose();
      this.#show(name, world);
      this.#notice.clear();
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#notice.error(
        error instanceof ModelError ? error.message : `This world could not be opened: ${String(error)}`,
      );
      this.#failed();
    }
  }
}
