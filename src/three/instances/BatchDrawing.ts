import { type BatchedMesh, type BufferGeometry, type Camera, type Material, Matrix4, Vector3 } from 'three';
import { replaceMethod } from '../objects/replaceMethod.js';
import { DepthOrder } from './DepthOrder.js';
import { type DrawFormat, type DrawLists, Draws, multiplierOf, sizeOf, writeMerged, writeMulti } from './drawLists.js';
import type { IndexedInstances } from './IndexedInstances.js';
import { type BatchInternals, isKnownBatch } from './InstanceSource.js';
import { SPHERE } from './InstanceTable.js';
import { localPlanes, worldPlanes } from './localFrusta.js';

/** What `BatchedMesh.customSort` sorts. */
interface DrawItem {
  start: number;
  count: number;
  z: number;
  index: number;
}

type Batch = BatchedMesh & BatchInternals & DrawLists & { _visibilityChanged: boolean };
type UpdateDraws = (camera: Camera, geometry: BufferGeometry, material: Material, format?: DrawFormat) => void;

/** The name of the method by which three makes the draw lists of a batch: since r187, and before. */
const SINCE_187 = '_updateDrawParameters';
const BEFORE = 'onBeforeRender';

/**
 * Has a batch make its draw lists by an index of its instances: in each pass the same lists, element for element, that
 * three makes by a test of each instance and a sort of all that are seen.
 */
export class BatchDrawing {
  readonly #mesh: Batch;
  /** The index of its instances, up to date; null where three is to make the lists. */
  readonly #ask: () => IndexedInstances | null;
  #instances: IndexedInstances | null = null;
  readonly #draws = new Draws();
  readonly #order = new DepthOrder();
  /** The method by which three makes the lists, and where it is kept. */
  readonly #kind: Methods;
  readonly #name: MethodName;
  readonly #stock: unknown;
  /** What is in its place. */
  readonly #own: unknown;
  readonly #undo: () => void;

