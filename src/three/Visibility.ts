import type { Camera } from 'three';
import { IdList } from '../core/IdList.js';
import { IdSet } from '../core/IdSet.js';
import type { SpatialIndex } from '../structures/SpatialIndex.js';
import { cameraPlanes, viewAt, viewCount } from './cameraPlanes.js';
import type { Tracked } from './Tracked.js';

/**
 * Which entries a camera sees, in ascending order: the index says what lies in its frustum, the objects themselves what
 * three would draw of it.
 *
 * An object is drawn when it and all above it are `visible` and its `layers` meet the camera's; layers of what is above
 * do not matter. Objects with `frustumCulled` false are seen wherever they are.
 */
export class Visibility {
  readonly inside: IdList = new IdList();
  readonly intersecting: IdList = new IdList();
  #round = 0;
  readonly #insideMarks = new IdSet();
  readonly #intersectingMarks = new IdSet();
  readonly #planes: Float64Array[] = [];

  /** Fills `intersecting` with the ids of all that lies in the frustum of the camera, or is never culled. */
  cull(index: SpatialIndex, camera: Camera, neverCulled: Iterable<Tracked>): void {
    this.within(index, this.#planesOf(camera), neverCulled);
  }

  /** The same for the planes of one or several views; false, with nothing told, when one of them sees more than `most`. */
  within(
    index: SpatialIndex,
    views: readonly Float64Array[],
    neverCulled: Iterable<Tracked>,
    most: number = Number.POSITIVE_INFINITY,
  ): boolean {
    for (const planes of views) {
      index.frustum(planes, this.intersecting);
      if (this.intersecting.length > most) {
        this.#intersectingMarks.clear();
        return false;
      }
      this.#intersectingMarks.addAll(this.intersecting);
    }
    for (const { id } of neverCulled) if (id >= 0) this.#intersectingMarks.add(id);
    this.#intersectingMarks.drain(this.intersecting);
    return true;
  }

  /** Fills `inside` and `intersecting`. What is inside one of several views is inside. */
  classify(index: SpatialIndex, camera: Camera, neverCulled: Iterable<Tracked>): void {
    for (const planes of this.#planesOf(camera)) {
      index.classify(planes, this.inside, this.intersecting);
      this.#insideMarks.addAll(this.inside);
      this.#intersectingMarks.addAll(this.intersecting);
    }
    for (const { id } of neverCulled) if (id >= 0) this.#intersectingMarks.add(id);
    this.#intersectingMarks.removeAll(this.#insideMarks);
    this.#intersectingMarks.drain(this.intersecting);
    this.#insideMarks.drain(this.inside);
  }

  /** Begins a round of {@link isShown}, and returns its number: what was found out about objects before is forgotten. */
  begin(): number {
    return ++this.#round;
  }

  /** True when three would draw the object for this camera, were it in view. */
  isShown(record: Tracked, camera: Camera): boolean {
    const { visible, layers } = record.object;
    // Masks are compared here, as a gate takes a test for a renderer's.
    const isMet = (layers.mask & camera.layers.mask) !== 0;
    return visible && isMet && (record.parent === null || this.#isOpen(record.parent));
  }

  /** The planes of each view of a camera; all of them before the first query, as a camera may throw. */
  #planesOf(camera: Camera): Float64Array[] {
    if (camera.matrixWorldAutoUpdate) camera.updateWorldMatrix(true, false);
    const planes = this.#planes;
    planes.length = viewCount(camera);
    for (let i = 0; i < planes.length; i++) {
      planes[i] ??= new Float64Array(24);
      cameraPlanes(viewAt(camera, i), planes[i]);
    }
    return planes;
  }

  /** True when the object and all above it are visible. The answer is kept for the round. */
  #isOpen(record: Tracked): boolean {
    // Up to one whose answer is known, or to the top, or to one that is hidden.
    let known: Tracked | null = record;
    while (known !== null && known.shownIn !== this.#round && known.object.visible) known = known.parent;
    const shown = known === null || (known.shownIn === this.#round && known.shown);
    for (let r: Tracked | null = record; r !== null && r.shownIn !== this.#round; r = r.parent) {
      r.shown = shown;
      r.shownIn = this.#round;
      if (r === known) break;
    }
    return shown;
  }
}
