import type { Object3D, Scene } from 'three';
import { structureOf } from '../contract/Structure.js';
import type { Lazy } from '../core/Lazy.js';
import { type ActiveRender, ActiveRenders, type RenderEvents } from '../passes/ActiveRenders.js';
import { type Stage, Stages, stagesOf } from '../passes/Stages.js';
import { replacedUpdates } from '../scene/follow/Motion.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { SceneParts } from '../scene/SceneParts.js';
import { MAINTENANCE_MS } from '../structures/maintain.js';
import { replaceMethod } from '../three/methods.js';
import { PassDetector } from '../three/PassDetector.js';
import type { Settings } from './AccelerateOptions.js';
import { Gate } from './Gate.js';
import { PassSteps } from './PassSteps.js';
import { ScenePicking } from './ScenePicking.js';

/** Connects a scene with renderers, raycasters and matrix updates: `install` hooks in, disposing the index unhooks. */
export class RenderSession implements RenderEvents {
  readonly steps: PassSteps;
  readonly #scene: Scene;
  readonly #parts: SceneParts;
  readonly #renders: ActiveRenders;
  readonly #gate: Gate;
  readonly #detector: PassDetector;
  readonly #picking: ScenePicking;
  readonly #redraws: Redraws;
  readonly #stages = new Stages((stage, object) => this.#leaveToThree(stage, object));
  readonly #chunks = new Set<Lazy<unknown>>();
  #wait: Promise<boolean> | null = null;

  constructor(scene: Scene, parts: SceneParts, settings: Settings) {
    this.#scene = scene;
    this.#parts = parts;
    this.#renders = new ActiveRenders(scene, this);
    this.#redraws = new Redraws(settings.onChange);
    this.steps = new PassSteps({
      scene,
      parts,
      settings,
      renders: this.#renders,
      stages: this.#stages,
      want: (chunk) => this.#want(chunk),
      redraw: () => this.#redraws.renew().ask(),
    });
    this.#gate = new Gate(parts, this.#renders, this.steps, this.#stages);
    this.#detector = new PassDetector(scene);
    this.#picking = new ScenePicking(parts);
  }

