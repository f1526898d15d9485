import type { Box3, Object3D } from 'three';
import { inWords } from '../core/inWords.js';
import type { Entries } from './entries/Entries.js';
import type { SceneFollower } from './follow/SceneFollower.js';
import { checkBox3Target, checkObject } from './objects/checks.js';

/** What can be said and asked about single objects. See `SceneIndex`. */
export class FollowedObjects {
  readonly #entries: Entries;
  readonly #follower: SceneFollower;

  constructor(entries: Entries, follower: SceneFollower) {
    this.#entries = entries;
    this.#follower = follower;
  }

  add(object: Object3D): boolean {
    checkObject(object, 'SceneIndex.add');
    const { hierarchy } = this.#follower;
    const record = hierarchy.records.get(object);
    if (record) this.#follower.touch(record);
    else hierarchy.track(object);
    return record === undefined;
  }

  remove(object: Object3D): boolean {
    checkObject(object, 'SceneIndex.remove');
    return this.#follower.hierarchy.untrack(object);
  }

  touch(object: Object3D): boolean {
    checkObject(object, 'SceneIndex.touch');
    const record = this.#follower.hierarchy.records.get(object);
    if (record) this.#follower.touch(record);
    return record !== undefined;
  }

  setStatic(object: Object3D, isStatic: boolean): boolean {
    checkObject(object, 'SceneIndex.setStatic');
    if (typeof isStatic !== 'boolean') {
      throw new TypeError(`SceneIndex.setStatic.isStatic: must be a boolean, got ${inWords(isStatic)}`);
    }
    const record = this.#follower.hierarchy.records.get(object);
    if (record) this.#follower.setStatic(record, isStatic);
    return record !== undefined;
  }

  getBox(object: Object3D, target: Box3): Box3 | null {
    checkBox3Target(target, 'SceneIndex.getBox.target');
    // Read first: measuring may give the object an entry, or take it away.
    const { index } = this.#entries;
    const record = this.#follower.hierarchy.records.get(object);
    if (record === undefined || record.id < 0) return null;
    const [minX, minY, minZ, maxX, maxY, maxZ] = index.getBox(record.id);
    target.min.set(minX, minY, minZ);
    target.max.set(maxX, maxY, maxZ);
    return target;
  }
}
