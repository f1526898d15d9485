import type { Object3D, Scene } from 'three';
import { lazy } from '../core/lazy.js';
import type { ActiveRenders } from '../passes/ActiveRenders.js';
import { listOf, type SceneRenderer } from '../passes/Pass.js';
import { Refusals } from '../scene/ask/Pass.js';
import type { BatchSettings, SceneBatches } from './SceneBatches.js';

/** What is drawn in batches of an accelerated scene. */
export interface BatchReport {
  /** Whether the scene as a whole is to be drawn in batches. */
  readonly isWhole: boolean;
  /** Batches that there are. */
  readonly count: number;
  /** True for an object that was drawn in a batch when a pass saw it last. */
  holds(object: Object3D): boolean;
  /** What draws them; null while nothing is drawn in batches. */
  readonly made: SceneBatches | null;
}

/** The reports of accelerated scenes. */
export const batchReports: WeakMap<Object3D, BatchReport> = new WeakMap();

const batchingCode = lazy(async () => {
  const code = await import('./SceneBatches.js');
  return code.knowsBatches() ? code : null;
});

/** Updates after which batches that are not wanted are given up: they may be switched on and off at little cost. */
const PATIENCE = 600;

/**
 * Which meshes of an accelerated scene are drawn in batches. What does so is loaded when it is wanted first; until then, and
 * where it cannot be loaded, as a warning says, every mesh is drawn by itself.
 */
export class MeshBatching implements BatchReport {
  readonly #root: Object3D;
  readonly #renders: ActiveRenders;
  readonly #settings: BatchSettings;
  /** Kept for a while when they are not wanted. */
  #batches: SceneBatches | null = null;
  #isWanted = false;
  #idleUpdates = 0;
  /** Remembers pictures in which nothing was drawn in batches. */
  readonly #refusals = new Refusals();
  #isSkipped = false;
  /** A pass of the picture could draw in batches. */
  #isTried = false;

  constructor(root: Object3D, renders: ActiveRenders, settings: Omit<BatchSettings, 'rules'>) {
    this.#root = root;
    this.#renders = renders;
    this.#settings = { ...settings, rules: new WeakMap([[root, false]]) };
  }

  /** The batches that passes are to draw; null while there are none, or none are likely to be drawn in this picture. */
  get batches(): SceneBatches | null {
    return this.#isSkipped ? null : this.made;
  }

  get isWhole(): boolean {
    return this.#isWanted && this.#settings.rules.get(this.#root) === true;
  }

  get count(): number {
    return this.made?.count ?? 0;
  }

  get made(): SceneBatches | null {
    const code = this.#isWanted ? batchingCode() : null;
    if (code === null) return null;
    this.#batches ??= new code.SceneBatches(
      (isShadow) => listOf(this.#renders.current?.slot ?? 0, isShadow),
      this.#settings,
    );
    return this.#batches;
  }

  /** A picture begins, within no other. Where batches save nothing they are tried ever less often. */
  beginPicture(): void {
    this.#isTried = false;
    this.#isSkipped = this.#isWanted && this.#refusals.isLikely();
  }

  endPicture(): void {
    const { batches } = this;
    // A picture with another material for all says nothing of the next one.
    if (batches !== null && this.#isTried) this.#refusals.note(batches.isIdle);
    this.#isSkipped = false;
  }

  /** Those that a pass of a renderer may draw. */
  forPass(renderer: SceneRenderer, scene: Scene): SceneBatches | null {
    const { batches } = this;
    if (batches === null || !batchingCode()?.canBatch(renderer, scene)) return null;
    this.#isTried = true;
    return batches;
  }

  /** Has an object, with all below it, drawn in batches or not; the scene itself with all that is in it. */
  set(object: Object3D, isBatched: boolean): void {
    if (object === this.#root && !isBatched) {
      this.#isWanted = false;
      return;
    }
    // Parts of a scene that is not drawn in batches.
    if (object !== this.#root && !this.#isWanted) this.#setRule(this.#root, false);
    this.#setRule(object, isBatched);
    if (!isBatched) return;
    this.#isWanted = true;
    this.#refusals.note(false);
    this.#idleUpdates = 0;
    batchingCode();
  }

  /** To be called with each update. */
  rest(): void {
    if (!this.#isWanted && this.#batches !== null && ++this.#idleUpdates > PATIENCE) this.dispose();
  }

  /** Lets go of an object that is followed no longer. */
  forget(object: Object3D): void {
    this.#batches?.forget(object);
  }

  holds(object: Object3D): boolean {
    return this.made?.draws(object) === true;
  }

  /** Draws every mesh by itself again. */
  dispose(): void {
    this.#isWanted = false;
    const batches = this.#batches;
    this.#batches = null;
    if (batches === null) return;
    // A picture that is being made draws what it was given.
    if (this.#renders.depth > 0) queueMicrotask(() => batches.dispose());
    else batches.dispose();
  }

  #setRule(object: Object3D, isBatched: boolean): void {
    const { rules } = this.#settings;
    if (rules.get(object) === isBatched) return;
    rules.set(object, isBatched);
    this.#batches?.noteRules();
  }
}
