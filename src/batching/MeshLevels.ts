import { Lazy } from '../core/Lazy.js';
import type { PassStep, StepScene } from '../passes/PassStep.js';
import type { LevelSettings } from './levels/LevelQueue.js';
import type { MeshBatching } from './MeshBatching.js';

export const levelsCode: Lazy<typeof import('./levels/LevelQueue.js')> = /* @__PURE__ */ new Lazy(
  () => import('./levels/LevelQueue.js'),
);

/** Has levels of detail made for what is drawn in batches, once their code has loaded. */
export class MeshLevels implements PassStep {
  readonly stage = 'levels';
  readonly #batching: MeshBatching;
  readonly #settings: LevelSettings;

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
    groups.levels = new code.LevelQueue(this.#settings, groups.findSpared, this.#batching.renew);
    // Meshes may have joined while the code was on its way.
    groups.levels.look();
  }
}
