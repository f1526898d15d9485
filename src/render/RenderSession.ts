import type { Object3D, Scene } from 'three';
import { batchingCode, batchReports, levelsCode, MeshBatching } from '../batching/MeshBatching.js';
import { structureOf } from '../contract/Structure.js';
import { Lazy } from '../core/Lazy.js';
import { InstancedCulling, instancesCode } from '../instances/InstancedCulling.js';
import { type ActiveRender, ActiveRenders, type RenderEvents } from '../passes/ActiveRenders.js';
import { occlusionReports } from '../passes/Pass.js';
import { type Stage, Stages, stagesOf } from '../passes/Stages.js';
import { isLimit } from '../scene/ask/SceneLimits.js';
import { replacedUpdates } from '../scene/follow/Motion.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { SceneParts } from '../scene/SceneParts.js';
import { MAINTENANCE_MS } from '../structures/maintain.js';
import { replaceMethod } from '../three/methods.js';
import { PassDetector } from '../three/PassDetector.js';
import type { Settings } from './AccelerateOptions.js';
import { Gate } from './Gate.js';
import { ScenePicking } from './ScenePicking.js';

/**
 * Stands between an accelerated scene and the renderers, raycasters and matrix updates that come to it. Constructing a
 * session leaves the scene alone; `install` hooks into it, and disposing the index removes the hooks.
 */
export class RenderSession implements RenderEvents {
  readonly #scene: Scene;
  readonly #parts: SceneParts;
  readonly #settings: Settings;
  readonly #instances: InstancedCulling | null;
  readonly #batching: MeshBatching;
  readonly #renders: ActiveRenders;
  readonly #gate: Gate;
  readonly #detector: PassDetector;
  readonly #picking: ScenePicking;
  readonly #redraws: Redraws;
  readonly #stages = new Stages((stage, object) => this.#leaveToThree(stage, object));
  /** Subtrees that neither hide others nor are hidden, or do and are again. */
  readonly #occlusionMarks = new WeakMap<Object3D, boolean>();
  /** The code of all that was asked for. */
  readonly #chunks = new Set<Lazy<unknown>>();
  #probe: Promise<unknown> | null = null;

