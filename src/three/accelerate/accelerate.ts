import { Mesh, type Object3D, REVISION, type Scene } from 'three';
import { checkMilliseconds } from '../../core/checkMilliseconds.js';
import { inWords } from '../../core/inWords.js';
import { maintainSoon } from '../../structures/maintainSoon.js';
import { replacedUpdates } from '../follow/replacedUpdates.js';
import { MAINTENANCE_MS } from '../maintenanceMs.js';
import { checkObject } from '../objects/checks.js';
import { describe } from '../objects/describe.js';
import { replaceMethod } from '../objects/replaceMethod.js';
import { ActiveRenders } from '../passes/ActiveRenders.js';
import { PassDetector } from '../passes/PassDetector.js';
import { partsOf, SceneIndex, type SceneIndexOptions } from '../SceneIndex.js';
import type { SceneParts } from '../SceneParts.js';
import { CasterCulling } from '../shadows/CasterCulling.js';
import { Crowds } from './Crowds.js';
import { Gate } from './Gate.js';
import { MeshBatching } from './MeshBatching.js';
import { RaycastFilter } from './RaycastFilter.js';
import { ScenePicking } from './ScenePicking.js';

/** The first revision whose renderers ask objects themselves whether they meet a frustum. */
const OLDEST = 186;

const accelerated = new WeakSet<Object3D>();

/** Options of {@link accelerate}. */
export interface AccelerateOptions extends SceneIndexOptions {
  /**
   * Leaves casters out of shadow passes whose shadow cannot reach what the camera sees: the same picture with fewer
   * draws. Default false. It counts with `WebGLRenderer` and three's own shadow filters.
   *
   * Not for scenes in which anything but the picture looks into the shadow maps, or whose shaders draw things elsewhere
   * than they are. Where an object that calls back while it is drawn is in view, as mirrors do, all casters are drawn.
   * A shadow map that lacks casters and is to be kept, as `autoUpdate` was switched off, is made once more for the next
   * picture.
   */
  cullCasters?: boolean;
  /**
   * Milliseconds that each update of the root's matrices, once a frame as a rule, may spend on `maintain`: work that
   * keeps queries fast where things move. Default 0.5; nothing is spent where little has changed, or with 0.
   */
  maintenanceMs?: number;
  /**
   * Has meshes of several hundred instances go through indices of these: the draw lists of each `BatchedMesh`, which are
   * those that three makes; what passes draw of an `InstancedMesh`, the instances that they see; and casts at either, with
   * the hits of three. An index is built within `maintenanceMs` an update, at once where that is 0; until then, and where
   * an `InstancedMesh` has to be drawn as a whole, as `explain` tells, all is as without. Default true.
   */
  instances?: boolean;
  /**
   * Has meshes that are alike drawn at once: those of one material, of the same attributes, flags and layers, become a
   * draw call of a `BatchedMesh` that no scene holds. The scene stays as it is, to read, move, pick and edit. Opaque meshes
   * with three's own materials join by themselves when they are seen first, and leave when they change into something
   * that cannot. Default false.
   */
  batch?: boolean;
}

/**
 * Has renderers and raycasters go through an index, from now on and with no other change: `renderer.render(scene,
 * camera)` visits what the camera and each light see, the scene's matrix pass skips what is at rest, and
 * `raycaster.intersectObject(scene)` asks the tree. Pictures and hits are the same as without. A raycaster with
 * `firstHitOnly`, the property of three-mesh-bvh, gets the nearest hit of all below the scene, and stops there.
 *
 * To this end the scene gets own methods `onBeforeRender`, `onAfterRender`, `updateMatrixWorld` and `raycast`, which
 * call what was there; an accessor `children`, which reads and writes as before; and its `layers` an own `test`. What
 * is drawn gets a `raycast` that answers at once where the index knows of no hit, for
 * `raycaster.intersectObjects(scene.children)`, and a batch an own method that makes its draw lists. `dispose` of the
 * index takes all of it away.
 *
 * Between `onBeforeRender` and `onAfterRender` of a picture, whoever tests the layers of the scene and then reads its
 * children is a pass of the renderer, and finds a list made for it; every other reading gives the real children. If
 * `onBeforeRender` is replaced later by a method that does not call the one before it, renderers traverse the whole
 * scene, which is said once by a warning. A pass lists the topmost objects in view; what lies below a listed mesh is
 * traversed by the renderer as ever.
 *
 * A cast at the scene finds all that lies below it, even by `intersectObject(scene, false)`, which finds nothing
 * otherwise.
 *
 * In place of an `InstancedMesh` of several hundred instances a pass may draw an object whose prototype it is, with the
 * instances in view: a sort function of the user's meets that.
 *
 * What is drawn comes in the order that the renderer sorts it into, or in the scene's with `sortObjects = false`. Only
 * where a sort function of the user's has ties, it is undecided which of two comes first.
 *
 * @param scene It may lie in another scene, accelerated or not, or hold some.
 * @returns the index, which is updated whenever the scene's matrices are; with those of a followed root above it, too.
 * @throws TypeError for what is no Scene. Error when the scene is accelerated already, or three, or the copy that made
 * the scene, is older than r186; what {@link SceneIndex} throws. Whatever is thrown: the scene is as it was before.
 */
