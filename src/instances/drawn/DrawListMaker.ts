import { type BatchedMesh, type Camera, type Material, Matrix4, Vector3 } from 'three';
import type { IdList } from '../../core/ids.js';
import { cameraPlanes } from '../../scene/ask/cameraViews.js';
import { GEOMETRIES, type Internals } from '../../three/batches.js';
import type { IndexedInstances } from '../table/IndexedInstances.js';
import { type InstanceTable, SPHERE } from '../table/InstanceTable.js';
import { DepthOrder, Draws } from './drawLists.js';

/** An item that `BatchedMesh.customSort` sorts. */
interface DrawItem {
  start: number;
  count: number;
  z: number;
  index: number;
}

/** Chooses the geometry of each instance in a list, by id, and leaves out some instances. */
export interface LevelChooser {
  choose(table: InstanceTable, ids: IdList, camera: Camera, material: Material): Int32Array;
}

/** Finds the instances that a pass draws of a batch, and their order, as three does. */
export class DrawListMaker {
  readonly #mesh: BatchedMesh & Internals;
  readonly #draws = new Draws();
  readonly #order = new DepthOrder();
  isSorting = false;
  #shapeOf: Int32Array = new Int32Array(0);

  constructor(mesh: BatchedMesh) {
    this.#mesh = mesh as BatchedMesh & Internals;
  }

  /** Makes a list that the next call overwrites; `levels` are the levels of detail, or null. */
  make(instances: IndexedInstances, camera: Camera, material: Material, levels: LevelChooser | null): Draws {
    const mesh = this.#mesh;
    const draws = this.#draws;
    const { table } = instances;
    this.isSorting = false;
    if (mesh.perObjectFrustumCulled) instances.cull(frustaOf(camera, mesh.matrixWorld), draws.ids);
    else instances.listAll(draws.ids);
    this.#shapeOf = levels === null ? table.shapeOf : levels.choose(table, draws.ids, camera, material);
    if (mesh.sortObjects) this.#measureDepths(camera, table.spheres);
    if (mesh.sortObjects && mesh.customSort !== null) this.#sortByUser(camera);
    else {
      if (mesh.sortObjects) this.#sort(material.transparent);
      this.#findRanges(levels !== null);
    }
    return draws;
  }

  /** @param hasLevels Whether instances may be drawn with other geometries than their own. */
  #findRanges(hasLevels: boolean): void {
    this.#draws.reserve(this.#draws.ids.length);
    const { ids, starts, counts } = this.#draws;
    const { [GEOMETRIES]: ranges } = this.#mesh;
    if (ranges.length === 1 && !hasLevels) {
      starts.fill(ranges[0].start, 0, ids.length);
      counts.fill(ranges[0].count, 0, ids.length);
      return;
    }
    const shapeOf = this.#shapeOf;
    for (let i = 0; i < ids.length; i++) {
      const { start, count } = ranges[shapeOf[ids.ids[i]]];
      starts[i] = start;
      counts[i] = count;
    }
  }

  #sort(isTransparent: boolean): void {
    const { ids } = this.#draws;
    if (this.#order.sort(ids, isTransparent)) return;
    // With NaN the order depends on the algorithm: this is three's.
    const sign = isTransparent ? -1 : 1;
    const items = this.#items().sort((a, b) => sign * (a.z - b.z));
    for (const [i, { index }] of items.entries()) ids.ids[i] = index;
  }

  /** Measures how far the centres of spheres lie before the camera, in three's order of operations. */
  #measureDepths(camera: Camera, spheres: Float64Array): void {
    const { ids, length } = this.#draws.ids;
    inverse.copy(this.#mesh.matrixWorld).invert();
    const { x: px, y: py, z: pz } = position.setFromMatrixPosition(camera.matrixWorld).applyMatrix4(inverse);
    forward.set(0, 0, -1).transformDirection(camera.matrixWorld).transformDirection(inverse);
    const { x: fx, y: fy, z: fz } = forward;
    const depths = this.#order.reserve(length);
    for (let i = 0; i < length; i++) {
      const s = SPHERE * ids[i];
      depths[i] = (spheres[s] - px) * fx + (spheres[s + 1] - py) * fy + (spheres[s + 2] - pz) * fz;
    }
  }

  /** Sorts by the user's function, which may change or leave out items as well. */
  #sortByUser(camera: Camera): void {
    const items = this.#items();
    this.isSorting = true;
    this.#mesh.customSort?.call(this.#mesh, items as never, camera);
    this.isSorting = false;
    const draws = this.#draws;
    draws.reserve(items.length);
    draws.ids.length = 0;
    const ids = draws.ids.reserve(items.length);
    for (const [i, { index, start, count }] of items.entries()) {
      ids[i] = index;
      draws.starts[i] = start;
      draws.counts[i] = count;
    }
    draws.ids.length = items.length;
  }

  #items(): DrawItem[] {
    const { [GEOMETRIES]: ranges } = this.#mesh;
    const { ids, length } = this.#draws.ids;
    const items: DrawItem[] = [];
    for (let i = 0; i < length; i++) {
      const { start, count } = ranges[this.#shapeOf[ids[i]]];
      items.push({ start, count, z: this.#order.depths[i], index: ids[i] });
    }
    return items;
  }
}

/** The frusta of a camera, in the frame of the mesh; those of an ArrayCamera are in the world, as three has them. */
function frustaOf(camera: Camera, matrixWorld: Matrix4): Float64Array[] {
  const { isArrayCamera, cameras } = camera as Camera & { isArrayCamera?: boolean; cameras: Camera[] };
  return isArrayCamera ? cameras.map((view) => cameraPlanes(view)) : [cameraPlanes(camera, undefined, matrixWorld)];
}

const inverse = new Matrix4();
const position = new Vector3();
const forward = new Vector3();