  constructor(scene: Scene, parts: SceneParts, settings: Settings) {
    const { follower, entries } = parts;
    this.#scene = scene;
    this.#parts = parts;
    this.#settings = settings;
    this.#renders = new ActiveRenders(scene, this);
    this.#redraws = new Redraws(settings.onChange);
    this.#instances = settings.instances ? new InstancedCulling(this.#stages) : null;
    this.#batching = new MeshBatching(scene, this.#renders, this.#stages, settings.batching, settings.levels, () =>
      this.#redraws.renew().ask(),
    );
    this.#gate = new Gate(follower, entries, this.#renders, this.#batching, this.#instances, this.#stages, settings);
    this.#detector = new PassDetector(scene);
    this.#picking = new ScenePicking(parts);
  }

  /** To be called once. If it throws, disposing the index removes what was installed. */
  install(): void {
    const scene = this.#scene;
    const undo = (step: () => void): void => this.#parts.onDispose(step);
    // Undone first, while the renders still tell whether a picture is in progress.
    undo(() => {
      this.#redraws.dispose();
      this.#endStage('lists');
      batchReports.delete(scene);
      stagesOf.delete(scene);
      this.#instances?.dispose();
    });
    batchReports.set(scene, this.#batching);
    stagesOf.set(scene, this.#stages);
    if (this.#settings.isBatched) this.batch(scene, true);
    if (this.#settings.cullCasters) this.#want(casterCode);
    if (this.#settings.occlusion) this.#want(occlusionCode);
    if (isLimit(this.#settings)) this.#gate.limits = this.#parts.limits;
    this.#renders.install(undo);
    undo(() => this.#detector.remove());
    this.#detector.install(this.#renders, (layers, children) => this.#gate.childrenForPass(layers, children));
    this.#picking.install(scene, undo);
    this.#watchEntries();
    this.#interceptUpdates(undo);
    // V8 reads every property of an object more slowly once some were redefined, until it becomes a prototype: in Chromium
    // 147 a frame of ten meshes takes 1.02 of plain three's time then, not 1.04.
    Object.create(scene);
  }

  /** Sets whether a subtree is drawn in batches, now or once it comes. */
  batch(object: Object3D, isBatched: boolean): void {
    this.#batching.set(object, isBatched);
    if (isBatched) this.#want(batchingCode);
    if (isBatched && this.#settings.levels !== null) this.#want(levelsCode);
  }

  /** Sets whether a subtree is drawn by levels of detail. */
  levels(object: Object3D, isLeveled: boolean): void {
    this.#batching.setLeveled(object, isLeveled);
  }

  /** Sets whether a subtree may hide others and be hidden. */
  occlude(object: Object3D, isOccluded: boolean): void {
    this.#occlusionMarks.set(object, isOccluded);
    this.#gate.occlusion?.noteMarks();
  }

  begun(render: ActiveRender): void {
    // Renderers leave matrices to the page then, and draw by those that are there.
    if (!this.#scene.matrixWorldAutoUpdate && !this.#stages.isOff('update')) this.#follow(false, true);
    if (!this.#stages.isOff('lists')) this.#stages.run('lists', () => this.#begin(render));
  }

  #begin({ renderer, slot }: ActiveRender): void {
    const stages = this.#stages;
    this.#detector.renew();
    stages.at = 'batch';
    if (slot === 0) this.#batching.beginPicture(renderer);
    stages.at = 'cullCasters';
    // All casters are drawn until the code has loaded.
    const code = this.#settings.cullCasters && !stages.isOff('cullCasters') ? casterCode.get() : null;
    if (code !== null) this.#gate.casters ??= new code.CasterCulling(this.#parts.follower.traits);
    this.#gate.casters?.begin(renderer, slot > 0);
    stages.at = 'occlusion';
    // Everything in view is drawn until the code has loaded.
    const isWanted = this.#settings.occlusion && this.#gate.occlusion === null && !stages.isOff('occlusion');
    const occlusion = isWanted ? occlusionCode.get() : null;
    if (occlusion === null) return;
    const { entries, follower } = this.#parts;
    this.#gate.occlusion = new occlusion.SceneOcclusion(entries, follower, this.#occlusionMarks);
    occlusionReports.set(this.#scene, this.#gate.occlusion);
  }

  /** What is to be done when a stage has failed: from now on, and where passes are still to come in this picture. */
  #leaveToThree(stage: Stage, object: Object3D | null): void {
    const render = this.#renders.current;
    if (render !== null) render.isPlain = true;
    this.#redraws.renew().ask();
    this.#instances?.catchUp();
    if (object !== null) {
      if (stage === 'update') this.#parts.follower.hierarchy.untrack(object);
      else if (stage === 'batch') this.#batching.leave(object);
      else this.#instances?.remove(object);
      return;
    }
    if (stage === 'update') this.#picking.remove(this.#scene);
    this.#endStage(stage);
  }

  /** Without updates or lists there is none of the others. */
  #endStage(stage: Stage): void {
    const gate = this.#gate;
    const isEnding = (one: Stage): boolean => stage === one || stage === 'update' || stage === 'lists';
    if (isEnding('limits')) gate.limits = null;
    if (isEnding('cullCasters')) {
      gate.casters?.dispose();
      gate.casters = null;
    }
    if (isEnding('occlusion')) {
      gate.occlusion?.dispose();
      gate.occlusion = null;
      occlusionReports.delete(this.#scene);
    }
    if (isEnding('instances')) this.#instances?.stop();
    if (isEnding('batch')) this.#batching.dispose();
  }

  /** Resolved when the code of all that was asked for is there, or could not be loaded, and probes have answered. */
  get ready(): Promise<void> {
    return Promise.all([...[...this.#chunks].map((chunk) => chunk.load()), this.#probe]).then(() => {});
  }

  /** Loads code, and has the page draw again when all is there. */
  #want(chunk: Lazy<unknown>): void {
    if (this.#chunks.has(chunk)) return;
    const isNew = chunk.get() === null;
    this.#chunks.add(chunk);
    if (!isNew) return;
    void this.ready.then(() => {
      if (chunk.failure === null) this.#redraws.renew().ask();
    });
  }

  ended(over: readonly ActiveRender[]): void {
    this.#stages.run('lists', () => {
      this.#gate.release(over);
      this.#stages.at = 'batch';
      this.#batching.endRender();
      this.#stages.at = 'occlusion';
      if (this.#renders.depth === 0) this.#afterPicture(over[0].renderer);
    });
  }

  /** Has the page draw again when the next picture would be cheaper, or another. */
  #afterPicture(renderer: ActiveRender['renderer']): void {
    const isPending = (): boolean => this.#batching.isPending || this.#instances?.isPending === true;
    const probe = this.#settings.occlusion ? (occlusionCode.get()?.probeOf(renderer) ?? null) : null;
    // What waits for the next picture waits for the answer of a probe, too.
    this.#redraws.afterPicture(probe === null && isPending());
    if (probe === this.#probe) return;
    this.#probe = probe;
    void probe?.then((depths) => {
      if (depths === 'right' || isPending()) this.#redraws.ask();
    });
  }

  #watchEntries(): void {
    const { follower } = this.#parts;
    const watch = ({ object, hasInstances }: ObjectRecord): void => {
      this.#batching.entryAdded();
      this.#redraws.renew();
      if (!hasInstances || this.#instances === null) return;
      const instances = this.#instances;
      this.#want(instancesCode);
      this.#stages.run('instances', () => instances.add(object));
    };
    follower.onForget = (object) => {
      this.#picking.marks.forget(object);
      this.#instances?.remove(object);
      this.#batching.forget(object);
    };
    follower.onEntry = watch;
    for (const record of follower.hierarchy.records.values()) {
      if (!record.isEntry) continue;
      watch(record);
      follower.keep(record);
    }
  }

  #interceptUpdates(undo: (step: () => void) => void): void {
    const scene = this.#scene;
    const before = scene.updateMatrixWorld;
    const update = (force = false): void => {
      // Methods that wrap this one may outlive it.
      if (this.#parts.isDisposed || this.#stages.isOff('update')) {
        before.call(scene, force);
        return;
      }
      this.#renders.checkHooks();
      const { records } = this.#parts.follower.hierarchy;
      // Of objects that were followed and are no more, matrices may be half made.
      if (!this.#follow(force)) before.call(scene, true);
      // The index may have been told to leave its own root out.
      else if (!records.has(scene)) before.call(scene, force);
      else this.#parts.follower.updateUnfollowed();
    };
    replacedUpdates.set(update, before);
    undo(replaceMethod(scene, 'updateMatrixWorld', update));
  }

  /**
   * Does what three's own method does, for followed objects through the index. Objects above the scene were updated before,
   * or are not to be.
   * @param asIs Whether all matrices are left as they are.
   * @returns false where plain three has to.
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
    stages.run('batch', () => this.#batching.rest());
    stages.run('lists', () => structureOf(entries.measured, 'accelerate').maintain(MAINTENANCE_MS));
    const build = (): void => this.#instances?.build(MAINTENANCE_MS);
    if (this.#instances?.isUsed) stages.run('instances', build);
    return true;
  }
}

/** Lazy because they import the texts of three's shaders, which pages with only WebGPURenderer do without. */
const occlusionCode = /* @__PURE__ */ new Lazy(() => import('./occlusion/SceneOcclusion.js'));
const casterCode = /* @__PURE__ */ new Lazy(() => import('./CasterCulling.js'));

/** Most calls for one load or edit. */
const MOST = 3;

/** Tells a page that draws on demand when its next picture would be cheaper, or another, though it has changed nothing. */
export class Redraws {
  readonly #onChange: () => void;
  /** Calls that are left; negative once it is disposed. */
  #left = MOST;
  /** The page was told, and has not drawn since. */
  #isAsked = false;
  /** Of the last picture that was drawn in this task; null between two. */
  #isPending: boolean | null = null;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Allows as many calls as at first: something was loaded, or edited. */
  renew(): this {
    if (this.#left >= 0) this.#left = MOST;
    return this;
  }

  /** Tells the page, soon: never within a picture. */
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
   * A page may draw several pictures at a time: the last one counts.
   * @param isPending Whether the next picture would be cheaper, or another.
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

  /** Ends all calls. */
  dispose(): void {
    this.#left = -1;
  }
}