export function accelerate(scene: Scene, options: AccelerateOptions = {}): SceneIndex {
  checkScene(scene);
  if (options === null || typeof options !== 'object') {
    throw new TypeError(`accelerate.options: must be an object, got ${inWords(options)}`);
  }
  // A copy has own properties only, and they stay what they were when they were checked.
  const {
    cullCasters = false,
    maintenanceMs = MAINTENANCE_MS,
    instances = true,
    batch = false,
    ...rest
  } = { ...options };
  if (typeof cullCasters !== 'boolean') {
    throw new TypeError(`accelerate.cullCasters: must be a boolean, got ${inWords(cullCasters)}`);
  }
  if (typeof instances !== 'boolean') {
    throw new TypeError(`accelerate.instances: must be a boolean, got ${inWords(instances)}`);
  }
  if (typeof batch !== 'boolean') throw new TypeError(`accelerate.batch: must be a boolean, got ${inWords(batch)}`);
  checkMilliseconds(maintenanceMs, 'accelerate.maintenanceMs:');
  if (Number.parseInt(REVISION, 10) < OLDEST || Mesh.prototype.intersectsFrustum === undefined) {
    throw new Error(
      `accelerate: three r${OLDEST} or newer is needed, this is r${REVISION}; SceneIndex alone works with r168 or newer`,
    );
  }
  if (typeof scene.intersectsFrustum !== 'function') {
    throw new Error(`accelerate.scene: it is of a copy of three older than r${OLDEST}`);
  }
  if (accelerated.has(scene))
    throw new Error('accelerate: this scene is accelerated already; dispose that index first');
  const index = new SceneIndex(scene, rest);
  try {
    new Acceleration(scene, index, { cullCasters, maintenanceMs, instances, batch });
  } catch (error) {
    index.dispose();
    throw error;
  }
  return index;
}

type Settings = Required<Omit<AccelerateOptions, keyof SceneIndexOptions>>;

/** What is put on a scene and the objects below it, until its index is disposed. */
class Acceleration {
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
    const renders = this.#interceptPasses(options.cullCasters, options.batch);
    this.#watchEntries();
    this.#interceptUpdates(renders);
    keepFast(scene);
    accelerated.add(scene);
    this.#parts.onDispose(() => accelerated.delete(scene));
  }

  #interceptPasses(cullCasters: boolean, isBatched: boolean): ActiveRenders {
    const scene = this.#scene;
    const { follower, entries, picker } = this.#parts;
    const undo = (step: () => void): void => this.#parts.onDispose(step);
    const casters = cullCasters ? new CasterCulling(follower.traits) : null;
    if (casters !== null) undo(() => casters.dispose());
    const renders = new ActiveRenders(
      scene,
      {
        begun: ({ renderer }, depth) => {
          detector.renew();
          casters?.begin(renderer, depth > 0);
        },
        ended: (over) => {
          detector.forget();
          gate.release(over);
        },
      },
      undo,
    );
    const isRendering = (): boolean => renders.depth > 0;
    const detector: PassDetector = new PassDetector(scene, isRendering, (layers) => gate.meet(layers), undo);
    const picking = new ScenePicking(scene, follower, picker, () => detector.forget(), undo);
    const batching = new MeshBatching(renders, { mergeColors: true });
    undo(() => batching.end());
    this.#batching = batching;
    if (isBatched) batching.begin();
    const gate: Gate = new Gate(scene, {
      follower,
      entries,
      renders,
      casters,
      crowds: this.#crowds,
      batching,
      children: () => detector.children,
      pick: (raycaster, hits) => picking.pick(raycaster, hits),
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
      this.#batching?.batches?.forget(object);
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
    if (this.#maintenanceMs > 0) maintainSoon(this.#parts.entries.measured, this.#maintenanceMs);
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

function checkScene(scene: Scene): void {
  checkObject(scene, 'accelerate.scene');
  if (scene.isScene !== true) throw new TypeError(`accelerate.scene: must be a Scene, got ${describe(scene)}`);
}
