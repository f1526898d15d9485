import type { BufferGeometry, InstancedMesh, Matrix4 } from 'three';
import { IdList } from '../../core/ids.js';
import { LastValues } from '../../scene/facts/LastValues.js';
import { largestStretch } from '../../scene/objects/distortion.js';
import { type InstanceTable, SPHERE } from '../table/InstanceTable.js';
import { type LevelErrors, type LevelViews, PassLevels, type PassViews, TakenLevels } from './LevelViews.js';

/** A geometry and its levels of detail, as geometries that share its vertices. */
export interface LevelChain {
  /** The geometries from fine to coarse, the original geometry first. */
  readonly geometries: readonly BufferGeometry[];
  /** One divided by the error of each level. */
  readonly least: Float64Array;
  readonly triangles: readonly number[];
}

/** The levels of detail of an `InstancedMesh`, wherever they are stored. */
export interface LeveledMesh {
  readonly views: LevelViews;
  /** The levels of the present geometry; null while there are none, or all triangles have to be drawn. */
  takeChain(): LevelChain | null;
  /** Called with the number of triangles that a picture draws, and of the triangles spared. */
  note(drawn: number, spared: number): void;
  dispose(): void;
}

export class SortedInstances {
  readonly lists: IdList[] = [];
  /** All values that decide about the levels, besides the list of seen instances. */
  readonly key: LastValues = new LastValues();
  spared = 0;
}

/** Sorts the instances that passes see by their levels of detail. */
export class InstanceLevels {
  readonly #taken = new TakenLevels();

  /**
   * @param isSame Whether the seen instances are the ones that were sorted last.
   * @param out Overwritten, each level in the order of `seen`.
   */
  sort(
    seen: IdList,
    isSame: boolean,
    table: InstanceTable,
    mesh: InstancedMesh,
    chain: LevelChain,
    views: PassViews,
    errors: LevelErrors,
    out: SortedInstances,
  ): void {
    const levels = new PassLevels(views, errors, this.#taken, table.limit);
    const key = out.key.beginRow();
    key.compare(chain);
    for (const { camera, eyes } of levels.views) {
      key.compare(camera);
      key.compareAll(eyes);
    }
    if (key.takeSame() && isSame) return;
    const { triangles } = chain;
    const { lists } = out;
    lists.length = triangles.length;
    for (let level = 0; level < lists.length; level++) {
      lists[level] ??= new IdList();
      lists[level].length = 0;
      lists[level].reserve(seen.length);
    }
    sortInto(lists, seen, table, mesh.matrixWorld, chain.least, levels);
    out.spared = seen.length * triangles[0];
    for (let level = 0; level < lists.length; level++) out.spared -= lists[level].length * triangles[level];
  }
}

function sortInto(
  lists: readonly IdList[],
  { ids, length }: IdList,
  { spheres, scales, shapes }: InstanceTable,
  matrixWorld: Matrix4,
  least: Float64Array,
  levels: PassLevels,
): void {
  const { elements: e } = matrixWorld;
  const ofMesh = largestStretch(matrixWorld);
  const { radius } = shapes[0].sphere;
  for (let i = 0; i < length; i++) {
    const id = ids[i];
    const s = SPHERE * id;
    const x = spheres[s];
    const y = spheres[s + 1];
    const z = spheres[s + 2];
    const wx = e[0] * x + e[4] * y + e[8] * z + e[12];
    const wy = e[1] * x + e[5] * y + e[9] * z + e[13];
    const wz = e[2] * x + e[6] * y + e[10] * z + e[14];
    const scale = ofMesh * scales[id];
    const list = lists[levels.take(id, least, scale, wx, wy, wz, scale * radius)];
    list.ids[list.length++] = id;
  }
}
