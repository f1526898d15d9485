import type { Object3D, Scene } from 'three';
import { maintain } from '../../structures/maintain.js';
import { batchReports } from '../autobatch/batchReports.js';
import { replacedUpdates } from '../follow/replacedUpdates.js';
import { replaceMethod } from '../objects/replaceMethod.js';
import { ActiveRenders } from '../passes/ActiveRenders.js';
import { PassDetector } from '../passes/PassDetector.js';
import { partsOf, type SceneIndex } from '../SceneIndex.js';
import type { SceneParts } from '../SceneParts.js';
import { CasterCulling } from '../shadows/CasterCulling.js';
import type { Settings } from './AccelerateOptions.js';
import { Crowds } from './Crowds.js';
import { Gate } from './Gate.js';
import { MeshBatching } from './MeshBatching.js';
import { RaycastFilter } from './RaycastFilter.js';
import { ScenePicking } from './ScenePicking.js';

/** What is put on a scene and the objects below it, until its index is disposed. */
export class Acceleration {
  readonly #scene: Scene;
  readonly #parts: SceneParts;
  readonly #maintenanceMs: number;
  readonly #crowds: Crowds | null;
  #batching: MeshBatching | null = null;

  constructor(scene: Scene, index: SceneIndex, options: Settings) {
    this.#scene = scene;
    this.#parts = partsOf(index, 'accelerate');
    this.#maintenanceMs = options.maintenanceMs;
    this.#crowds = options.instances ? new Crowds() : null;
    const renders = this.#interceptPasses(options);
    this.#watchEntries();
    this.#interceptUpdates(renders);
    keepFast(scene);
  }

  /** Has an object, with all below it, drawn in batches or not; false for one that is not followed. */
  setBatched(object: Object3D, isBatched: boolean): boolean {
    if (!this.#parts.follower.hierarchy.records.has(object)) return false;
    this.#batching?.set(object, isBatched);
    return true;
  }

  #interceptPasses({ cullCasters, isBatched, batching: settings }: Settings): ActiveRenders {
    const scene = this.#scene;
    const { follower, entries, picker } = this.#parts;
    const undo = (step: () => void): void => this.#parts.onDispose(step);
    const casters = cullCasters ? new CasterCulling(follower.traits) : null;
    if (casters !== null) undo(() => casters.dispose());
    // Given up before the renders are, which tell whether a picture is being made.
    const batching = new MeshBatching(scene, () => renders, settings);
    undo(() => batching.dispose());
    this.#batching = batching;
    batchReports.set(scene, batching);
    undo(() => batchReports.delete(scene));
    if (isBatched) batching.set(scene, true);
    const renders: ActiveRenders = new ActiveRenders(
      scene,
      {
        begun: ({ renderer }, depth) => {
          detector.renew();
          if (depth === 0) batching.beginPicture();
          casters?.begin(renderer, depth > 0);
        },
        ended: (over) => {
          gate.release(over);
          if (renders.depth === 0) batching.endPicture();
        },
      },
      undo,
    );
    const detector: PassDetector = new PassDetector(scene, renders, (layers) => gate.meet(layers), undo);
    new ScenePicking(scene, follower, picker, undo);
    const gate: Gate = new Gate(scene, {
      follower,
      entries,
      renders,
      casters,
      crowds: this.#crowds,
      batching,
      children: () => detector.children,
    });
    return renders;
  }

  #watchEntries(): void {
    const { follower, entries } = this.#parts;
    const filter = new RaycastFilter(this.#scene, entries, follower.traits);
    this.#parts.onDispose(() => {
      for (const object of follower.hierarchy.records.keys()) filter.remove(object);
      filter.dispose();
    });
    this.#parts.onDispose(() => this.#crowds?.dispose());
    const take = (object: Object3D): void => {
      filter.put(object);
      this.#crowds?.take(object);
    };
    follower.onForget = (object) => {
      filter.remove(object);
      this.#crowds?.forget(object);
      this.#batching?.forget(object);
    };
    follower.onTake = take;
    follower.onChild = (parent) => filter.noteChild(parent);
    for (const { object, isEntry } of follower.hierarchy.records.values()) if (isEntry) take(object);
  }

  #interceptUpdates(renders: ActiveRenders): void {
    const before = this.#scene.updateMatrixWorld;
    const update = (force = false): void => {
      // Who wrapped this method may go on to call it.
      if (this.#parts.isDisposed) {
        before.call(this.#scene, force);
        return;
      }
      renders.checkHooks();
      this.#updateMatrices(before, force);
    };
    replacedUpdates.set(update, before);
    this.#parts.onDispose(replaceMethod(this.#scene, 'updateMatrixWorld', update));
  }

  /**
   * What three's own method does, for the followed objects by the index.
   * @param before That method.
   */
  #updateMatrices(before: Object3D['updateMatrixWorld'], force: boolean): void {
    // What is above was updated before, or is not to be.
    const { follower } = this.#parts;
    follower.update(force);
    if (this.#maintenanceMs > 0) maintain(this.#parts.entries.measured, this.#maintenanceMs);
    this.#batching?.rest();
    this.#crowds?.build(this.#maintenanceMs || Number.POSITIVE_INFINITY);
    // The root may have been taken out of the index, with all below it.
    if (!follower.hierarchy.records.has(this.#scene)) {
      before.call(this.#scene, force);
      return;
    }
    const { excluded, records } = follower.hierarchy;
    if (excluded.size === 0) return;
    const isForced = force || this.#scene.matrixAutoUpdate;
    for (const object of excluded) {
      // Below an object with an `updateMatrixWorld` of its own, that decides.
      if (!records.get(object.parent as Object3D)?.managed) object.updateMatrixWorld(isForced);
    }
  }
}

/**
 * Properties that were redefined make V8 keep an object as a dictionary, so that renderers read all others more slowly.
 * What becomes the prototype of another object is made fast again: in Chromium 147 a frame of ten meshes takes 1.02 of
 * the time it takes without an index, and not 1.04.
 */
function keepFast(root: Object3D): void {
  Object.create(root);
}
