import type { Camera } from 'three';
import { IdList } from '../core/ids.js';
import type { ObjectRecord } from '../scene/objects/ObjectRecord.js';

/** Passes of a camera for which an object stays listed after it was in view. */
const KEPT = 64;

/**
 * What each camera has a drawing pipeline like `MeshletDrawingPipeline` walk.
 *
 * Such a pipeline keeps the data of an object, its matrix in the last frame included, by its place among all that it is
 * given, and culls by itself. When one more object comes into view, all behind it would be written anew, and take the
 * motion of others for theirs. So objects that go out of view keep their places, and new ones come last.
 */
export class SteadyLists {
  readonly #byCamera = new WeakMap<Camera, SteadyList>();

  of(camera: Camera): SteadyList {
    let list = this.#byCamera.get(camera);
    if (list === undefined) {
      list = new SteadyList();
      this.#byCamera.set(camera, list);
    }
    return list;
  }
}

/** The objects that one camera lists. */
export class SteadyList {
  readonly #ids = new IdList();
  /** By id, the last pass that saw it, if it is listed; else 0. */
  #seenIn = new Uint32Array(64);
  #pass = 0;

  get isEmpty(): boolean {
    return this.#ids.length === 0;
  }

  /** To be called when a pass walks the whole scene: whatever is listed next may have any place. */
  clear(): void {
    this.#ids.length = 0;
    this.#seenIn.fill(0);
  }

  /**
   * The objects in view, and those that keep their places.
   * @param seen Ids of those in view.
   * @param records By id; null for those that have gone.
   */
  keep({ ids, length }: IdList, records: readonly (ObjectRecord | null)[]): IdList {
    this.#pass++;
    if (this.#seenIn.length < records.length) {
      const grown = new Uint32Array(2 * records.length);
      grown.set(this.#seenIn);
      this.#seenIn = grown;
    }
    const listed = this.#ids.reserve(length);
    const seenIn = this.#seenIn;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      if (seenIn[id] === 0) listed[this.#ids.length++] = id;
      seenIn[id] = this.#pass;
    }
    if (this.#isOutdated(records)) this.#drop(records);
    return this.#ids;
  }

  /** True when one has gone, so that others change their places anyway, or most have been out of view for long. */
  #isOutdated(records: readonly (ObjectRecord | null)[]): boolean {
    const { ids, length } = this.#ids;
    let recent = 0;
    for (let i = 0; i < length; i++) {
      if (!records[ids[i]]) return true;
      if (this.#seenIn[ids[i]] + KEPT >= this.#pass) recent++;
    }
    return 2 * recent < length;
  }

  /** Drops those that have gone or have not been in view of late. */
  #drop(records: readonly (ObjectRecord | null)[]): void {
    const { ids, length } = this.#ids;
    this.#ids.length = 0;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      if (records[id] && this.#seenIn[id] + KEPT >= this.#pass) ids[this.#ids.length++] = id;
      else this.#seenIn[id] = 0;
    }
  }
}
