import { Mesh, type Object3D, REVISION, type Scene } from 'three';
import { batchReports } from '../batching/MeshBatching.js';
import { checkBoolean, checkObject, describe } from '../scene/objects/checks.js';
import { partsOf, SceneIndex, type SceneIndexOptions } from '../scene/SceneIndex.js';
import { type AccelerateOptions, readAccelerateOptions, type Settings } from './AccelerateOptions.js';
import { RenderSession } from './RenderSession.js';

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
 * Only the renderer's own passes find a list in place of the scene's children; code in callbacks (of objects, LODs,
 * materials and sort functions) reads and changes the real ones. If `onBeforeRender` is replaced later by a method that
 * does not call the one before it, renderers traverse the whole scene, which is said once by a warning. A pass lists the
 * topmost objects in view; what lies below a listed mesh is traversed by the renderer as ever.
 *
 * A cast at the scene finds all that lies below it, even by `intersectObject(scene, false)`, which finds nothing
 * otherwise.
 *
 * In place of an `InstancedMesh` of several hundred instances a pass may draw an object whose prototype it is, with the
 * instances in view; where meshes are drawn in batches, in place of any object with others below it, which may join: a sort
 * function of the user's meets that.
 *
 * What is drawn comes in the order that the renderer sorts it into, or in the scene's with `sortObjects = false`. Only
 * where a sort function of the user's has ties, it is undecided which of two comes first.
 *
 * @param scene It may lie in another scene, accelerated or not, or hold some.
 * @returns the index, which is updated whenever the scene's matrices are; with those of a followed root above it, too,
 * unless that has been told that the scene is at rest.
 * @throws TypeError for what is no Scene. Error when the scene is accelerated already, or three, or the copy that made
 * the scene, is older than r186; what {@link SceneIndex} throws. Whatever is thrown: the scene is as it was before.
 */
export function accelerate(scene: Scene, options: AccelerateOptions = {}): AcceleratedScene {
  checkScene(scene);
  const [settings, rest] = readAccelerateOptions(options);
  // Renderers of r186 are the first to ask objects themselves whether they meet a frustum.
  if (Mesh.prototype.intersectsFrustum === undefined) {
    throw new Error(
      `accelerate: three r186 or newer is needed, this is r${REVISION}; SceneIndex alone works with r168 or newer`,
    );
  }
  if (typeof scene.intersectsFrustum !== 'function') {
    throw new Error(`accelerate.scene: it is of a copy of three older than r186`);
  }
  if (batchReports.has(scene))
    throw new Error('accelerate: this scene is accelerated already; dispose that index first');
  return new AcceleratedScene(scene, rest, settings);
}

/** The index of a scene that renderers and raycasters go through; see {@link accelerate}. */
export class AcceleratedScene extends SceneIndex {
  readonly #session: RenderSession;

  constructor(scene: Scene, options: SceneIndexOptions, settings: Settings) {
    super(scene, options);
    this.#session = new RenderSession(scene, partsOf(this, 'accelerate'), settings);
    try {
      this.#session.install();
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /**
   * Has an object, and all below it, drawn in batches with what is like it, or each mesh by itself, from the next picture
   * on; the scene itself: all that is in it. The nearest object above a mesh for which this was called decides.
   * @returns false when the object is not followed.
   */
  batch(object: Object3D, isBatched = true): boolean {
    partsOf(this, 'AcceleratedScene.batch');
    checkObject(object, 'AcceleratedScene.batch.object');
    checkBoolean(isBatched, 'AcceleratedScene.batch.isBatched');
    return this.#session.setBatched(object, isBatched);
  }
}

function checkScene(scene: Scene): void {
  checkObject(scene, 'accelerate.scene');
  if (scene.isScene !== true) throw new TypeError(`accelerate.scene: must be a Scene, got ${describe(scene)}`);
}
