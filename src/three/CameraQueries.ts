import type { Camera, Intersection, Object3D, Raycaster, Vector2 } from 'three';
import { inWords } from '../core/inWords.js';
import { screenPlanes } from './cameras/cameraPlanes.js';
import { explain } from './cameras/explain.js';
import { Visibility } from './cameras/Visibility.js';
import { VisibilityTracker, type VisibilityTrackerOptions } from './cameras/VisibilityTracker.js';
import type { Entries } from './follow/Entries.js';
import { SceneFollower } from './follow/SceneFollower.js';
import { checkCamera, checkList, checkObject, checkRaycaster } from './objects/checks.js';
import { Picker } from './picking/Picker.js';
import { SceneQueries } from './SceneQueries.js';

/** What `classify` fills. Arrays are overwritten. */
export interface Classification {
  /** Objects whose bounds lie in the frustum as a whole. */
  inside: Object3D[];
  /** Objects whose bounds the border of the frustum cuts, and those outside that have `frustumCulled` false. */
  intersecting: Object3D[];
  /** All others that have bounds: out of view, hidden, or on other layers. Costs time for each; leave it out if you can. */
  culled?: Object3D[];
}

/** How much of an object's bounds a rectangle on the screen must hold: all, or any part. */
export type ScreenMode = 'contain' | 'intersect';

/** What can be asked by a camera, or by the raycaster of one. */
export abstract class CameraQueries extends SceneQueries {
  protected readonly follower: SceneFollower;
  protected readonly picker: Picker;
  /** What no query is working with: getters of objects may ask in the midst of one. */
  readonly #idle: Visibility[] = [];
  readonly #planes = new Float64Array(24);

  protected constructor(root: Object3D, entries: Entries) {
    super(entries);
    this.follower = new SceneFollower(root, entries);
    this.picker = new Picker(this.follower.hierarchy, this.follower.traits, entries);
  }

  /**
   * What the camera sees, in the order in which entries were made: all drawables whose bounds meet its frustum, and those
   * with `frustumCulled` false, if they and all above them are visible and their layers meet the camera's.
   * @param out Overwritten.
   */
  cull(camera: Camera, out: Object3D[] = []): Object3D[] {
    this.check('cull');
    checkCamera(camera, 'SceneIndex.cull');
    checkList(out, 'SceneIndex.cull.out');
    return this.#see(camera, out);
  }

