import type { Object3D, Scene } from 'three';
import { Packed } from '../packed/Packed.js';
import { checkFree } from '../scene/follow/Entries.js';
import { checkBoolean, checkObject, describe } from '../scene/objects/checks.js';
import { rawOf } from '../scene/objects/ObjectRecord.js';
import { partsOf, SceneIndex } from '../scene/SceneIndex.js';
import { SceneParts } from '../scene/SceneParts.js';
import { checkRevision } from '../three/methods.js';
import { type AccelerateOptions, readAccelerateOptions, readMaxError } from './AccelerateOptions.js';
import { RenderSession } from './RenderSession.js';

/**
 * Makes renderers and raycasters use a spatial index of the scene.
 *
 * From now on, with no other change, `renderer.render(scene, camera)` visits only the objects that the camera and each
 * light see, the scene's matrix update skips static objects, and `raycaster.intersectObject(scene)` queries the index.
 * Pictures and hits stay identical. For the nearest hit alone, `index.raycastFirst(raycaster)` is faster.
 *
 * The index is made in the call. In a small scene, or one that is all in view, it saves nothing, and a frame costs some
 * hundredths of a millisecond more than in plain three.
 *
 * **Additions to the scene.** The scene gets own methods `onBeforeRender`, `onAfterRender` and `updateMatrixWorld`,
 * which call the previous ones; an accessor `children`, which reads and writes as before; and an own `test` of its
 * `layers`. Each batch gets an own method that makes its draw lists. Disposing the index removes all of this.
 *
 * **Objects that cannot be followed.** Sealed and frozen objects are left to three with all their descendants: they are
 * drawn and hit as before, and one warning per object says so.
 *
 * **The list of a pass.** Only the passes of renderers see a list in place of the scene's children; callbacks of
 * objects, LODs, materials and sort functions read and change the real ones. The list holds the topmost objects in
 * view; the renderer traverses their descendants as usual. If you replace `onBeforeRender` later, call the previous
 * method: otherwise renderers traverse the whole scene, and one warning says so.
 *
 * **Stand-ins.** In place of an `InstancedMesh` of several hundred instances, a pass may draw an object that inherits
 * from it and holds the instances in view. With batches, objects with children may be replaced likewise. Custom sort
 * functions see these stand-ins.
 *
 * **Failures.** An exception of the library never reaches `renderer.render`: the failed work is left to plain three
 * from then on, for one object if that is known, else for the scene. One warning says so, and so does `explain`. Errors
 * of your own methods, callbacks and getters come through.
 *
 * **Order.** Objects are drawn in the order the renderer sorts them into, or in scene order with `sortObjects = false`.
 * The order may differ only among ties of a custom sort function.
 *
 * **Raycasters.** While any scene is accelerated, `intersectObject` and `intersectObjects` of three's `Raycaster` are
 * wrapped. Casts at the scene, at objects in it, at `scene.children` and at lists of its objects use the index. Casts
 * by a raycaster of another copy of three, and casts at ancestors of the scene, are left to three.
 *
 * @param scene May be nested in another scene, accelerated or not, or contain some.
 * @returns the index. It is updated whenever the scene's matrices are, or those of an accelerated scene around it,
 * unless this scene was marked static there. If the scene is accelerated already, the new index takes over with its own
 * options and the previous one is disposed, as hot reloading needs.
 * @throws TypeError if `scene` is not a Scene, or is sealed. Error if three, or the copy of three that made the scene,
 * is older than r186. RangeError for an object that lies below itself. After an error the scene is unchanged, or no
 * longer accelerated.
 * @example
 * ```ts
 * import { accelerate } from 'three-scene-index';
 *
 * accelerate(scene, { batch: true });
 * renderer.setAnimationLoop(() => renderer.render(scene, camera));
 * ```
 */
export function accelerate<T extends Object3D = Object3D>(
  scene: Scene,
  options: AccelerateOptions = {},
): AcceleratedScene<T> {
  return accelerateFor('accelerate', scene, options);
}

/** Does the work of `accelerate` for a caller `where`, with further options `others`: messages name both. */
export function accelerateFor<T extends Object3D>(
  where: string,
  given: Scene,
  options: AccelerateOptions,
  others: readonly string[] = [],
): AcceleratedScene<T> {
  checkObject(given, `${where}.scene`);
  if (given.isScene !== true) throw new TypeError(`${where}.scene: must be a Scene, got ${describe(given)}`);
  const scene = rawOf(given);
  const [settings, structure = new Packed()] = readAccelerateOptions(options, where, others);
  checkRevision(where);
  if (typeof scene.intersectsFrustum !== 'function') {
    throw new Error(`${where}.scene: was made by another copy of three, older than r186`);
  }
  const previous = accelerated.get(scene);
  // The previous index frees its structure once it is disposed.
  if (structure !== previous?.entries.measured) checkFree(structure, `${where}.structure`);
  previous?.dispose(' when its scene was accelerated again');
  // A page that keeps renderers from updating the matrices may have written the matrices itself.
  const parts = new SceneParts(scene, structure, !scene.matrixWorldAutoUpdate);
  try {
    const session = new RenderSession(scene, parts, settings);
    session.install();
    accelerated.set(scene, parts);
    parts.onDispose(() => accelerated.delete(scene));
    return new AcceleratedScene<T>(scene, parts, session);
  } catch (error) {
    parts.dispose();
    throw error;
  }
}

