import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { compareSets, IdList, IdSet } from '../core/ids.js';
import { inWords } from '../core/options.js';
import { copyPlanes, MAX_PLANES } from '../core/shapes/PlanesVolume.js';

/**
 * Tracks what one camera sees: the items in its frustum, and those that entered or left it with the last update. Any
 * number of trackers may share one index, which holds no reference to them.
 */
export class FrustumTracker {
  /** Items in the frustum as of the last update, in ascending order. */
  readonly visible: IdList = new IdList();
  /** Items of `visible` that were not in the frustum before the last update, in ascending order. */
  readonly entered: IdList = new IdList();
  /**
   * Items that left the frustum with the last update, removed ones included, in ascending order. An id that was removed
   * and given to another item between two updates counts as the same item.
   */
  readonly left: IdList = new IdList();
  readonly #index: SpatialIndex;
  /** The items of `visible`, and a set for the next update. */
  #seen = new IdSet();
  #spare = new IdSet();
  /** The planes and the version of the index that the lists are for. */
  readonly #planes = new Float64Array(4 * MAX_PLANES);
  #count = 0;
  #version = -1;
  /** The planes given to the present update. */
  readonly #asked = new Float64Array(4 * MAX_PLANES);

  /** @throws TypeError unless it is an index. */
  constructor(index: SpatialIndex) {
    if (typeof index?.queryPlanes !== 'function') {
      throw new TypeError(`FrustumTracker: must be an index, got ${inWords(index)}`);
    }
    this.#index = index;
  }

  /** Number of items in the frustum. */
  get size(): number {
    return this.visible.length;
  }

  /**
   * Queries the index and fills the lists.
   * @param planes As in {@link SpatialIndex.queryPlanes}.
   * @returns false if neither planes nor index have changed since the last update: then nothing is queried, and `entered`
   * and `left` are empty.
   */
  update(planes: ArrayLike<number>): boolean {
    // Read first, and once: a getter among the planes may throw, or edit the index.
    const count = copyPlanes(planes, this.#asked, 'FrustumTracker.update');
    const { version } = this.#index;
    const isKnown = version === this.#version && this.#isKnown(count);
    // NaN is no condition; a subarray would be another object to allocate.
    if (!isKnown) this.#index.queryPlanes(this.#asked.fill(Number.NaN, 4 * count), this.visible);
    this.entered.length = this.left.length = 0;
    if (isKnown) return false;
    this.#version = version;
    this.#count = count;
    this.#planes.set(this.#asked);
    const before = this.#seen;
    this.#seen = this.#spare;
    this.#spare = before;
    this.#seen.clear();
    this.#seen.addAll(this.visible);
    this.#seen.list(this.visible);
    compareSets(before, this.#seen, this.entered, this.left);
    return true;
  }

  /** Empties all lists. After it, an update reports all visible items as entered. */
  dispose(): void {
    this.visible.length = this.entered.length = this.left.length = 0;
    this.#seen = new IdSet();
    this.#spare = new IdSet();
    this.#version = -1;
  }

  #isKnown(count: number): boolean {
    if (count !== this.#count) return false;
    for (let i = 0; i < 4 * count; i++) if (this.#asked[i] !== this.#planes[i]) return false;
    return true;
  }
}
