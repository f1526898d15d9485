import { Mesh, type Object3D, REVISION } from 'three';
import { checkObject } from './checks.js';
import { Gate } from './Gate.js';
import { standIns } from './Motion.js';
import { SceneIndex, type SceneIndexOptions } from './SceneIndex.js';
import { Stamps } from './Stamps.js';

/** The first revision whose renderers ask objects themselves whether they meet a frustum. */
const OLDEST = 186;

const accelerated = new WeakSet<Object3D>();

/**
 * Has renderers and raycasters go through an index, from now on and with no other change:
 * `renderer.render(scene, camera)` visits what the camera and each light see, the scene's matrix pass skips what is at
 * rest, and `raycaster.intersectObject(scene)` asks the tree. Pictures and hits are the same as without.
 *
 * To this end the root gets own properties `children` (an accessor; it reads and writes as before) and
 * `updateMatrixWorld`, its `layers` an own `test`, and so do objects that are drawn and have children; what is drawn gets
 * a `raycast` that answers at once where the index knows of no hit, for `raycaster.intersectObjects(scene.children)`.
 * `dispose` of the index takes all of it away.
 *
 * @param root The scene, or an object of it.
 * @returns the index, which is updated whenever the root's matrices are.
 * @throws Error when the root is accelerated already, or three is older than r186.
 */
export function accelerate(root: Object3D, options: SceneIndexOptions = {}): SceneIndex {
  checkObject(root, 'accelerate');
  if (Number.parseInt(REVISION, 10) < OLDEST || Mesh.prototype.intersectsFrustum === undefined) {
    throw new Error(`accelerate: three r${OLDEST} or newer is needed, this is r${REVISION}; SceneIndex works with it`);
  }
  if (accelerated.has(root)) throw new Error('accelerate: this root is accelerated already; dispose that index first');
  const index = new AcceleratedScene(root, options);
  accelerated.add(root);
  return index;
}

class AcceleratedScene extends SceneIndex {
  readonly #gate: Gate;
  readonly #stamps: Stamps;
  /** The method that the root had as its own. */
  readonly #ownUpdate: Object3D['updateMatrixWorld'] | null;

  constructor(root: Object3D, options: SceneIndexOptions) {
    super(root, options);
    this.#stamps = new Stamps(this.picker);
    this.#gate = new Gate(root, this.follower, this.entries, this.picker);
    this.follower.onForget = (object) => {
      this.#gate.forget(object);
      this.#stamps.remove(object);
    };
    this.follower.onTake = (object) => this.#stamps.put(object);
    for (const { object, isEntry } of this.follower.tracker.records.values()) if (isEntry) this.#stamps.put(object);
    const before = root.updateMatrixWorld;
    this.#ownUpdate = Object.hasOwn(root, 'updateMatrixWorld') ? before : null;
    const update = (): void => this.#updateMatrices();
    standIns.set(update, before);
    Object.defineProperty(root, 'updateMatrixWorld', { configurable: true, writable: true, value: update });
  }

  override dispose(): void {
    if (this.disposed) return;
    this.#gate.dispose();
    for (const object of this.follower.tracker.records.keys()) this.#stamps.remove(object);
    delete (this.root as Partial<Object3D>).updateMatrixWorld;
    if (this.#ownUpdate !== null) this.root.updateMatrixWorld = this.#ownUpdate;
    accelerated.delete(this.root);
    super.dispose();
  }

  /** What three's own method does, for the followed objects by the index. */
  #updateMatrices(): void {
    this.update();
    for (const stranger of this.follower.tracker.strangers) stranger.updateMatrixWorld(true);
  }
}
