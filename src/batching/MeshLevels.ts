import { Lazy } from '../core/Lazy.js';
import type { LevelErrors } from '../instances/drawn/LevelViews.js';
import type { Pass } from '../passes/Pass.js';
import type { PassStep, StepScene } from '../passes/PassStep.js';
import type { LevelMaker } from './LevelQueue.js';
import type { MeshBatching } from './MeshBatching.js';

export const levelsCode: Lazy<typeof import('./LevelQueue.js')> = /* @__PURE__ */ new Lazy(
  () => import('./LevelQueue.js'),
);

export interface LevelSettings extends LevelErrors {
  /** The maker of levels; null for the worker of this library. */
  readonly make: LevelMaker | null;
}

/** Has levels of detail made for draws in batches, once their code has loaded. */
export class MeshLevels implements PassStep {
  readonly stage = 'levels';
  readonly #settings: LevelSettings;
  readonly #batching: MeshBatching;

  constructor({ want }: StepScene, batching: MeshBatching, settings: LevelSettings) {
    this.#batching = batching;
    this.#settings = settings;
    want(levelsCode);
  }

  ruleChanged(): void {
    this.#batching.ruleChanged();
  }

  beginRender(): void {
    const groups = this.#batching.made?.groups;
    const code = levelsCode.get();
    if (!groups || groups.levels || !code) return;
    groups.startLevels(new code.LevelQueue(this.#settings, this.#settings.make, this.#batching.renew));
  }

  /** Reads the view of each picture, whatever the picture shows: its shadow maps use this view. */
  narrow(regions: readonly Float64Array[], pass: Pass): readonly Float64Array[] {
    this.#batching.made?.groups.levels?.views.of(pass);
    return regions;
  }
}
