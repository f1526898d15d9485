import type { BufferGeometry, InstancedMesh } from 'three';
import { IdList } from '../../core/ids.js';
import type { Pass } from '../../passes/Pass.js';
import { largestStretch } from '../../scene/objects/distortion.js';
import { type InstanceTable, SPHERE } from '../table/InstanceTable.js';
import { type LevelViews, PassLevels, TakenLevels } from './LevelViews.js';

/** A geometry and its levels of detail, as geometries that share its vertices. */
export interface LevelChain {
  /** From fine to coarse, the geometry itself first. */
  readonly geometries: readonly BufferGeometry[];
  /** One divided by how far each of the levels is off. */
  readonly least: Float64Array;
  readonly triangles: readonly number[];
}

/** Who has the levels of detail of an `InstancedMesh`. */
export interface LeveledMesh {
  readonly views: LevelViews;
  /** The levels of its geometry as it is now; null while there are none, or all triangles have to be drawn. */
  takeChain(): LevelChain | null;
  /** Called with how many triangles a picture draws. */
  note(drawn: number, spared: number): void;
  dispose(): void;
}

/** Sorts the instances that passes see by their levels of detail. */
export class InstanceLevels {
  readonly #taken = new TakenLevels();

  /**
   * @param lists Overwritten with the instances of each level, in the order of `seen`.
   * @returns how many triangles are spared; -1 where all have to be drawn.
   */
  sort(
    seen: IdList,
    { spheres, scales, limit, shapes }: InstanceTable,
    { matrixWorld }: InstancedMesh,
    leveled: LeveledMesh,
    { geometries, least, triangles }: LevelChain,
    pass: Pass,
    lists: IdList[],
  ): number {
    const views = leveled.views.of(pass);
    if (views === null) return -1;
    const levels = new PassLevels(views, leveled.views.errors, this.#taken, limit);
    lists.length = geometries.length;
    for (let level = 0; level < lists.length; level++) {
      lists[level] ??= new IdList();
      lists[level].length = 0;
      lists[level].reserve(seen.length);
    }
    const { elements: e } = matrixWorld;
    const ofMesh = largestStretch(matrixWorld);
    const { radius } = shapes[0].sphere;
    const { ids, length } = seen;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const s = SPHERE * id;
      const [x, y, z] = [spheres[s], spheres[s + 1], spheres[s + 2]];
      const wx = e[0] * x + e[4] * y + e[8] * z + e[12];
      const wy = e[1] * x + e[5] * y + e[9] * z + e[13];
      const wz = e[2] * x + e[6] * y + e[10] * z + e[14];
      const scale = ofMesh * scales[id];
      const list = lists[levels.take(id, least, scale, wx, wy, wz, scale * radius)];
      list.ids[list.length++] = id;
    }
    let drawn = 0;
    for (let level = 0; level < lists.length; level++) drawn += lists[level].length * triangles[level];
    return length * triangles[0] - drawn;
  }
}
