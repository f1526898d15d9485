import { Mesh, type Object3D, REVISION } from 'three';
import { inWords } from '../../core/inWords.js';
import { replacedUpdates } from '../follow/replacedUpdates.js';
import { checkObject } from '../objects/checks.js';
import { replaceMethod } from '../objects/replaceMethod.js';
import { MAINTENANCE_MS, partsOf, SceneIndex, type SceneIndexOptions } from '../SceneIndex.js';
import type { SceneParts } from '../SceneParts.js';
import { Gate } from './Gate.js';
import { RaycastFilter } from './RaycastFilter.js';

/** The first revision whose renderers ask objects themselves whether they meet a frustum. */
const OLDEST = 186;

const accelerated = new WeakSet<Object3D>();

/** Options of {@link accelerate}. */
export interface AccelerateOptions extends SceneIndexOptions {
  /**
   * Leaves casters out of shadow passes whose shadow cannot reach what the camera sees: the same picture with fewer
   * draws. Default false. It needs a `Scene` as root, and counts with `WebGLRenderer` and three's own shadow filters.
   *
   * Not for scenes in which anything but the picture looks into the shadow maps, or whose shaders draw things elsewhere
   * than they are. Where an object that calls back while it is drawn is in view, as mirrors do, all casters are drawn. A
   * shadow map that lacks casters and is to be kept, as `autoUpdate` was switched off, is made once more for the next
   * picture. It goes by the `onBeforeRender` that the scene has then; one that is set later ends it.
   */
  cullCasters?: boolean;
  /**
   * Milliseconds that each update of the root's matrices, once a frame as a rule, may spend on `maintain`: work that keeps
   * queries fast where things move. Default 0.5; nothing is spent where little has changed, or with 0.
   */
  maintenanceMs?: number;
}

/**
 * Has renderers and raycasters go through an index, from now on and with no other change:
 * `renderer.render(scene, camera)` visits what the camera and each light see, the scene's matrix pass skips what is at
 * rest, and `raycaster.intersectObject(scene)` asks the tree. Pictures and hits are the same as without. A raycaster with
 * `firstHitOnly`, the property of three-mesh-bvh, gets the nearest hit of all below the root, and stops there.
 *
 * To this end the root gets own properties `children` and `visible` (accessors; they read and write as before), `raycast`
 * and `updateMatrixWorld`, its `layers` an own `test`, and so do objects that are drawn and have children; what is drawn gets
 * a `raycast` that answers at once where the index knows of no hit, for `raycaster.intersectObjects(scene.children)`. With
 * `cullCasters` the root gets an `onBeforeRender` too, which calls the one it had.
 * `dispose` of the index takes all of it away.
 *
 * A renderer is known by asking whether the root is visible and testing its layers, a raycaster by having the root cast,
 * or by layers that do not meet. Who does just that, and leaves the root's children to another in the same task, has that
 * one find a list with one strange mesh in place of them: read `children` before, or a microtask later.
 *
 * What is drawn comes in the order that the renderer sorts it into, or in the scene's with `sortObjects = false`. Only where
 * a sort function of the user's has ties, it is undecided which of two comes first. `renderer.info` may count a geometry
 * more, by which the gate learns whether the renderer sorts.
 *
 * @param root The scene, or an object of it. It may lie in another accelerated root, or hold some.
 * @returns the index, which is updated whenever the root's matrices are; with those of a followed root above it, too.
 * @throws Error when the root is accelerated already, or three, or the copy that made the root, is older than r186; what
 * {@link SceneIndex} throws. Whatever is thrown: the scene is as it was before.
 */
