import { type Camera, type LOD, Object3D } from 'three';
import { maskOf } from '../objects/maskOf.js';
import { type Flags, isAggregate, type ObjectRecord } from '../objects/ObjectRecord.js';

/**
 * Stands in a list for the LODs that are not in it. three updates the level of every LOD it walks past, in view or not:
 * one out of view casts the shadow of its level, and with hysteresis a level depends on those before it. So a renderer
 * meets a LOD here whose update is theirs.
 */
export class OffscreenLods extends Object3D {
  readonly isLOD = true;
  readonly autoUpdate = true;
  readonly #root: Object3D;
  readonly #levels: Iterable<ObjectRecord>;
  readonly #listed: ReadonlySet<ObjectRecord>;

  /**
   * @param levels All LODs, those in others included, parents before children.
   * @param listed Those LODs that a renderer walks by itself, with all that lies in them.
   */
  constructor(root: Object3D, levels: Iterable<ObjectRecord>, listed: ReadonlySet<ObjectRecord>) {
    super();
    this.#root = root;
    this.#levels = levels;
    this.#listed = listed;
  }

  update(camera: Camera): void {
    for (const record of this.#levels) {
      const lod = record.object as LOD;
      if (!lod.autoUpdate || this.#listed.has(record.aggregate as ObjectRecord) || !this.#isWalked(record, camera))
        continue;
      lod.update(camera);
    }
  }

  #isWalked({ object, parent }: ObjectRecord, camera: Camera): boolean {
    if (!object.visible || (maskOf(object) & camera.layers.mask) === 0) return false;
    for (let above = parent; above !== null; above = above.parent) {
      if (above.object === this.#root) return true;
      // Other units than LODs are in every list, and walked with all that lies in them.
      if (!above.object.visible || (isAggregate(above.object) && !(above.object as Flags).isLOD)) return false;
    }
    return false;
  }
}
