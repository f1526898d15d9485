import { Mesh, type Object3D, REVISION } from 'three';
import { checkObject } from './checks.js';
import { Gate } from './Gate.js';
import { standIns } from './Motion.js';
import { SceneIndex, type SceneIndexOptions, UPKEEP_MS } from './SceneIndex.js';
import { Stamps } from './Stamps.js';

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
  upkeepMs?: number;
}

/**
 * Has renderers and raycasters go through an index, from now on and with no other change:
 * `renderer.render(scene, camera)` visits what the camera and each light see, the scene's matrix pass skips what is at
 * rest, and `raycaster.intersectObject(scene)` asks the tree. Pictures and hits are the same as without. A raycaster with
 * `firstHitOnly`, the property of three-mesh-bvh, gets the nearest hit of all below the root, and stops there.
 *
 * To this end the root gets own properties `children` (an accessor; it reads and writes as before) and
 * `updateMatrixWorld`, its `layers` an own `test`, and so do objects that are drawn and have children; what is drawn gets
 * a `raycast` that answers at once where the index knows of no hit, for `raycaster.intersectObjects(scene.children)`. With
 * `cullCasters` the root gets an `onBeforeRender` too, which calls the one it had.
 * `dispose` of the index takes all of it away.
 *
 * What is drawn comes in the order that the renderer sorts it into, or in the scene's with `sortObjects = false`. Only where
 * a sort function of the user's has ties, it is undecided which of two comes first. `renderer.info` may count a geometry
 * more, by which the gate learns whether the renderer sorts.
 *
 * @param root The scene, or an object of it.
 * @returns the index, which is updated whenever the root's matrices are.
 * @throws Error when the root is accelerated already, or three is older than r186.
 */
export function accelerate(root: Object3D, options: AccelerateOptions = {}): SceneIndex {
  checkObject(root, 'accelerate');
  const cullCasters = options?.cullCasters ?? false;
  if (typeof cullCasters !== 'boolean') {
    throw new TypeError(`accelerate.cullCasters: must be a boolean, got ${String(cullCasters)}`);
  }
  checkUpkeep(options?.upkeepMs);
  if (cullCasters && !('isScene' in root)) throw new TypeError('accelerate.cullCasters: the root must be a Scene');
  if (Number.parseInt(REVISION, 10) < OLDEST || Mesh.prototype.intersectsFrustum === undefined) {
    throw new Error(
      `accelerate: three r${OLDEST} or newer is needed, this is r${REVISION}; SceneIndex alone works with r168 or newer`,
    );
  }
  if (accelerated.has(root)) throw new Error('accelerate: this root is accelerated already; dispose that index first');
  const index = new AcceleratedScene(root, options);
  accelerated.add(root);
  return index;
}

class AcceleratedScene extends SceneIndex {
  readonly #gate: Gate;
  readonly #stamps: Stamps;
  readonly #upkeepMs: number;
  readonly #update: Object3D['updateMatrixWorld'];
  /** What it stands in for. */
  readonly #before: Object3D['updateMatrixWorld'];
  /** The method that the root had as its own. */
  readonly #ownUpdate: Object3D['updateMatrixWorld'] | null;

  constructor(root: Object3D, options: AccelerateOptions) {
    super(root, withoutOwn(options));
    this.#stamps = new Stamps(this.picker);
    this.#upkeepMs = options.upkeepMs ?? UPKEEP_MS;
    this.#gate = new Gate(root, this.follower, this.entries, this.picker, options.cullCasters === true);
    this.follower.onForget = (object) => {
      this.#gate.forget(object);
      this.#stamps.remove(object);
    };
    this.follower.onTake = (object) => this.#stamps.put(object);
    this.follower.onChild = (parent) => this.#stamps.noteChild(parent);
    for (const { object, isEntry } of this.follower.tracker.records.values()) if (isEntry) this.#stamps.put(object);
    const before = root.updateMatrixWorld;
    this.#before = before;
    this.#ownUpdate = Object.hasOwn(root, 'updateMatrixWorld') ? before : null;
    this.#update = () => this.#updateMatrices();
    standIns.set(this.#update, before);
    Object.defineProperty(root, 'updateMatrixWorld', { configurable: true, writable: true, value: this.#update });
  }

  override dispose(): void {
    if (this.disposed) return;
    this.#gate.dispose();
    for (const object of this.follower.tracker.records.keys()) this.#stamps.remove(object);
    // Another may have been put in its place since.
    if (this.root.updateMatrixWorld === this.#update) {
      delete (this.root as Partial<Object3D>).updateMatrixWorld;
      if (this.#ownUpdate !== null) this.root.updateMatrixWorld = this.#ownUpdate;
    }
    accelerated.delete(this.root);
    super.dispose();
  }

  /** What three's own method does, for the followed objects by the index. */
  #updateMatrices(): void {
    this.#gate.renew();
    this.update();
    if (this.#upkeepMs > 0) this.maintain(this.#upkeepMs);
    // The root may have been taken out of the index, with all below it.
    if (!this.follower.tracker.records.has(this.root)) {
      this.#before.call(this.root, true);
      return;
    }
    for (const stranger of this.follower.tracker.strangers) stranger.updateMatrixWorld(true);
  }
}

/** The options that are those of the index. What is no object is left for the index to refuse. */
function withoutOwn(options: AccelerateOptions): SceneIndexOptions {
  if (options === null || typeof options !== 'object') return options;
  const { cullCasters: _, upkeepMs: __, ...rest } = options;
  return rest;
}

function checkUpkeep(upkeepMs: number | undefined): void {
  if (upkeepMs === undefined) return;
  if (typeof upkeepMs !== 'number') {
    throw new TypeError(`accelerate.upkeepMs: must be a number, got ${String(upkeepMs)}`);
  }
  if (!(upkeepMs >= 0)) throw new RangeError(`accelerate.upkeepMs: must be 0 or more, got ${upkeepMs}`);
}
