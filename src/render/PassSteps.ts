import type { Object3D } from 'three';
import { MeshBatching } from '../batching/MeshBatching.js';
import { MeshLevels } from '../batching/MeshLevels.js';
import { Lazy } from '../core/Lazy.js';
import type { LevelErrors } from '../instances/drawn/LevelViews.js';
import { InstancedCulling } from '../instances/InstancedCulling.js';
import type { ActiveRender } from '../passes/ActiveRenders.js';
import type { PassStep, StepScene } from '../passes/PassStep.js';
import type { Stage } from '../passes/Stages.js';
import { isLimit } from '../scene/ask/SceneLimits.js';
import type { SceneParts } from '../scene/SceneParts.js';
import type { Settings } from './AccelerateOptions.js';
import { PassLimits } from './PassLimits.js';

/** Lazy because they import the texts of three's shaders, which pages with only WebGPURenderer do without. */
const occlusionCode = /* @__PURE__ */ new Lazy(() => import('./occlusion/SceneOcclusion.js'));
const shadowCode = /* @__PURE__ */ new Lazy(() => import('./shadows/KeptShadows.js'));
const casterCode = /* @__PURE__ */ new Lazy(() => import('./CasterCulling.js'));

interface Given extends StepScene {
  readonly parts: SceneParts;
  readonly settings: Settings;
  readonly batching: MeshBatching;
}

/**
 * All steps, by stage, in the order of their work. Each is made when its option is set and its code is there, or else is null:
 * it is asked for again as renders begin, while code is on its way.
 */
const MAKERS: Readonly<Record<PassStep['stage'], (given: Given) => PassStep | null>> = {
  // First, as an object that is not drawn for its size hides none.
  limits: ({ parts, settings }) => (isLimit(settings) ? new PassLimits(parts.limits, settings) : null),
  // Before casters are culled, as a map that is kept holds all of them.
  keepShadows: (given) => {
    const code = given.settings.keepShadows ? given.want(shadowCode) : null;
    return code && new code.KeptShadows(given, given.parts, given.batching);
  },
  // Anywhere else, as limits and occlusion are of the camera's pass alone.
  cullCasters: ({ settings, want }) => {
    const code = settings.cullCasters ? want(casterCode) : null;
    return code && new code.CasterCulling();
  },
  // Before instances, which ask it for the hidden ones.
  occlusion: ({ parts, settings, want, scene, rules }) => {
    const code = settings.occlusion ? want(occlusionCode) : null;
    return code && new code.SceneOcclusion(parts, scene, rules.occlusion);
  },
  // Before batches, which take no mesh with instances.
  instances: ({ batching, ...given }) =>
    new InstancedCulling(given, (record) => batching.made?.levelsOfInstances(record) ?? null),
  batch: ({ batching }) => batching,
  // After batches, as these hold the vertices of which levels are made.
  levels: ({ settings: { levels }, batching, ...given }) => levels && new MeshLevels(given, batching, levels),
};

/** The options of an accelerated scene, as steps of its passes. */
export class PassSteps {
  /** Those that are there by now, in their order. */
  all: readonly PassStep[] = [];
  readonly batching: MeshBatching;
  readonly #given: Given;
  /** A step may be made that is not there yet, as its code is on its way. */
  #isWaiting = true;

  constructor({ want, ...given }: Omit<Given, 'batching' | 'rules'>) {
    const rules = { batch: new WeakMap(), levels: new WeakMap(), occlusion: new WeakMap() };
    const scene: StepScene = {
      ...given,
      rules,
      want: (chunk) => {
        const code = want(chunk);
        if (code === null) this.#isWaiting = true;
        return code;
      },
    };
    const { batching, levels } = given.settings;
    this.batching = new MeshBatching(scene, { ...batching, isLeveled: levels !== null });
    this.#given = { ...given, ...scene, batching: this.batching };
    if (given.settings.isBatched) this.batching.set(given.scene, true);
    this.make();
  }

  /** To be called as each render begins: makes the steps whose code has come. */
  make(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    const { stages } = this.#given;
    const stepOf = (name: PassStep['stage']): PassStep | readonly never[] => {
      if (stages.isOff(name)) return [];
      return this.of(name) ?? stages.as(name, () => MAKERS[name](this.#given)) ?? [];
    };
    this.all = (Object.keys(MAKERS) as PassStep['stage'][]).flatMap(stepOf);
  }

  /** How far levels of detail may be off; null without levels. */
  get levelErrors(): LevelErrors | null {
    return this.#given.settings.levels;
  }

  of(stage: Stage): PassStep | undefined {
    return this.all.find((step) => step.stage === stage);
  }

  /** Does something with each step, which is to blame for what that throws. */
  each(use: (step: PassStep) => void): void {
    for (const step of this.all) this.#given.stages.as(step.stage, () => use(step));
  }

  /** True when passes of a render need lists, however few objects there are. */
  needsLists(render: ActiveRender): boolean {
    return this.all.some((step) => step.needsLists?.(render));
  }

  /** Sets whether a step applies to a subtree. */
  mark(stage: 'batch' | 'levels' | 'occlusion', object: Object3D, isOn: boolean): void {
    if (stage === 'batch') this.batching.set(object, isOn);
    else this.#given.rules[stage].set(object, isOn);
    this.of(stage)?.ruleChanged?.();
  }

  /** Ends a step; without updates or lists there is none of them. */
  end(stage: Stage): void {
    const isStaying = (step: PassStep): boolean => stage !== step.stage && stage !== 'update' && stage !== 'lists';
    const before = this.all;
    // Its failure may have kept others from being made.
    this.#isWaiting = true;
    this.all = before.filter(isStaying);
    for (const step of before) if (!isStaying(step)) step.dispose?.();
  }
}
