import type { Camera, Object3D } from 'three';
import type { SpatialIndex } from '../../contract/SpatialIndex.js';
import { EMPTY_ARRAY } from '../../core/arrays.js';
import { IdList, IdSet } from '../../core/ids.js';
import type { Entries, EntriesById } from '../follow/Entries.js';
import type { Traits } from '../follow/Traits.js';
import { isShownTo, maskOf, type ObjectRecord } from '../objects/ObjectRecord.js';
import { planesOfViews, updateCamera, viewsOf } from './cameraViews.js';
import { HIDDEN, InheritedState } from './InheritedState.js';
import type { LimitedView } from './SceneLimits.js';

/** Entries that count as seen wherever they are: entries that are never culled, and postponed ones. */
export function seenAnywhere(
  { neverCulled }: Pick<Traits, 'neverCulled'>,
  { postponed }: Entries,
): ReadonlySet<ObjectRecord> {
  return postponed.size === 0 ? neverCulled : new Set([...neverCulled, ...postponed.keys()]);
}

/**
 * Finds the entries that a camera sees, in ascending order of ids: the index finds the entries in the frustum, and the
 * state of the objects decides which of them three would draw.
 *
 * An object is drawn when it and all its ancestors are `visible` and its `layers` meet the camera's; layers of
 * ancestors do not matter. Objects with `frustumCulled` false are seen wherever they are.
 */
export class Visibility {
  readonly intersecting: IdList = new IdList();
  /** The collected objects, null for hidden ones, and the records of their parents. */
  readonly #collected: (Object3D | null)[] = [];
  readonly #parents: (ObjectRecord | null)[] = [];
  #count = 0;
  readonly #state = new InheritedState(null);
  #isBusy = false;
  readonly #intersectingMarks = new IdSet();
  readonly #planes: Float64Array[] = [];

  /** @param limited Leaves out small and distant objects, except objects that are never culled. */
  see(
    camera: Camera,
    entries: Entries,
    neverCulled: Iterable<ObjectRecord>,
    out: Object3D[],
    limited: LimitedView | null = null,
  ): Object3D[] {
    // A getter of an object may have called this method.
    if (this.#isBusy) return new Visibility().see(camera, entries, neverCulled, out, limited);
    this.#isBusy = true;
    try {
      this.#state.beginRound();
      const { index, byId } = entries;
      this.within(index, this.planesOf(camera), neverCulled);
      limited?.leaveOut(this.intersecting, neverCulled);
      this.collect(this.intersecting, byId);
      let n = this.show(0, this.intersecting.length, camera, out);
      // Objects without bounds have no id.
      for (const { id, object, parent } of neverCulled) {
        if (id >= 0 || !isShownTo(object, camera.layers.mask)) continue;
        if (parent === null || this.#state.resolve(parent).reach !== HIDDEN) out[n++] = object;
      }
      out.length = n;
    } finally {
      this.release();
      this.#isBusy = false;
    }
    return out;
  }

  /**
   * Fills `intersecting` with the ids of all entries that meet the planes of some views or are never culled, and of
   * `others`, found in another way. Returns false when a view sees more than `most`: the ids are of no use then.
   */
  within(
    index: SpatialIndex,
    views: readonly Float64Array[],
    neverCulled: Iterable<ObjectRecord>,
    most: number = Number.POSITIVE_INFINITY,
    others: readonly ObjectRecord[] = EMPTY_ARRAY,
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
    for (const { id } of others) if (id >= 0) this.#intersectingMarks.add(id);
    this.#intersectingMarks.drain(this.intersecting);
    return true;
  }

  /** Appends the objects of ids to the collected objects, as getters of objects may change the ids later on. */
  collect({ ids, length }: IdList, { objects, parents }: EntriesById): void {
    for (let i = 0; i < length; i++) {
      this.#collected[this.#count] = objects[ids[i]];
      this.#parents[this.#count++] = parents[ids[i]];
    }
  }

  /** Writes the shown objects of a range of the collected objects to `out`; returns their number. */
  show(from: number, to: number, camera: Camera, out: Object3D[]): number {
    const collected = this.#collected;
    const parents = this.#parents;
    const { mask } = camera.layers;
    let n = 0;
    for (let i = from; i < to; ) {
      const parent = parents[i];
      const first = i;
      while (i < to && parents[i] === parent) i++;
      if (parent === null || this.#state.resolve(parent).reach !== HIDDEN)
        n = showSiblings(collected, first, i, mask, out, n);
      else collected.fill(null, first, i);
    }
    return n;
  }

  /** True when the object collected at this index was shown. */
  wasShown(i: number): boolean {
    return this.#collected[i] !== null;
  }

  release(): void {
    this.#collected.fill(null, 0, this.#count);
    this.#parents.fill(null, 0, this.#count);
    this.#count = 0;
  }

  /** The planes of each view of a camera; computed before the first query, as a camera may throw. */
  planesOf(camera: Camera): Float64Array[] {
    updateCamera(camera);
    return planesOfViews(viewsOf(camera), this.#planes);
  }
}

/**
 * Writes the objects of a range that are visible and on a layer of the mask to `out` from `n` on, and replaces the rest
 * by null; returns the end of `out`. Each object is a cache miss, and a processor waits for several misses together if
 * there is little to do in between: so this loop does nothing else.
 */
function showSiblings(
  collected: (Object3D | null)[],
  from: number,
  to: number,
  mask: number,
  out: Object3D[],
  n: number,
): number {
  let end = n;
  for (let i = from; i < to; i++) {
    const object = collected[i] as Object3D;
    if (object.visible && (maskOf(object) & mask) !== 0) out[end++] = object;
    else collected[i] = null;
  }
  return end;
}
