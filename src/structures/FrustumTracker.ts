import type { SpatialIndex } from '../contract/SpatialIndex.js';
import { compareSets, IdList, IdSet } from '../core/ids.js';
import { inWords } from '../core/options.js';
import { copyPlanes, MAX_PLANES } from '../core/shapes/PlanesVolume.js';

/**
 * Tracks which items one camera sees, and which of them came and went. Any number of trackers may share an index, which
 * holds no reference to them.
 *
 * @example
 * ```ts
 * import { FrustumTracker } from 'three-scene-index/core';
 *
 * const tracker = new FrustumTracker(index);
 * tracker.update(planes);
 * for (const id of tracker.entered) console.log(id, 'came into view');
 * for (const id of tracker.left) console.log(id, 'left the view');
 * ```
 */
export class FrustumTracker {
  /** Items in the frustum as of the last update, in ascending order. */
  readonly visible: IdList = new IdList();
  /** Items that came into the frustum with the last update, in ascending order. */
  readonly entered: IdList = new IdList();
  /**
   * Items that left the frustum with the last update, in ascending order. Removed items are among them. If an id is
   * removed and given to another item between two updates, it counts as one item.
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

  /** @throws TypeError for anything but an index. */
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
   * @returns false if neither planes nor index changed since the last update. Then nothing is queried, and `entered`
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

  /** Empties all lists. A later update reports all visible items as entered. */
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
