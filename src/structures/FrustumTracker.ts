import { inWords } from '../core/inWords.js';
import { IdList } from '../core/lists/IdList.js';
import { IdSet } from '../core/lists/IdSet.js';
import { copyPlanes, MAX_PLANES } from '../core/shapes/PlanesVolume.js';
import type { SpatialIndex } from './contract/SpatialIndex.js';

/**
 * What one camera sees, from frame to frame: the items in its frustum, and those that came into it or left it since the
 * last update. So what a camera's sight costs its user may be in proportion to what changes. Any number of views may
 * look at one index, and nothing is kept of them there.
 */
export class FrustumTracker {
  /** Items in the frustum, in ascending order. */
  readonly visible: IdList = new IdList();
  /** Of them those that were not there before the last update, in ascending order. */
  readonly entered: IdList = new IdList();
  /**
   * Items that were there before the last update and are not any more, in ascending order; removed ones too. An id that was
   * removed and given to another item meanwhile is the same id: who removes items knows.
   */
  readonly left: IdList = new IdList();
  readonly #index: SpatialIndex;
  #seen = new IdSet();
  #seenBefore = new IdSet();
  /** The planes and the version of the index that the lists are for. */
  readonly #planes = new Float64Array(4 * MAX_PLANES);
  #count = 0;
  #version = -1;
  /** The planes that are asked for now. */
  readonly #asked = new Float64Array(4 * MAX_PLANES);

  constructor(index: SpatialIndex) {
    if (typeof index?.queryPlanes !== 'function') {
      throw new TypeError(`FrustumTracker: must be of an index, got ${inWords(index)}`);
    }
    this.#index = index;
  }

  /**
   * Looks again; returns true if the planes or the index have changed since the last time, without which nothing is done.
   * @param planes As in {@link SpatialIndex.queryPlanes}.
   */
  update(planes: ArrayLike<number>): boolean {
    // Read first, and once: a getter among the planes may throw, or edit the index.
    const count = copyPlanes(planes, this.#asked, 'FrustumTracker.update');
    const { version } = this.#index;
    const isKnown = version === this.#version && this.#isKnown(count);
    // What is NaN is no condition, and a part of the array would be another object.
    if (!isKnown) this.#index.queryPlanes(this.#asked.fill(Number.NaN, 4 * count), this.visible);
    this.entered.length = this.left.length = 0;
    if (isKnown) return false;
    this.#version = version;
    this.#count = count;
    this.#planes.set(this.#asked);
    const before = this.#seen;
    this.#seen = this.#seenBefore;
    this.#seenBefore = before;
    this.#seen.clear();
    this.#seen.addAll(this.visible);
    this.#seen.list(this.visible);
    before.compare(this.#seen, this.entered, this.left);
    return true;
  }

  #isKnown(count: number): boolean {
    if (count !== this.#count) return false;
    for (let i = 0; i < 4 * count; i++) if (this.#asked[i] !== this.#planes[i]) return false;
    return true;
  }
}
