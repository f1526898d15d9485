import type { Camera, Object3D } from 'three';
import { readOptions } from '../core/options.js';
import { checkCamera } from './objects/checks.js';
import { partsOf, type SceneIndex } from './SceneIndex.js';
import type { SceneParts } from './SceneParts.js';

/**
 * Tracks which objects enter a camera's view and leave it. Use it to load detail, wake behaviour or count objects.
 *
 * Call {@link update} after the index's own update, then read the lists. Any number of trackers may share an index.
 *
 * The objects in view are those of `index.cull(camera)`. Reparenting an object or replacing the structure of the index
 * changes nothing. All objects of a disposed index leave with the next update. Until then a tracker keeps the objects
 * it saw, removed or not. A tracker needs no `dispose`: drop it.
 *
 * @example
 * ```ts
 * import { VisibilityTracker } from 'three-scene-index';
 *
 * const tracker = new VisibilityTracker(index, camera);
 * renderer.setAnimationLoop(() => {
 *   renderer.render(scene, camera); // updates the index of an accelerated scene
 *   tracker.update();
 *   for (const { name } of tracker.entered) console.log(name, 'came into view');
 *   for (const { name } of tracker.left) console.log(name, 'left the view');
 * });
 * ```
 */
export class VisibilityTracker<T extends Object3D = Object3D> {
  /** The camera whose view is tracked. */
  readonly camera: Camera;
  /** Objects in view as of the last update. The next update overwrites this list and the other lists. */
  readonly visible: readonly T[] = [];
  /** Objects that came into view with the last update. */
  readonly entered: readonly T[] = [];
  /** Objects that left the view with the last update, or were removed. */
  readonly left: readonly T[] = [];
  readonly #parts: SceneParts;
  readonly #sights = new Map<Object3D, Sight>();
  /** The sights of the last update, in the order of `cull`, and those of the update before. */
  #list: Sight[] = [];
  #listBefore: Sight[] = [];
  /** The objects that the camera sees now; they become `visible` once nothing can throw any more. */
  readonly #seen: Object3D[] = [];
  readonly #visible = this.visible as T[];
  readonly #entered = this.entered as T[];
  readonly #left = this.left as T[];
  #round = 0;

  /**
   * @param index The index whose objects are tracked.
   * @throws TypeError for an invalid index or camera, Error for a disposed index.
   */
  constructor(index: SceneIndex<T>, camera: Camera, options: Record<string, never> = {}) {
    this.#parts = partsOf(index, 'VisibilityTracker');
    checkCamera(camera, 'VisibilityTracker.camera');
    readOptions(options, {}, 'VisibilityTracker');
    this.camera = camera;
  }

  /** True for an object that was in view at the last update. */
  isVisible(object: Object3D): boolean {
    return this.#sights.has(object);
  }

  /** Fills the lists. An update costs as much as `cull`, plus a little for each object in view. */
  update(): void {
    // A getter of the camera or of an object may throw here, before any list has changed.
    const { isDisposed, visibility, entries, follower } = this.#parts;
    if (isDisposed) this.#seen.length = 0;
    else visibility.see(this.camera, entries, follower.traits.neverCulled, this.#seen);
    this.#takeSeen();
    this.#removeUnseen();
  }

  /** Finds objects that entered, and marks objects in view. A lookup is needed only where the order has changed. */
  #takeSeen(): void {
    const before = this.#list;
    const now = this.#listBefore;
    this.#list = now;
    this.#listBefore = before;
    this.#entered.length = 0;
    const round = ++this.#round;
    let index = 0;
    let n = 0;
    for (const object of this.#seen as T[]) {
      let sight: Sight | undefined = before[index];
      if (sight?.object !== object) sight = this.#sights.get(object);
      if (sight === undefined) {
        sight = { object, seenIn: round, index: n };
        this.#sights.set(object, sight);
        this.#entered.push(object);
      } else {
        index = sight.index + 1;
      }
      sight.index = n;
      sight.seenIn = round;
      this.#visible[n] = object;
      now[n++] = sight;
    }
    this.#visible.length = now.length = n;
  }

  #removeUnseen(): void {
    this.#left.length = 0;
    if (this.#sights.size === this.#list.length) return;
    for (const { object, seenIn } of this.#listBefore) {
      if (seenIn === this.#round) continue;
      this.#sights.delete(object);
      this.#left.push(object as T);
    }
    this.#listBefore.length = 0;
  }
}

/** An object in view, the number of the tracker's update that last saw it, and its index in the list of that update. */
interface Sight {
  readonly object: Object3D;
  seenIn: number;
  index: number;
}