  /** Call it once. If it throws, disposing the index removes the installed hooks. */
  install(): void {
    const scene = this.#scene;
    const undo = (step: () => void): void => this.#parts.onDispose(step);
    // This function is called first, while the renders still tell whether a picture is in progress.
    undo(() => {
      this.#redraws.dispose();
      this.steps.end('lists');
      stagesOf.delete(scene);
    });
    stagesOf.set(scene, this.#stages);
    this.#renders.install(undo);
    undo(() => this.#detector.remove());
    this.#detector.install(this.#renders, (layers, children) => this.#gate.childrenForPass(layers, children));
    this.#picking.install(scene, undo);
    this.#watchEntries();
    this.#interceptUpdates(undo);
    // V8 reads every property of an object more slowly once some were redefined, until the object becomes a prototype:
    // in Chromium 147 a frame of ten meshes then takes 1.02 of plain three's time, not 1.04.
    Object.create(scene);
  }

  begun(render: ActiveRender): void {
    // Without `matrixWorldAutoUpdate` renderers leave matrices to the page, and draw by the present ones.
    if (!this.#scene.matrixWorldAutoUpdate && !this.#stages.isOff('update')) this.#follow(false, true);
    if (this.#stages.isOff('lists')) return;
    this.#stages.run('lists', () => {
      this.#detector.renew();
      this.steps.make();
      this.steps.each((step) => step.beginRender?.(render));
    });
  }

  /** Leaves an object, or with null a whole stage, to three from now on; the rest of this render is left entirely. */
  #leaveToThree(stage: Stage, object: Object3D | null): void {
    const render = this.#renders.current;
    if (render !== null) render.isPlain = true;
    this.#redraws.renew().ask();
    for (const step of this.steps.all) step.catchUp?.();
    if (object !== null) {
      if (stage === 'update') this.#parts.follower.hierarchy.untrack(object);
      else this.steps.of(stage)?.leave?.(object);
      return;
    }
    if (stage === 'update') this.#picking.remove(this.#scene);
    this.steps.end(stage);
  }

  /** Resolved when all requested code has loaded, or failed to load, and probes have answered. */
  get ready(): Promise<void> {
    return Promise.all([...[...this.#chunks].map((chunk) => chunk.load()), this.#wait]).then(() => {});
  }

  /** Loads code, and has the page draw again when all of it has loaded. */
  #want<T>(chunk: Lazy<T>): T | null {
    const code = chunk.get();
    if (this.#chunks.has(chunk)) return code;
    this.#chunks.add(chunk);
    if (code === null) {
      void this.ready.then(() => {
        if (chunk.failure === null) this.#redraws.renew().ask();
      });
    }
    return code;
  }

  ended(over: readonly ActiveRender[]): void {
    this.#stages.run('lists', () => {
      this.#gate.release(over);
      this.steps.each((step) => step.endRender?.());
      if (this.#renders.depth === 0) this.#afterPicture(over[0].renderer);
    });
  }

  /** Has the page draw again when the next picture would be cheaper or different. */
  #afterPicture(renderer: ActiveRender['renderer']): void {
    const isPending = (): boolean => this.steps.all.some((step) => step.isPending);
    const wait = this.steps.of('occlusion')?.waitFor?.(renderer) ?? null;
    // A page that draws on demand has to draw until all geometries are copied.
    if (this.steps.batching.isCopying) this.#redraws.renew();
    // While a probe is in progress, pending work waits for the answer, too.
    this.#redraws.afterPicture(wait === null && isPending());
    if (wait === this.#wait) return;
    this.#wait = wait;
    void wait?.then((isOther) => {
      if (isOther || isPending()) this.#redraws.ask();
    });
  }

  #watchEntries(): void {
    const { follower } = this.#parts;
    const watch = (record: ObjectRecord): void => {
      for (const step of this.steps.all) step.added?.(record);
      this.#redraws.renew();
    };
    follower.onForget = (object) => {
      for (const step of this.steps.all) step.forget?.(object);
    };
    follower.onEntry = watch;
    for (const record of follower.hierarchy.records.all()) {
      if (!record.isEntry) continue;
      watch(record);
      // The methods that steps have put on objects with instances count as known, not as changes of the page.
      if (record.hasInstances) follower.keep(record);
    }
  }

  #interceptUpdates(undo: (step: () => void) => void): void {
    const scene = this.#scene;
    const before = scene.updateMatrixWorld;
    const update = (force = false): void => {
      // A page's wrapper may call this method after the index was disposed.
      if (this.#parts.isDisposed || this.#stages.isOff('update')) {
        before.call(scene, force);
        return;
      }
      this.#renders.checkHooks();
      const { records } = this.#parts.follower.hierarchy;
      // Objects that are no longer followed may have half-made matrices.
      if (!this.#follow(force)) before.call(scene, true);
      // The index may have been told to leave its own root out.
      else if (!records.has(scene)) before.call(scene, force);
      else this.#parts.follower.updateUnfollowed();
    };
    replacedUpdates.set(update, before);
    undo(replaceMethod(scene, 'updateMatrixWorld', update));
  }

  /**
   * Does what three's own method does, for followed objects through the index. Objects above the scene are left alone.
   * @param asIs Whether all matrices are left as they are.
   * @returns false when plain three has to do it.
   */
  #follow(force: boolean, asIs = false): boolean {
    const { follower, entries } = this.#parts;
    const stages = this.#stages;
    for (;;) {
      try {
        follower.update(force, asIs);
        break;
      } catch (error) {
        const { failedAt } = follower;
        if (failedAt === 'page') throw error;
        stages.fail(error, 'update', failedAt === this.#scene ? null : failedAt);
        if (stages.isOff('update')) return false;
      }
    }
    stages.run('lists', () => structureOf(entries.measured, 'accelerate').maintain(MAINTENANCE_MS));
    for (const step of this.steps.all) if (step.update) stages.run(step.stage, () => step.update?.(MAINTENANCE_MS));
    return true;
  }
}

/** Most calls of `onChange` for one load or edit. */
const MOST_CALLS = 3;

/** Tells a page that draws on demand when its next picture would be cheaper or different without its doing. */
export class Redraws {
  readonly #onChange: () => void;
  /** Number of calls left; negative once disposed. */
  #left = MOST_CALLS;
  /** True from telling the page until it has drawn. */
  #isAsked = false;
  /** Whether work was pending after the last picture drawn in this task; null between tasks. */
  #isPending: boolean | null = null;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Allows as many calls as at first: code was loaded, or the scene edited. */
  renew(): this {
    if (this.#left >= 0) this.#left = MOST_CALLS;
    return this;
  }

  /** Tells the page in a microtask: never within a picture. */
  ask(): void {
    if (this.#isAsked || this.#left <= 0) return;
    this.#left--;
    this.#isAsked = true;
    queueMicrotask(() => {
      if (this.#left < 0) return;
      try {
        this.#onChange();
      } catch (error) {
        console.error('accelerate.onChange:', error);
      }
    });
  }

  /**
   * Records a picture. A page may draw several pictures in one task: the last one counts.
   * @param isPending Whether the next picture would be cheaper or different.
   */
  afterPicture(isPending: boolean): void {
    const isFirst = this.#isPending === null;
    this.#isPending = isPending;
    if (!isFirst) return;
    queueMicrotask(() => {
      const wasPending = this.#isPending === true;
      if (!wasPending && !this.#isAsked) this.renew();
      this.#isPending = null;
      this.#isAsked = false;
      if (wasPending) this.ask();
    });
  }

  dispose(): void {
    this.#left = -1;
  }
}
