import type { Camera, Object3D } from 'three';
import { IdList } from '../../core/lists/IdList.js';
import { IdSet } from '../../core/lists/IdSet.js';
import type { SpatialIndex } from '../../structures/contract/SpatialIndex.js';
import { maskOf } from '../objects/maskOf.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import { cameraPlanes, viewAt, viewCount } from './cameraPlanes.js';

/** Shared by all, as each writes its rounds to the same records. */
let rounds = 0;

/**
 * Which entries a camera sees, in ascending order of ids: the index finds what lies in its frustum, and the objects say
 * what three would draw of that.
 *
 * An object is drawn when it and all above it are `visible` and its `layers` meet the camera's; layers of what is above
 * do not matter. Objects with `frustumCulled` false are seen wherever they are.
 */
export class Visibility {
  readonly intersecting: IdList = new IdList();
  /** Records that were taken for this round; null where the object is not shown. */
  readonly #taken: (ObjectRecord | null)[] = [];
  #count = 0;
  #round = 0;
  readonly #intersectingMarks = new IdSet();
  readonly #planes: Float64Array[] = [];

  /** Fills `intersecting` with the ids of all that lies in the frustum of the camera, or is never culled. */
  cull(index: SpatialIndex, camera: Camera, neverCulled: Iterable<ObjectRecord>): void {
    this.within(index, this.planesOf(camera), neverCulled);
  }

  /**
   * The same for the planes of one or several views; false, with nothing found, when one of them sees more than `most`.
   */
  within(
    index: SpatialIndex,
    views: readonly Float64Array[],
    neverCulled: Iterable<ObjectRecord>,
    most: number = Number.POSITIVE_INFINITY,
  ): boolean {
    for (const planes of views) {
      index.queryPlanes(planes, this.intersecting);
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

  /** Begins a round of {@link isShown}: answers of earlier rounds do not count. */
  begin(): void {
    this.#round = ++rounds;
  }

  /** Takes the records of ids, behind those taken before: getters of objects may change the ids later on. */
  take({ ids, length }: IdList, byId: readonly (ObjectRecord | null)[]): void {
    for (let i = 0; i < length; i++) this.#taken[this.#count++] = byId[ids[i]];
  }

  /** Writes the objects that are shown, of the records taken in a range, to `out`; returns their number. */
  show(from: number, to: number, camera: Camera, out: Object3D[]): number {
    const taken = this.#taken;
    let n = 0;
    for (let i = from; i < to; i++) {
      const record = taken[i] as ObjectRecord;
      if (this.isShown(record, camera)) out[n++] = record.object;
      else taken[i] = null;
    }
    return n;
  }

  /** Marks the records of what was shown as seen in this round, whose number is returned. */
  mark(): number {
    for (let i = 0; i < this.#count; i++) {
      const record = this.#taken[i];
      if (record !== null) record.seenIn = this.#round;
    }
    return this.#round;
  }

  /** Lets go of all records. */
  release(): void {
    this.#taken.fill(null, 0, this.#count);
    this.#count = 0;
  }

  /** True when three would draw the object for this camera, were it in view. */
  isShown(record: ObjectRecord, camera: Camera): boolean {
    const isMet = (maskOf(record.object) & camera.layers.mask) !== 0;
    return record.object.visible && isMet && (record.parent === null || this.#isOpen(record.parent));
  }

  /** The planes of each view of a camera, all before the first query, as a camera may throw. */
  planesOf(camera: Camera): Float64Array[] {
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
  #isOpen(record: ObjectRecord): boolean {
    // Goes up to an object whose answer is known or that is hidden, or past the top.
    let known: ObjectRecord | null = record;
    let top = record;
    while (known !== null && known.shownIn !== this.#round && known.object.visible) {
      top = known;
      known = known.parent;
    }
    const shown = known === null ? isVisibleAbove(top.object) : known.shownIn === this.#round && known.shown;
    for (let r: ObjectRecord | null = record; r !== null && r.shownIn !== this.#round; r = r.parent) {
      r.shown = shown;
      r.shownIn = this.#round;
      if (r === known) break;
    }
    return shown;
  }
}

/** True when all that an object lies in is visible. */
function isVisibleAbove({ parent }: Object3D): boolean {
  for (let o = parent; o !== null; o = o.parent) if (!o.visible) return false;
  return true;
}