export function accelerate(root: Object3D, options: AccelerateOptions = {}): SceneIndex {
  checkObject(root, 'accelerate');
  if (options === null || typeof options !== 'object') {
    throw new TypeError(`accelerate.options: must be an object, got ${inWords(options)}`);
  }
  // A copy has own properties only, and they stay what they were when they were checked.
  const { cullCasters = false, maintenanceMs = MAINTENANCE_MS, ...rest } = { ...options };
  if (typeof cullCasters !== 'boolean') {
    throw new TypeError(`accelerate.cullCasters: must be a boolean, got ${inWords(cullCasters)}`);
  }
  checkMaintenance(maintenanceMs);
  if (cullCasters && !('isScene' in root)) throw new TypeError('accelerate.cullCasters: the root must be a Scene');
  if (Number.parseInt(REVISION, 10) < OLDEST || Mesh.prototype.intersectsFrustum === undefined) {
    throw new Error(
      `accelerate: three r${OLDEST} or newer is needed, this is r${REVISION}; SceneIndex alone works with r168 or newer`,
    );
  }
  if (typeof root.intersectsFrustum !== 'function') {
    throw new Error(`accelerate.root: it is of a copy of three older than r${OLDEST}`);
  }
  if (accelerated.has(root)) throw new Error('accelerate: this root is accelerated already; dispose that index first');
  const index = new SceneIndex(root, rest);
  try {
    new Acceleration(index, cullCasters, maintenanceMs);
  } catch (error) {
    index.dispose();
    throw error;
  }
  accelerated.add(root);
  return index;
}

/** What is put on a root and the objects below it, until the index is disposed. */
class Acceleration {
  readonly #root: Object3D;
  readonly #parts: SceneParts;
  readonly #maintenanceMs: number;

  constructor(index: SceneIndex, cullCasters: boolean, maintenanceMs: number) {
    this.#root = index.root;
    this.#parts = partsOf(index, 'accelerate');
    this.#maintenanceMs = maintenanceMs;
    this.#interceptUpdates(this.#openGate(cullCasters));
    keepFast(this.#root);
    this.#parts.onDispose(() => accelerated.delete(this.#root));
  }

  #openGate(cullCasters: boolean): Gate {
    const { entries, follower, picker } = this.#parts;
    const gate = new Gate(this.#root, follower, entries, picker, cullCasters);
    const stamps = new RaycastFilter(this.#root, picker);
    this.#parts.onDispose(() => {
      gate.dispose();
      for (const object of follower.hierarchy.records.keys()) stamps.remove(object);
      stamps.dispose();
    });
    follower.onForget = (object) => {
      gate.forget(object);
      stamps.remove(object);
    };
    follower.onTake = (object) => stamps.put(object);
    follower.onChild = (parent) => stamps.noteChild(parent);
    for (const { object, isEntry } of follower.hierarchy.records.values()) if (isEntry) stamps.put(object);
    return gate;
  }

  #interceptUpdates(gate: Gate): void {
    const before = this.#root.updateMatrixWorld;
    const update = (force = false): void => {
      // Who wrapped this method may go on to call it.
      if (this.#parts.isDisposed) {
        before.call(this.#root, force);
        return;
      }
      gate.renew();
      this.#updateMatrices(before, force);
    };
    replacedUpdates.set(update, before);
    this.#parts.onDispose(replaceMethod(this.#root, 'updateMatrixWorld', update));
  }

  /**
   * What three's own method does, for the followed objects by the index.
   * @param before That method.
   */
  #updateMatrices(before: Object3D['updateMatrixWorld'], force: boolean): void {
    // What is above was updated before, or is not to be.
    const { entries, follower } = this.#parts;
    follower.update(force);
    if (this.#maintenanceMs > 0) entries.measured.maintain(this.#maintenanceMs);
    // The root may have been taken out of the index, with all below it.
    if (!follower.hierarchy.records.has(this.#root)) {
      before.call(this.#root, force);
      return;
    }
    const { excluded, records } = follower.hierarchy;
    if (excluded.size === 0) return;
    const isForced = force || this.#root.matrixAutoUpdate;
    for (const stranger of excluded) {
      // What takes care of all below it has seen to this as well, or has not.
      if (!records.get(stranger.parent as Object3D)?.managed) stranger.updateMatrixWorld(isForced);
    }
  }
}

/**
 * Properties that were redefined make V8 keep an object as a dictionary, so that renderers read all others more slowly. What
 * becomes the prototype of another object is made fast again: in Chromium 147 a frame of ten meshes takes 1.02 of the time
 * it takes without an index, and not 1.04.
 */
function keepFast(root: Object3D): void {
  Object.create(root);
}

function checkMaintenance(maintenanceMs: number): void {
  if (typeof maintenanceMs !== 'number') {
    throw new TypeError(`accelerate.maintenanceMs: must be a number, got ${inWords(maintenanceMs)}`);
  }
  if (!(maintenanceMs >= 0)) throw new RangeError(`accelerate.maintenanceMs: must be 0 or more, got ${maintenanceMs}`);
}
