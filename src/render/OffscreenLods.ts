import { type Camera, type LOD, Object3D } from 'three';
import { maskOf } from '../scene/objects/maskOf.js';
import { type Flags, isAggregate, type ObjectRecord } from '../scene/objects/ObjectRecord.js';
import { ALL_LAYERS } from './PassProxy.js';

/**
 * Stands in a list for the LODs that the renderer does not get to by it. three updates the level of every LOD it walks
 * past, in view or not: one out of view casts the shadow of its level, and with hysteresis a level depends on those
 * before it. So a renderer meets a LOD here whose update is theirs.
 */
export class OffscreenLods extends Object3D {
  readonly isLOD = true;
  readonly autoUpdate = true;
  readonly #root: Object3D;
  /** Parents before children. */
  readonly #records: ObjectRecord[] = [];

  constructor(root: Object3D) {
    super();
    this.#root = root;
    this.layers = ALL_LAYERS;
  }

  get size(): number {
    return this.#records.length;
  }

  push(lod: ObjectRecord): void {
    this.#records.push(lod);
  }

  override clear(): this {
    this.#records.length = 0;
    return this;
  }

  update(camera: Camera): void {
    for (const record of this.#records) {
      const lod = record.object as LOD;
      if (lod.autoUpdate && this.#isWalked(record, camera)) lod.update(camera);
    }
  }

  #isWalked({ object, parent }: ObjectRecord, camera: Camera): boolean {
    if (!object.visible || (maskOf(object) & camera.layers.mask) === 0) return false;
    // Other aggregates than LODs are in every list, and walked with all that lies in them, unless one of these LODs
    // stands for them.
    let isListed = false;
    for (let above = parent; above !== null; above = above.parent) {
      if (above.object === this.#root) return !isListed;
      if (!above.object.visible) return false;
      if (isAggregate(above.object)) isListed = !(above.object as Flags).isLOD;
    }
    return false;
  }
}
