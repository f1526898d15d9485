import type { Object3D, Scene } from 'three';
import { Lazy } from '../core/Lazy.js';
import type { ActiveRender } from '../passes/ActiveRenders.js';
import type { PassStep, StepScene } from '../passes/PassStep.js';
import { Payoff } from '../passes/Payoff.js';
import { hasOtherPipeline, type SceneRenderer } from '../three/renderer.js';
import type { BatchSettings, SceneBatches } from './SceneBatches.js';

/** The batching of each accelerated scene. */
export const batchReports: WeakMap<Object3D, MeshBatching> = new WeakMap();

export const batchingCode: Lazy<typeof import('./SceneBatches.js')> = /* @__PURE__ */ new Lazy(async () => {
  const code = await import('./SceneBatches.js');
  if (!code.knowsBatches()) throw new Error('BatchedMesh of this version of three has unknown parts');
  return code;
});

/** Updates until batches that were switched off are freed: until then it is cheap to switch them on again. */
const UPDATES_UNUSED = 600;

/**
 * Decides which meshes of an accelerated scene are drawn in batches. Their code loads when batches are first requested.
 * Every mesh is drawn alone until the code is there, or if it fails to load, which a warning reports.
 */
export class MeshBatching implements PassStep {
  readonly stage = 'batch';
  readonly #given: StepScene;
  readonly #settings: BatchSettings;
  /** The batches, kept for a while after they are switched off. */
  #batches: SceneBatches | null = null;
  isWanted = false;
  /** Whether the last picture was left to a drawing pipeline of the renderer. */
  isAside = false;
  #idleUpdates = 0;
  /** Skips pictures in scenes without similar meshes, so that passes need not visit each mesh. */
  #payoff = new Payoff();
  #isTried = false;
  /** Whether a pass of the last picture could draw batches: a material may override all others. */
  #isDrawn = false;

  constructor(given: StepScene, settings: Omit<BatchSettings, 'rules' | 'levelRules'>) {
    const { batch: rules, levels: levelRules } = given.rules;
    this.#given = given;
    this.#settings = { ...settings, rules: rules.set(given.scene, false), levelRules };
    batchReports.set(given.scene, this);
  }

  /** The batches for passes to draw; null for none, and in pictures in which no batch is likely. */
  get batches(): SceneBatches | null {
    return this.#isTried ? this.made : null;
  }

  /** Why there will be no batches: the error of loading their code, or of its check of three. Null otherwise. */
  get failure(): unknown {
    return batchingCode.failure;
  }

  /** True when more meshes would be drawn in batches in the next picture, even if nothing changes. */
  get isPending(): boolean {
    return this.#isDrawn && this.made?.isPending === true;
  }

  /** True when the last picture has copied as much as it may, and the next picture goes on. */
  get isCopying(): boolean {
    return this.#isDrawn && this.made !== null && this.made.groups.memory.share <= 0;
  }

  /** The batches; null while no mesh is drawn in batches. */
  get made(): SceneBatches | null {
    const { stages } = this.#given;
    const code = this.isWanted && !stages.isOff('batch') ? batchingCode.get() : null;
    if (code === null) return null;
    this.#batches ??= new code.SceneBatches(this.#settings, stages, this.renew);
    return this.#batches;
  }

  /** To be called when the next picture would take less, as levels have been made or a mesh rests. */
  readonly renew = (): void => {
    this.#payoff.retry();
    this.#given.redraw();
  };

  needsLists(): boolean {
    return this.batches !== null;
  }

  /** A drawing pipeline other than three's standard one gets all meshes as they are, see `hasOtherPipeline`. */
  beginRender({ renderer, nesting }: ActiveRender): void {
    if (nesting > 0) return;
    this.isAside = hasOtherPipeline(renderer);
    this.#isDrawn = false;
    this.#isTried = this.isWanted && !this.isAside && this.#payoff.takeTurn();
  }

  endRender(): void {
    const { batches } = this;
    const around = this.#given.renders.current;
    if (batches === null) return;
    const { groups } = batches;
    // The outer render goes on with its own lists.
    if (around !== null) groups.nesting = around.nesting;
    // A picture in which a material overrides all others says nothing about the next.
    else if (this.#isDrawn) this.#payoff.note(groups.batchCount + (batches.isPending ? 1 : 0), 1);
  }

  added(): void {
    this.#payoff.retry();
  }

  /** The batches that a pass of a renderer may draw; null for none. */
  forPass(renderer: SceneRenderer, scene: Scene): SceneBatches | null {
    if (!this.isDrawnBy(renderer, scene)) return null;
    this.#isDrawn = true;
    return this.batches;
  }

  /** True when passes of a renderer draw batches: a material that overrides all others may keep passes from them. */
  isDrawnBy(renderer: SceneRenderer, scene: Scene): boolean {
    return this.batches !== null && batchingCode.get()?.canBatch(renderer, scene) === true;
  }

  /** Sets whether a subtree, or the whole scene, is drawn in batches. */
  set(object: Object3D, isBatched: boolean): void {
    const { scene, want } = this.#given;
    if (object === scene && !isBatched) {
      this.isWanted = false;
      return;
    }
    // Only this part of the scene is to be drawn in batches.
    if (object !== scene && !this.isWanted) this.#setRule(scene, false);
    this.#setRule(object, isBatched);
    if (!isBatched) return;
    this.isWanted = true;
    this.#idleUpdates = 0;
    want(batchingCode);
  }

  ruleChanged(): void {
    this.#batches?.rulesChanged();
  }

  update(): void {
    if (!this.isWanted && this.#batches !== null && ++this.#idleUpdates > UPDATES_UNUSED) this.#free();
  }

  forget(object: Object3D): void {
    this.#batches?.forget(object);
  }

  /** Has a mesh at which something failed drawn alone for good. */
  leave(object: Object3D): void {
    this.#batches?.leave(object);
  }

  dispose(): void {
    this.isWanted = false;
    batchReports.delete(this.#given.scene);
    this.#free();
  }

  #free(): void {
    const batches = this.#batches;
    this.#batches = null;
    if (batches === null) return;
    // A picture in progress draws the batches that it has listed.
    if (this.#given.renders.depth > 0) queueMicrotask(() => batches.dispose());
    else batches.dispose();
  }

  #setRule(object: Object3D, isBatched: boolean): void {
    const { rules } = this.#settings;
    if (rules.get(object) === isBatched) return;
    rules.set(object, isBatched);
    this.#batches?.rulesChanged();
    this.#payoff.retry();
  }
}
