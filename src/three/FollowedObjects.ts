import type { Box3, Object3D } from 'three';
import type { Entries } from './entries/Entries.js';
import type { SceneFollower } from './follow/SceneFollower.js';
import { checkBoolean, checkBox3Target, checkObject } from './objects/checks.js';
import type { ObjectRecord } from './objects/ObjectRecord.js';

/** What can be said and asked about single objects. See `SceneIndex`. */
export class FollowedObjects {
  readonly #entries: Entries;
  readonly #follower: SceneFollower;

  constructor(entries: Entries, follower: SceneFollower) {
    this.#entries = entries;
    this.#follower = follower;
  }

  add(object: Object3D): boolean {
    const isKnown = this.#touch(object, 'SceneIndex.add');
    if (!isKnown) this.#follower.hierarchy.track(object);
    return !isKnown;
  }

  remove(object: Object3D): boolean {
    checkObject(object, 'SceneIndex.remove');
    return this.#follower.hierarchy.untrack(object);
  }

  touch(object: Object3D): boolean {
    return this.#touch(object, 'SceneIndex.touch');
  }

  setStatic(object: Object3D, isStatic: boolean): boolean {
    checkObject(object, 'SceneIndex.setStatic');
    checkBoolean(isStatic, 'SceneIndex.setStatic.isStatic');
    const record = this.#recordOf(object);
    if (record) this.#follower.setStatic(record, isStatic);
    return record !== undefined;
  }

  getBox(object: Object3D, target: Box3): Box3 | null {
    checkBox3Target(target, 'SceneIndex.getBox.target');
    // Read first: measuring may give the object an entry, or take it away.
    const { index } = this.#entries;
    const record = this.#recordOf(object);
    if (record === undefined || record.id < 0) return null;
    const box = index.getBox(record.id);
    target.min.fromArray(box);
    target.max.fromArray(box, 3);
    return target;
  }

  #touch(object: Object3D, where: string): boolean {
    checkObject(object, where);
    const record = this.#recordOf(object);
    if (record) this.#follower.touch(record);
    return record !== undefined;
  }

  #recordOf(object: Object3D): ObjectRecord | undefined {
    return this.#follower.hierarchy.records.get(object);
  }
}