  /** @param mesh One for which `canDrawByIndex` holds. */
  constructor(mesh: BatchedMesh, ask: () => IndexedInstances | null) {
    this.#mesh = mesh as Batch;
    this.#ask = ask;
    this.#kind = kindOf(mesh) as Methods;
    this.#name = nameOf(mesh);
    this.#stock = this.#kind[this.#name];
    const update: UpdateDraws = (camera, geometry, material, format = 'multiDraw') => {
      if (!this.#update(camera, geometry, material, format)) this.#leave(camera, geometry, material, format);
    };
    const draw: BatchedMesh['onBeforeRender'] = (_renderer, _scene, camera, geometry, material) => {
      update(camera, geometry, material);
    };
    // Before r187 shadows call it as well, and it asks neither renderer nor scene.
    this.#own = this.#name === BEFORE ? draw : update;
    this.#undo = replaceMethod(mesh as never, this.#name as never, this.#own as never);
  }

  /** True while nobody else makes the lists. */
  get isInCharge(): boolean {
    return (this.#mesh as unknown as Methods)[this.#name] === this.#own && this.#kind[this.#name] === this.#stock;
  }

  /** Gives the batch back to three. */
  dispose(): void {
    this.#undo();
  }

  /** Has the class of the batch make its lists. */
  #leave(camera: Camera, geometry: BufferGeometry, material: Material, format: DrawFormat): void {
    const method = this.#kind[this.#name];
    if (this.#name === BEFORE) method.call(this.#mesh, null, null, camera, geometry, material, null);
    else method.call(this.#mesh, camera, geometry, material, format);
  }

  /** Makes the lists; false when that is to be left to the class. */
  #update(camera: Camera, geometry: BufferGeometry, material: Material, format: DrawFormat): boolean {
    const mesh = this.#mesh;
    if (this.#kind[this.#name] !== this.#stock) return false;
    if (!mesh._visibilityChanged && !mesh.perObjectFrustumCulled && !mesh.sortObjects) return true;
    const instances = this.#ask();
    this.#instances = instances;
    if (instances === null) return false;
    const draws = this.#draws;
    if (mesh.perObjectFrustumCulled) instances.see(frustaOf(camera, mesh.matrixWorld), draws.ids);
    else instances.listAll(draws.ids);
    const isSortedByUser = mesh.sortObjects && mesh.customSort !== null;
    if (mesh.sortObjects) this.#measureDepths(camera);
    if (isSortedByUser) this.#sortByUser(camera);
    else {
      if (mesh.sortObjects) this.#sort(material.transparent);
      this.#findRanges();
    }
    const size = sizeOf(geometry, material);
    const multiplier = multiplierOf(material);
    if (format === 'merged') writeMerged(mesh, draws, size, multiplier);
    else writeMulti(mesh, draws, size, multiplier);
    mesh._visibilityChanged = false;
    return true;
  }

  #findRanges(): void {
    this.#draws.reserve(this.#draws.ids.length);
    const { ids, starts, counts } = this.#draws;
    const { shapeOf } = (this.#instances as IndexedInstances).table;
    const { _geometryInfo: ranges } = this.#mesh;
    if (ranges.length === 1) {
      starts.fill(ranges[0].start, 0, ids.length);
      counts.fill(ranges[0].count, 0, ids.length);
      return;
    }
    for (let i = 0; i < ids.length; i++) {
      const { start, count } = ranges[shapeOf[ids.ids[i]]];
      starts[i] = start;
      counts[i] = count;
    }
  }

  #sort(isTransparent: boolean): void {
    const { ids } = this.#draws;
    if (this.#order.sort(ids, isTransparent)) return;
    // With NaN it depends on the algorithm what comes of it.
    const sign = isTransparent ? -1 : 1;
    const items = this.#items().sort((a, b) => sign * (a.z - b.z));
    for (const [i, { index }] of items.entries()) ids.ids[i] = index;
  }

  /** Measures how far the centres of spheres lie before the camera, in three's order of operations. */
  #measureDepths(camera: Camera): void {
    const { ids, length } = this.#draws.ids;
    const { spheres } = (this.#instances as IndexedInstances).table;
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

  /** Has the user's function sort, which may change or leave out items as well. */
  #sortByUser(camera: Camera): void {
    const items = this.#items();
    this.#mesh.customSort?.call(this.#mesh, items as never, camera);
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
    const { shapeOf } = (this.#instances as IndexedInstances).table;
    const { _geometryInfo: ranges } = this.#mesh;
    const { ids, length } = this.#draws.ids;
    const items: DrawItem[] = [];
    for (let i = 0; i < length; i++) {
      const { start, count } = ranges[shapeOf[ids[i]]];
      items.push({ start, count, z: this.#order.depths[i], index: ids[i] });
    }
    return items;
  }
}

type MethodName = typeof SINCE_187 | typeof BEFORE;
type Methods = Record<MethodName, (...args: unknown[]) => void>;

/** True for a batch that makes its draw lists as three r186 or r187 does, by methods that nobody has replaced. */
export function canDrawByIndex(mesh: BatchedMesh): boolean {
  const lists = mesh as unknown as Partial<DrawLists & Batch>;
  const kind = kindOf(mesh);
  if (!isKnownBatch(mesh) || kind === null || !Object.isExtensible(mesh)) return false;
  const methods = mesh as unknown as Methods;
  const name = nameOf(mesh);
  if (methods[BEFORE] !== kind[BEFORE] || methods[name] !== kind[name]) return false;
  return (
    typeof lists._visibilityChanged === 'boolean' &&
    lists._multiDrawStarts instanceof Int32Array &&
    lists._multiDrawCounts instanceof Int32Array &&
    lists._indirectTexture?.image?.data instanceof Uint32Array &&
    (name === BEFORE || lists._mergedDrawStarts instanceof Int32Array)
  );
}

function nameOf(mesh: BatchedMesh): MethodName {
  return SINCE_187 in mesh ? SINCE_187 : BEFORE;
}

/** The prototype that is `BatchedMesh.prototype` of the copy of three that made a batch, whatever class it is of. */
function kindOf(mesh: BatchedMesh): Methods | null {
  let kind: object | null = Object.getPrototypeOf(mesh);
  while (kind !== null && !Object.hasOwn(kind, 'validateInstanceId')) kind = Object.getPrototypeOf(kind);
  return kind as Methods | null;
}

/** three tests spheres in the frame of the mesh by the frusta of an ArrayCamera in the world; so it is done here. */
function frustaOf(camera: Camera, matrixWorld: Matrix4): Float64Array[] {
  const { isArrayCamera, cameras } = camera as Camera & { isArrayCamera?: boolean; cameras: Camera[] };
  return isArrayCamera ? cameras.map(worldPlanes) : [localPlanes(camera, matrixWorld)];
}

const inverse = new Matrix4();
const position = new Vector3();
const forward = new Vector3();