  /**
   * Watches what a camera sees, update by update: what comes into view, what leaves it, and what changes its distance.
   * Watches know nothing of each other; any number may watch any cameras.
   * @throws TypeError or RangeError for options that are not legal.
   */
  watch(camera: Camera, options: VisibilityTrackerOptions = {}): VisibilityTracker {
    this.check('watch');
    checkCamera(camera, 'SceneIndex.watch');
    const { entries } = this;
    const { records } = this.follower.hierarchy;
    return new VisibilityTracker(camera, options, { entries, records, see: (eye, out) => this.#see(eye, out) });
  }

  /**
   * Tells why an object is not drawn for a camera, or not found by queries and picking: sentences, one for each reason,
   * to be read by people. None: nothing is in the way. An object in a LOD, BundleGroup or ClippingGroup has a sentence in
   * any case, as these go by rules of their own, and so has one out of view that is drawn all the same.
   *
   * What lies in front of an object, shaders and the like are not known. Raycasters go by layers and bounds alone: they
   * hit what is hidden as well. Slow: for hunting a fault.
   */
  explain(object: Object3D, camera: Camera): string[] {
    this.check('explain');
    checkObject(object, 'SceneIndex.explain.object');
    checkCamera(camera, 'SceneIndex.explain.camera');
    return explain(object, camera, this.follower, this.entries);
  }

  /** Sorts all drawables with bounds by what the camera sees of them; the lists are in the order of {@link cull}. */
  classify(camera: Camera, target: Classification): void {
    this.check('classify');
    checkCamera(camera, 'SceneIndex.classify');
    const inside = target?.inside;
    const intersecting = target?.intersecting;
    const culled = target?.culled;
    checkList(inside, 'SceneIndex.classify.inside');
    checkList(intersecting, 'SceneIndex.classify.intersecting');
    if (culled !== undefined) checkList(culled, 'SceneIndex.classify.culled');
    const { entries } = this;
    const visibility = this.#begin();
    visibility.classify(entries.index, camera, this.follower.traits.neverCulled);
    visibility.take(visibility.inside, entries.byId);
    visibility.take(visibility.intersecting, entries.byId);
    const border = visibility.inside.length;
    inside.length = visibility.show(0, border, camera, inside);
    intersecting.length = visibility.show(border, border + visibility.intersecting.length, camera, intersecting);
    if (culled !== undefined) {
      const round = visibility.mark();
      let n = 0;
      for (const record of entries.byId) if (record && record.seenIn !== round) culled[n++] = record.object;
      culled.length = n;
    }
    this.#end(visibility);
  }

  /**
   * What lies behind a rectangle on the screen, as a user draws it: visible drawables on the camera's layers, by their
   * bounds, between the camera's near and far planes. Unlike {@link cull} it goes by bounds even where `frustumCulled` is
   * false. Of an ArrayCamera its own matrices count, not those of its views.
   * @param from A corner of the rectangle in normalised device coordinates: -1 to 1 from left to right and from bottom to
   * top. Places beyond the screen are legal.
   * @param to The opposite corner; both may be equal.
   * @param mode 'intersect' (default): some part of the bounds may be behind the rectangle. 'contain': all of them must.
   * @param out Overwritten.
   */
  queryScreen(
    camera: Camera,
    from: Vector2,
    to: Vector2,
    mode: ScreenMode = 'intersect',
    out: Object3D[] = [],
  ): Object3D[] {
    this.check('queryScreen');
    checkCamera(camera, 'SceneIndex.queryScreen');
    checkCorner(from, 'SceneIndex.queryScreen.from');
    checkCorner(to, 'SceneIndex.queryScreen.to');
    checkList(out, 'SceneIndex.queryScreen.out');
    if (mode !== 'contain' && mode !== 'intersect') {
      throw new RangeError(`SceneIndex.queryScreen.mode: must be contain or intersect, got ${inWords(mode)}`);
    }
    const { index, byId } = this.entries;
    const visibility = this.#begin();
    const { inside, intersecting } = visibility;
    const planes = screenPlanes(camera, from, to, this.#planes);
    if (mode === 'contain') index.classify(planes, inside, intersecting);
    else index.queryPlanes(planes, inside);
    visibility.take(inside, byId);
    out.length = visibility.show(0, inside.length, camera, out);
    this.#end(visibility);
    return out;
  }

  /**
   * All hits of a raycaster, nearest first: what `raycaster.intersectObject(root)` gives for the scene as of the last
   * update, the same intersections in the same order, by each object's own `raycast`.
   * @param out Overwritten.
   */
  raycast(raycaster: Raycaster, out: Intersection[] = []): Intersection[] {
    this.check('raycast');
    checkRaycaster(raycaster, 'SceneIndex.raycast');
    checkList(out, 'SceneIndex.raycast.out');
    return this.picker.all(raycaster, out);
  }

  /** The first of these hits, or null: nearest bounds are tried first, and what lies behind the best hit is not. */
  raycastFirst(raycaster: Raycaster): Intersection | null {
    this.check('raycastFirst');
    checkRaycaster(raycaster, 'SceneIndex.raycastFirst');
    return this.picker.first(raycaster);
  }

  /** See `cull`. */
  #see(camera: Camera, out: Object3D[]): Object3D[] {
    const { index, byId } = this.entries;
    const { neverCulled } = this.follower.traits;
    const visibility = this.#begin();
    visibility.cull(index, camera, neverCulled);
    visibility.take(visibility.intersecting, byId);
    let n = visibility.show(0, visibility.intersecting.length, camera, out);
    // Some have no bounds, so no id.
    for (const record of neverCulled) if (record.id < 0 && visibility.isShown(record, camera)) out[n++] = record.object;
    out.length = n;
    this.#end(visibility);
    return out;
  }

  #begin(): Visibility {
    const visibility = this.#idle.pop() ?? new Visibility();
    visibility.begin();
    return visibility;
  }

  /** Not called when a query throws: what it worked with is not used again. */
  #end(visibility: Visibility): void {
    visibility.release();
    this.#idle.push(visibility);
  }
}

function checkCorner(corner: Vector2, where: string): void {
  if (corner?.isVector2 !== true) throw new TypeError(`${where}: must be a Vector2, got ${inWords(corner)}`);
  const { x, y } = corner;
  if (!Number.isFinite(x) || !Number.isFinite(y))
    throw new RangeError(`${where}: must be finite, got ${inWords(x)} ${inWords(y)}`);
}
