import type { Object3D, Scene } from 'three';
import { batchReports, MeshBatching } from '../batching/MeshBatching.js';
import { structureOf } from '../contract/Structure.js';
import { lazy } from '../core/lazy.js';
import { InstancedCulling } from '../instances/InstancedCulling.js';
import { type ActiveRender, ActiveRenders, type RenderEvents } from '../passes/ActiveRenders.js';
import type { PassDetector } from '../passes/PassDetector.js';
import type { SceneLimits } from '../scene/ask/SceneLimits.js';
import { isLimit } from '../scene/DrawLimits.js';
import { replacedUpdates } from '../scene/follow/Motion.js';
import { replaceMethod } from '../scene/objects/methods.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';
import type { SceneParts } from '../scene/SceneParts.js';
import type { Settings } from './AccelerateOptions.js';
import { Gate } from './Gate.js';
import { RaycastFilter } from './RaycastFilter.js';
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
  readonly #filter: RaycastFilter;
  readonly picking: ScenePicking;

  constructor(scene: Scene, parts: SceneParts, settings: Settings, detector: PassDetector) {
    const { follower, entries } = parts;
    this.#scene = scene;
    this.#parts = parts;
    this.#settings = settings;
    this.#renders = new ActiveRenders(scene, this);
    this.#instances = settings.instances ? new InstancedCulling() : null;
    this.#batching = new MeshBatching(scene, this.#renders, settings.batching);
    this.#gate = new Gate(follower, entries, this.#renders, this.#batching, this.#instances, settings);
    this.#detector = detector;
    this.#filter = new RaycastFilter(scene, entries, follower.traits);
    this.picking = new ScenePicking(follower, parts.picker, this.#filter);
  }

  /** To be called once. If it throws, disposing the index removes what was installed. */
  install(): void {
    const scene = this.#scene;
    const undo = (step: () => void): void => this.#parts.onDispose(step);
    // Undone first, while the renders still tell whether a picture is in progress.
    undo(() => this.#disposeParts());
    batchReports.set(scene, this.#batching);
    if (this.#settings.isBatched) this.#batching.set(scene, true);
    if (this.#settings.cullCasters) casterCode();
    if (this.#settings.occlusion !== null) this.#parts.wantOcclusion();
    this.#wantLimits();
    this.#renders.install(undo);
    undo(() => this.#detector.stop());
    this.#detector.serve(this.#renders, this.#gate);
    this.picking.install(scene, undo);
    this.#watchEntries();
    this.#interceptUpdates(undo);
    keepFast(scene);
  }

  /** True between the beginning and the end of a picture. */
  get isRendering(): boolean {
    return this.#renders.depth > 0;
  }

  /** Number of batches; null until the code for them is there. */
  get batchCount(): number | null {
    return this.#batching.made?.count ?? null;
  }

  /** Sets whether a subtree is drawn in batches, now or once it comes. Returns false for one that is not followed. */
  setBatched(object: Object3D, isBatched: boolean): boolean {
    this.#batching.set(object, isBatched);
    return this.#parts.follower.hierarchy.records.has(object);
  }

  begun({ renderer }: ActiveRender, depth: number): void {
    this.#detector.renew();
    if (depth === 0) this.#batching.beginPicture(renderer);
    // All casters are drawn until the code has loaded.
    const code = this.#settings.cullCasters ? casterCode() : null;
    if (code !== null) this.#gate.casters ??= new code.CasterCulling(this.#parts.follower.traits);
    this.#gate.casters?.begin(renderer, depth > 0);
    // Everything in view is drawn until the code has loaded.
    if (this.#settings.occlusion !== null) this.#gate.occlusion ??= this.#parts.wantOcclusion();
    this.#gate.limits ??= this.#wantLimits();
  }

  /** What leaves out small and distant objects; null where nothing is, and until the code for it has loaded. */
  #wantLimits(): SceneLimits | null {
    const isLimited = isLimit(this.#settings.limits) || this.#parts.limitMarks.version > 0;
    return isLimited ? this.#parts.wantLimits() : null;
  }

  ended(over: readonly ActiveRender[]): void {
    this.#gate.release(over);
    if (this.#renders.depth === 0) this.#batching.endPicture();
  }

  #disposeParts(): void {
    this.#gate.casters?.dispose();
    this.#batching.dispose();
    batchReports.delete(this.#scene);
    for (const object of this.#parts.follower.hierarchy.records.keys()) this.#filter.remove(object);
    this.#filter.dispose();
    this.#instances?.dispose();
  }

  #watchEntries(): void {
    const { follower } = this.#parts;
    const take = ({ object, hasInstances }: ObjectRecord): void => {
      this.#filter.put(object);
      this.#batching.noteEntry();
      if (hasInstances) this.#instances?.add(object);
    };
    follower.onForget = (object) => {
      this.#filter.remove(object);
      this.#instances?.remove(object);
      this.#batching.forget(object);
    };
    follower.onEntry = take;
    follower.onChild = (parent) => this.#filter.noteChild(parent);
    for (const record of follower.hierarchy.records.values()) if (record.isEntry) take(record);
  }

  #interceptUpdates(undo: (step: () => void) => void): void {
    const scene = this.#scene;
    const before = scene.updateMatrixWorld;
    const update = (force = false): void => {
      // Methods that wrap this one may outlive it.
      if (this.#parts.isDisposed) {
        before.call(scene, force);
        return;
      }
      this.#renders.checkHooks();
      this.#updateMatrices(before, force);
    };
    replacedUpdates.set(update, before);
    undo(replaceMethod(scene, 'updateMatrixWorld', update));
  }

  /**
   * Does what three's own method does, for followed objects through the index.
   * @param before That method.
   */
  #updateMatrices(before: Object3D['updateMatrixWorld'], force: boolean): void {
    // Objects above the scene were updated before, or are not to be.
    const { follower, entries } = this.#parts;
    const { maintenanceMs } = this.#settings;
    follower.update(force);
    if (maintenanceMs > 0) structureOf(entries.measured, 'accelerate').maintain(maintenanceMs);
    this.#batching.rest();
    if (this.#instances?.isUsed) this.#instances.build(maintenanceMs || Number.POSITIVE_INFINITY);
    // The index may have been told to leave its own root out.
    if (!follower.hierarchy.records.has(this.#scene)) {
      before.call(this.#scene, force);
      return;
    }
    follower.updateUnfollowed();
  }
}

/** Lazy because it imports the texts of three's shaders, which pages with only WebGPURenderer do without. */
const casterCode = lazy(() => import('./CasterCulling.js'));

/**
 * V8 turns an object whose properties were redefined into a dictionary, from which renderers read every property more
 * slowly. Becoming a prototype makes it fast again: in Chromium 147 a frame of ten meshes takes 1.02 of plain three's
 * time, not 1.04.
 */
export function keepFast(root: Object3D): void {
  Object.create(root);
}
