import type { BatchSettings, SceneBatches } from '../autobatch/SceneBatches.js';
import type { ActiveRenders } from '../passes/ActiveRenders.js';

type Code = typeof import('../autobatch/SceneBatches.js');

/** The code that draws meshes in batches, a chunk of its own; undefined until it is there. */
let code: Code | undefined;
let isRequested = false;

/**
 * The batches of an accelerated scene. What makes them is loaded when they are wanted first; until then, and where it
 * cannot be loaded, every mesh is drawn by itself.
 */
export class MeshBatching {
  readonly #renders: ActiveRenders;
  readonly #settings: BatchSettings;
  #batches: SceneBatches | null = null;
  #isWanted = false;

  constructor(renders: ActiveRenders, settings: BatchSettings) {
    this.#renders = renders;
    this.#settings = settings;
  }

  /** The batches; null while there are none. */
  get batches(): SceneBatches | null {
    if (this.#batches === null && this.#isWanted && code !== undefined) {
      this.#batches = new code.SceneBatches(
        (isShadow) => listOf(this.#renders.current?.slot ?? 0, isShadow),
        this.#settings,
      );
    }
    return this.#batches;
  }

  /** Begins to make batches. */
  begin(): void {
    this.#isWanted = true;
    if (isRequested) return;
    isRequested = true;
    import('../autobatch/SceneBatches.js').then(
      (loaded) => {
        code = loaded;
      },
      () => {},
    );
  }

  /** Draws every mesh by itself again. */
  end(): void {
    this.#isWanted = false;
    this.#batches?.dispose();
    this.#batches = null;
  }
}

/** A render has two lists: that of its camera, and that of the shadow pass in progress. */
export function listOf(slot: number, isShadow: boolean): number {
  return 2 * slot + (isShadow ? 1 : 0);
}
