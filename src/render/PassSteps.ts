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

/** Chunks of their own, as they import the texts of three's shaders: pages with only WebGPURenderer need none. */
const occlusionCode = /* @__PURE__ */ new Lazy(() => import('./occlusion/SceneOcclusion.js'));
const shadowCode = /* @__PURE__ */ new Lazy(() => import('./shadows/KeptShadows.js'));
const casterCode = /* @__PURE__ */ new Lazy(() => import('./CasterCulling.js'));

interface Given extends StepScene {
  readonly parts: SceneParts;
  readonly settings: Settings;
  readonly batching: MeshBatching;
}

/**
 * Makers of all steps, by stage, in the order of their work. A maker returns null while the option is off or the code
 * is missing: while code is loading, it is called as each render begins.
 */
const MAKERS: Readonly<Record<PassStep['stage'], (given: Given) => PassStep | null>> = {
  // Limits come first, as an object that is not drawn for its size hides no other object.
  limits: ({ parts, settings }) => (isLimit(settings) ? new PassLimits(parts.limits, settings) : null),
  // Kept shadows come before caster culling, as a map that is kept holds all casters.
  keepShadows: (given) => {
    const code = given.settings.keepShadows ? given.want(shadowCode) : null;
    return code && new code.KeptShadows(given, given.parts, given.batching);
  },
  // Caster culling may come anywhere else, as limits and occlusion apply to the camera's pass alone.
  cullCasters: ({ settings, want }) => {
    const code = settings.cullCasters ? want(casterCode) : null;
    return code && new code.CasterCulling();
  },
  // Occlusion comes before instances, as it tells which instances are hidden.
  occlusion: ({ parts, settings, want, scene, rules }) => {
    const code = settings.occlusion ? want(occlusionCode) : null;
    return code && new code.SceneOcclusion(parts, scene, rules.occlusion);
  },
  // Instances come before batches, which take no mesh with instances.
  instances: ({ batching, ...given }) =>
    new InstancedCulling(given, (record) => batching.made?.levelsOfInstances(record) ?? null),
  batch: ({ batching }) => batching,
  // Levels come after batches, which hold the vertices that levels are made of.
  levels: ({ settings: { levels }, batching, ...given }) => levels && new MeshLevels(given, batching, levels),
};

/** The options of an accelerated scene, as steps of its passes. */
export class PassSteps {
  /** The steps made so far, in their order. */
  all: readonly PassStep[] = [];
  readonly batching: MeshBatching;
  readonly #given: Given;
  /** True while a step may still have to be made, as its code is loading. */
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

  /** Call it as each render begins: makes the steps whose code has loaded. */
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

  /** Largest errors of levels of detail; null without levels. */
  get levelErrors(): LevelErrors | null {
    return this.#given.settings.levels;
  }

  of(stage: Stage): PassStep | undefined {
    return this.all.find((step) => step.stage === stage);
  }

  /** Calls a function with each step; errors in the call are blamed on the step. */
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

  /** Ends a step; when updates or lists end, all steps end. */
  end(stage: Stage): void {
    const isStaying = (step: PassStep): boolean => stage !== step.stage && stage !== 'update' && stage !== 'lists';
    const before = this.all;
    // The failed step may have kept other steps from being made.
    this.#isWaiting = true;
    this.all = before.filter(isStaying);
    for (const step of before) if (!isStaying(step)) step.dispose?.();
  }
}
