import type { Object3D, Scene } from 'three';
import { lazy } from '../core/lazy.js';
import type { ActiveRenders } from '../passes/ActiveRenders.js';
import { hasOtherPipeline, listOf, type SceneRenderer } from '../passes/Pass.js';
import { Refusals } from '../scene/ask/passQueries.js';
import type { BatchSettings, SceneBatches } from './SceneBatches.js';

/** What is drawn in batches of an accelerated scene. */
export interface BatchReport {
  /** Whether anything is to be drawn in batches. */
  readonly isWanted: boolean;
  /** Whether the whole scene is to be drawn in batches. */
  readonly isWhole: boolean;
  readonly count: number;
  /** Whether the last picture was left to a drawing pipeline of the renderer's. */
  readonly isAside: boolean;
  /** True for an object that was in a batch when a pass saw it last. */
  holds(object: Object3D): boolean;
  /** Null while nothing is drawn in batches. */
  readonly made: SceneBatches | null;
}

/** By accelerated scene. */
export const batchReports: WeakMap<Object3D, BatchReport> = new WeakMap();

const batchingCode = lazy(async () => {
  const code = await import('./SceneBatches.js');
  return code.knowsBatches() ? code : null;
});

/** Most pictures in a row in which batches are not tried, as none pays: to find out takes three pictures. */
const LONGEST = 256;
/** Pictures in a row that may leave it undecided: some meshes change into others in every picture. */
const UNDECIDED = 4;
/** After this many new objects they are tried again. */
const CROWD = 32;
/** Updates until batches that were switched off are freed: until then, switching them on again is cheap. */
const PATIENCE = 600;

/**
 * Decides which meshes of an accelerated scene are drawn in batches. The code that draws them is loaded when it is
 * wanted first; until then, or if that fails, which a warning reports, every mesh is drawn alone.
 */
export class MeshBatching implements BatchReport {
  readonly #root: Object3D;
  readonly #renders: ActiveRenders;
  readonly #settings: BatchSettings;
  /** Kept for a while when switched off. */
  #batches: SceneBatches | null = null;
  isWanted = false;
  isAside = false;
  #idleUpdates = 0;
  /** Of pictures in which nothing was drawn in batches. */
  readonly #refusals = new Refusals();
  #isSkipped = false;
  #newcomers = 0;
  #undecided = 0;
  /** A pass of the picture may draw batches. */
  #isTried = false;

  constructor(root: Object3D, renders: ActiveRenders, settings: Omit<BatchSettings, 'rules'>) {
    this.#root = root;
    this.#renders = renders;
    this.#settings = { ...settings, rules: new WeakMap([[root, false]]) };
  }

  /** The batches for passes to draw; null for none, or when this picture is likely to draw none. */
  get batches(): SceneBatches | null {
    return this.#isSkipped ? null : this.made;
  }

  get isWhole(): boolean {
    return this.isWanted && this.#settings.rules.get(this.#root) === true;
  }

  get count(): number {
    return this.made?.count ?? 0;
  }

  get made(): SceneBatches | null {
    const code = this.isWanted ? batchingCode() : null;
    if (code === null) return null;
    this.#batches ??= new code.SceneBatches(
      (isShadow) => listOf(this.#renders.current?.slot ?? 0, isShadow),
      this.#settings,
    );
    return this.#batches;
  }

  /** Called for each new object that may be drawn. */
  noteEntry(): void {
    if (++this.#newcomers % CROWD === 0) this.#refusals.note(false);
  }

  /**
   * Called when a picture begins that lies in no other. A drawing pipeline other than three's standard one gets all meshes as
   * they are, as it may draw many at once, nearer ones in more detail. Batches that save nothing are tried less and less often.
   */
  beginPicture(renderer: SceneRenderer): void {
    this.#isTried = false;
    this.isAside = hasOtherPipeline(renderer);
    this.#isSkipped = this.isWanted && (this.isAside || this.#refusals.isLikely());
  }

  endPicture(): void {
    const { batches } = this;
    this.#isSkipped = false;
    // A picture whose material overrides all others says nothing about the next one.
    if (batches === null || !this.#isTried) return;
    const { isIdle } = batches;
    if (isIdle === null && ++this.#undecided < UNDECIDED) return;
    this.#undecided = 0;
    // Batches that are out of view may be in view soon.
    const mayPause = batches.count === 0 && this.#settings.atLeast === 0;
    this.#refusals.note(isIdle ?? true, mayPause ? LONGEST : undefined);
  }

  /** The batches that a pass of a renderer may draw; null for none. */
  forPass(renderer: SceneRenderer, scene: Scene): SceneBatches | null {
    const { batches } = this;
    if (batches === null || !batchingCode()?.canBatch(renderer, scene)) return null;
    this.#isTried = true;
    return batches;
  }

  /** Sets whether a subtree, or the whole scene, is drawn in batches. */
  set(object: Object3D, isBatched: boolean): void {
    if (object === this.#root && !isBatched) {
      this.isWanted = false;
      return;
    }
    // Only this part of the scene is to be drawn in batches.
    if (object !== this.#root && !this.isWanted) this.#setRule(this.#root, false);
    this.#setRule(object, isBatched);
    if (!isBatched) return;
    this.isWanted = true;
    this.#refusals.note(false);
    this.#idleUpdates = 0;
    batchingCode();
  }

  /** Called by each update. */
  rest(): void {
    if (!this.isWanted && this.#batches !== null && ++this.#idleUpdates > PATIENCE) this.dispose();
  }

  forget(object: Object3D): void {
    this.#batches?.forget(object);
  }

  holds(object: Object3D): boolean {
    return !this.isAside && this.made?.draws(object) === true;
  }

  /** Has every mesh drawn alone again. */
  dispose(): void {
    this.isWanted = false;
    const batches = this.#batches;
    this.#batches = null;
    if (batches === null) return;
    // A picture in progress draws what it has listed.
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
