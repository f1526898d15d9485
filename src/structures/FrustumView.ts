import { IdList } from '../core/IdList.js';
import { IdSet } from '../core/IdSet.js';
import type { SpatialIndex } from './SpatialIndex.js';

/**
 * What one camera sees, from frame to frame: the items in its frustum, and those that came into it or left it since the
 * last update. So what a camera's sight costs its user may be in proportion to what changes. Any number of views may
 * look at one index, and nothing is kept of them there.
 */
export class FrustumView {
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
  #planes = new Float64Array(0);
  #version = -1;

  constructor(index: SpatialIndex) {
    if (typeof index?.frustum !== 'function') {
      throw new TypeError(`FrustumView: must be of an index, got ${String(index)}`);
    }
    this.#index = index;
  }

  /**
   * Looks again; returns true if the planes or the index have changed since the last time, without which nothing is done.
   * @param planes As in {@link SpatialIndex.frustum}.
   */
  update(planes: ArrayLike<number>): boolean {
    const { version } = this.#index;
    const isKnown = version === this.#version && this.#isKnown(planes);
    if (!isKnown) this.#index.frustum(planes, this.visible);
    this.entered.length = this.left.length = 0;
    if (isKnown) return false;
    this.#version = version;
    this.#note(planes);
    const before = this.#seen;
    this.#seen = this.#seenBefore;
    this.#seenBefore = before;
    this.#seen.clear();
    this.#seen.addAll(this.visible);
    this.#seen.list(this.visible);
    before.compare(this.#seen, this.entered, this.left);
    return true;
  }

  #isKnown(planes: ArrayLike<number>): boolean {
    const known = this.#planes;
    if (planes?.length !== known.length) return false;
    for (let i = 0; i < known.length; i++) if (planes[i] !== known[i]) return false;
    return true;
  }

  #note(planes: ArrayLike<number>): void {
    if (planes.length !== this.#planes.length) this.#planes = new Float64Array(planes.length);
    for (let i = 0; i < planes.length; i++) this.#planes[i] = planes[i];
  }
}
