import type { Object3D } from 'three';
import type { BatchSettings, SceneBatches } from '../autobatch/SceneBatches.js';
import type { ActiveRenders } from '../passes/ActiveRenders.js';

type Code = typeof import('../autobatch/SceneBatches.js');

/** The code that draws meshes in batches, a chunk of its own; null until it is there. */
let code: Code | null = null;
let isRequested = false;

/**
 * Which meshes of an accelerated scene are drawn in batches. What does so is loaded when it is wanted first; until then, and
 * where it cannot be loaded, every mesh is drawn by itself.
 */
export class MeshBatching {
  readonly #root: Object3D;
  readonly #renders: ActiveRenders;
  readonly #settings: BatchSettings;
  #batches: SceneBatches | null = null;
  #isWanted = false;

  constructor(root: Object3D, renders: ActiveRenders, settings: Omit<BatchSettings, 'rules'>) {
    this.#root = root;
    this.#renders = renders;
    this.#settings = { ...settings, rules: new WeakMap([[root, false]]) };
  }

  /** The batches; null while there are none. */
  get batches(): SceneBatches | null {
    if (this.#batches === null && this.#isWanted && code !== null) {
      this.#batches = new code.SceneBatches(
        (isShadow) => listOf(this.#renders.current?.slot ?? 0, isShadow),
        this.#settings,
      );
    }
    return this.#batches;
  }

  /** Has an object, with all below it, drawn in batches or not; the scene itself with all that is in it. */
  set(object: Object3D, isBatched: boolean): void {
    const isAll = object === this.#root;
    if (isAll && !isBatched) this.end();
    this.#settings.rules.set(object, isBatched);
    this.#batches?.noteRules();
    if (isBatched) this.#begin();
  }

  /** Draws every mesh by itself again. */
  end(): void {
    this.#isWanted = false;
    const batches = this.#batches;
    this.#batches = null;
    // A picture that is being made draws what it was given.
    if (this.#renders.depth > 0) queueMicrotask(() => batches?.dispose());
    else batches?.dispose();
  }

  /** In words, how an object is drawn. */
  describe(object: Object3D): string | null {
    return this.batches?.describe(object) ?? null;
  }

  #begin(): void {
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
}

/** A render has two lists: that of its camera, and that of the shadow pass in progress. */
export function listOf(slot: number, isShadow: boolean): number {
  return 2 * slot + (isShadow ? 1 : 0);
}