/**
 * The index of an accelerated scene, as {@link accelerate} returns it.
 *
 * @example
 * ```ts
 * import { accelerate, type AcceleratedScene } from 'three-scene-index';
 *
 * const index: AcceleratedScene = accelerate(scene, { batch: true });
 * index.setStatic(player, false);
 * index.batch(player, false);
 * ```
 */
export class AcceleratedScene<T extends Object3D = Object3D> extends SceneIndex<T> {
  readonly #session: RenderSession;

  /** @internal */
  constructor(scene: Scene, parts: SceneParts, session: RenderSession) {
    super(scene, {}, parts);
    this.#session = session;
  }

  /**
   * Resolved when all code that the options need has loaded.
   *
   * If `occlusion` has begun to test a renderer, the promise waits for the result. By the third frame afterwards,
   * similar meshes are drawn in batches; geometries above 4 MB take more frames. Never rejected: if code cannot load, a
   * warning and `explain` say so, and frames do without.
   * @example
   * ```ts
   * import { accelerate } from 'three-scene-index';
   *
   * const index = accelerate(scene, { batch: true });
   * await index.ready;
   * renderer.render(scene, camera);
   * ```
   */
  get ready(): Promise<void> {
    return this.#session.ready;
  }

  /**
   * Sets whether the meshes of a subtree are drawn in batches. Pass the scene itself to set it for all meshes.
   *
   * Takes effect with the next frame. The setting of a mesh's nearest ancestor applies, even to a mesh added later.
   * @param isBatched False draws each mesh individually. Default true.
   * @returns false if the index does not follow the object: the setting applies once it does.
   */
  batch(object: Object3D, isBatched = true): boolean {
    return this.#mark('batch', object, 'isBatched', isBatched);
  }

  /**
   * Sets whether the option `levels` applies to the meshes of a subtree.
   *
   * Pass false for surfaces below stickers, and for meshes that must keep each vertex. Takes effect with the next
   * frame. The setting of a mesh's nearest ancestor applies, even to a mesh added later.
   * @param isLeveled False draws each mesh with all its triangles. Default true.
   * @returns false if the index does not follow the object: the setting applies once it does.
   */
  levels(object: Object3D, isLeveled = true): boolean {
    return this.#mark('levels', object, 'isLeveled', isLeveled);
  }

  /**
   * Pixels by which levels of detail may be off; see `LevelOptions.maxError`.
   *
   * Set it at any time, as when a phone has to spare its battery: the next frame uses the new value, and no levels are
   * made anew. 0 without the option `levels`.
   * @throws RangeError for values that the option would refuse. Error without the option `levels`.
   */
  get maxError(): number {
    return this.#session.steps.levelErrors?.maxError ?? 0;
  }

  set maxError(pixels: number) {
    const where = 'AcceleratedScene.maxError';
    partsOf(this, where);
    const { levelErrors } = this.#session.steps;
    if (levelErrors === null) throw new Error(`${where}: needs the option levels`);
    levelErrors.maxError = readMaxError(pixels, 'AcceleratedScene');
  }

  /**
   * Sets whether a subtree takes part in `occlusion`: hiding other objects and being hidden. Pass false for objects
   * whose shaders draw elsewhere than their matrices say, or whose draws you count. The setting of a mesh's nearest
   * ancestor applies, even to a mesh added later.
   * @param isOccluded Default true.
   * @returns false if the index does not follow the object: the setting applies once it does.
   */
  occlude(object: Object3D, isOccluded = true): boolean {
    return this.#mark('occlude', object, 'isOccluded', isOccluded);
  }

  /** Checks the arguments of a method, and hands them to the step; false for an object that is not followed. */
  #mark(method: 'batch' | 'levels' | 'occlude', object: Object3D, name: string, isSet: boolean): boolean {
    const where = `AcceleratedScene.${method}`;
    const { hierarchy } = partsOf(this, where).follower;
    checkObject(object, `${where}.object`);
    checkBoolean(isSet, `${where}.${name}`);
    const record = hierarchy.recordOf(object);
    this.#session.steps.mark(method === 'occlude' ? 'occlusion' : method, record?.object ?? rawOf(object), isSet);
    return record !== undefined;
  }
}

const accelerated = new WeakMap<Scene, SceneParts>();
