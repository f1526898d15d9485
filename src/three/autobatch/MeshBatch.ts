import {
  BatchedMesh,
  type BufferGeometry,
  type Camera,
  type Color,
  type DataTexture,
  type Material,
  Matrix4,
  Sphere,
} from 'three';
import { grow } from '../../core/grow.js';
import { IdList } from '../../core/lists/IdList.js';
import { sortByKey } from '../../structures/build/sortByKey.js';
import { DepthOrder } from '../batches/DepthOrder.js';
import {
  type DrawFormat,
  type DrawLists,
  Draws,
  multiplierOf,
  sizeOf,
  writeMerged,
  writeMulti,
} from '../batches/drawLists.js';
import type { BatchMemory } from './BatchMemory.js';
import { BatchShapes, type Shape } from './BatchShapes.js';
import type { KnownGeometry } from './KnownGeometry.js';
import { isWebGPU, MatrixUploads } from './MatrixUploads.js';

/** Draws that a batch has room for at first. */
const FIRST = 16;
/** Numbers that a draw takes of a geometry: of its index, or its vertices without one. */
export interface DrawRange {
  readonly start: number;
  readonly count: number;
}

/** Which of the lists of passes is to be drawn now. */
export type CurrentList = (isShadow: boolean) => number;

/** The slots that a pass draws. */
interface PassDraws {
  readonly ids: IdList;
  /** The camera by whose depths they are still to be sorted. */
  sortFor: Camera | null;
}

type Internals = DrawLists & {
  readonly _matricesTexture: DataTexture & { image: { data: Float32Array } };
  readonly _colorsTexture: { image: { data: Float32Array }; needsUpdate: boolean } | null;
  _initColorsTexture(): void;
  _updateDrawParameters(camera: Camera, geometry: BufferGeometry, material: Material, format: DrawFormat): void;
};

/** True for three before r187, where renderers of both kinds have `onBeforeRender` make the lists. */
const IS_OLD = !('_updateDrawParameters' in BatchedMesh.prototype);

/**
 * Meshes that are drawn at once, by a `BatchedMesh` of three's which no scene holds. A slot is the place of one draw, with
 * a range of a geometry and a matrix; each pass of a renderer is given a list of slots.
 *
 * Vertices are moved in single precision, so matrices are relative to an origin near the first of them. Mirrored meshes
 * have batches of their own, which are mirrored as a whole: the winding of triangles is that of the batch.
 */
export class MeshBatch {
  readonly mesh: BatchedMesh & Internals;
  readonly shapes: BatchShapes;
  readonly #currentList: CurrentList;
  readonly #isMirrored: boolean;
  readonly #memory: BatchMemory;
  #hasOrigin = false;
  readonly #lists: PassDraws[] = [];
  readonly #draws = new Draws();
  readonly #order = new DepthOrder();
  readonly #uploads = new MatrixUploads();
  // By slot: the geometry, the range, the centre in the world, who comes first of those at one depth, and of all.
  readonly #shapeOf: (Shape | null)[] = [];
  #firsts = new Int32Array(FIRST);
  #counts = new Int32Array(FIRST);
  #centers = new Float64Array(3 * FIRST);
  #ranks = new Int32Array(FIRST);
  #materials = new Int32Array(FIRST);
  readonly #free: number[] = [];

  constructor(
    material: Material,
    { isMirrored, isTinted }: { readonly isMirrored: boolean; readonly isTinted: boolean },
    currentList: CurrentList,
    memory: BatchMemory,
  ) {
    const mesh = new BatchedMesh(FIRST, 0, 0, material) as BatchedMesh & Internals;
    this.mesh = mesh;
    this.#currentList = currentList;
    this.#isMirrored = isMirrored;
    this.#memory = memory;
    this.shapes = new BatchShapes(mesh, memory);
    memory.take(bytesOf(FIRST));
    mesh.frustumCulled = mesh.matrixAutoUpdate = mesh.matrixWorldAutoUpdate = false;
    if (isTinted) mesh._initColorsTexture();
    // Renderers sort by it, among others; three would ask instances of its own.
    mesh.boundingSphere = new Sphere();
    if (isMirrored) mesh.matrixWorld.makeScale(-1, 1, 1);
    mesh.onBeforeRender = (renderer, _scene, _camera, geometry, material) => {
      this.#uploads.prepare(mesh._matricesTexture, renderer);
      // A new version has WebGPURenderer ask for lists.
      if (isWebGPU(renderer) && !IS_OLD) mesh._indirectTexture.needsUpdate = true;
      else this.#write(geometry, material, 'multiDraw', false);
    };
    mesh.onBeforeShadow = (renderer, _object, _camera, _shadowCamera, geometry, material) => {
      // For which shadows are renders of their own.
      if (isWebGPU(renderer)) return;
      this.#uploads.prepare(mesh._matricesTexture, renderer);
      this.#write(geometry, material, 'multiDraw', true);
    };
    // Nodes of WebGPURenderer call it before each draw.
    mesh._updateDrawParameters = (_camera, geometry, material, format) => {
      this.#write(geometry, material, format, false);
    };
  }

  /** Number of slots in use. */
  get size(): number {
    return this.#shapeOf.length - this.#free.length;
  }

  /**
   * Takes a slot; -1 when there is no memory for it.
   * @param rank Of draws at the same depth the one with the lowest comes first.
   * @param material Draws with a lower one come first, at any depth.
   */
  add(known: KnownGeometry, range: DrawRange, rank: number, material: number): number {
    if (this.#free.length === 0 && !this.#makeRoom()) return -1;
    const shape = this.shapes.use(known);
    if (shape === null) return -1;
    const slot = this.#free.pop() ?? this.#shapeOf.length;
    this.#shapeOf[slot] = shape;
    this.#firsts[slot] = range.start;
    this.#counts[slot] = range.count;
    this.#ranks[slot] = rank;
    this.#materials[slot] = material;
    return slot;
  }

  remove(slot: number): void {
    this.shapes.drop(this.#shapeOf[slot] as Shape);
    this.#shapeOf[slot] = null;
    this.#free.push(slot);
  }

  /** Takes account of changes of the geometry at a slot; false when there is no memory for them. */
  follow(slot: number, known: KnownGeometry, range: DrawRange): boolean {
    if (!this.shapes.follow(this.#shapeOf[slot] as Shape, known)) return false;
    this.#firsts[slot] = range.start;
    this.#counts[slot] = range.count;
    return true;
  }

  /** Puts what is drawn at a slot where a world matrix has it. */
  place(slot: number, world: Matrix4): void {
    const from = world.elements;
    if (!this.#hasOrigin) this.#setOrigin(from[12], from[13], from[14]);
    const origin = this.mesh.matrixWorld.elements;
    const { _matricesTexture: texture } = this.mesh;
    const to = texture.image.data;
    const o = 16 * slot;
    for (let i = 0; i < 16; i++) to[o + i] = from[i];
    for (let row = 0; row < 3; row++) to[o + 12 + row] = from[12 + row] - origin[12 + row];
    if (this.#isMirrored) for (let i = 0; i < 16; i += 4) to[o + i] = -to[o + i];
    this.#uploads.note(texture, o);
    const { x, y, z } = (this.#shapeOf[slot] as Shape).center;
    for (let row = 0; row < 3; row++) {
      this.#centers[3 * slot + row] = from[row] * x + from[row + 4] * y + from[row + 8] * z + from[row + 12];
    }
  }

  /** Gives what is drawn at a slot a colour, of a batch that has colours. */
  tint(slot: number, color: Color): void {
    const { _colorsTexture: texture } = this.mesh;
    if (texture === null) return;
    color.toArray(texture.image.data as never, 4 * slot);
    texture.needsUpdate = true;
  }

  /**
   * Begins a list, for a pass.
   * @param sortFor The camera by whose depths it is to be sorted; null to leave it as it is.
   */
  begin(list: number, sortFor: Camera | null): void {
    while (this.#lists.length <= list) this.#lists.push({ ids: new IdList(), sortFor: null });
    this.#lists[list].ids.length = 0;
    this.#lists[list].sortFor = sortFor;
  }

  /** Adds a slot to a list. */
  list(list: number, slot: number): void {
    const { ids } = this.#lists[list];
    ids.reserve(1)[ids.length++] = slot;
  }

  /** Sorts a list by a number for each slot. */
  sortBy(list: number, numberOf: (slot: number) => number): void {
    const { ids } = this.#lists[list];
    ids.ids.subarray(0, ids.length).sort((a, b) => numberOf(a) - numberOf(b));
  }

  /** Has renderers free what they have of it. */
  dispose(): void {
    this.#memory.give(bytesOf(this.mesh.maxInstanceCount) + this.shapes.bytes);
    this.mesh.dispose();
  }

  #write(geometry: BufferGeometry, material: Material, format: DrawFormat, isShadow: boolean): void {
    const draws = this.#draws;
    draws.ids.length = 0;
    const listed = this.#lists[this.#currentList(isShadow)];
    if (listed !== undefined) {
      this.#sort(listed);
      draws.ids.reserve(listed.ids.length).set(listed.ids.ids.subarray(0, listed.ids.length));
      draws.ids.length = listed.ids.length;
    }
    const { ids, length } = draws.ids;
    draws.reserve(length);
    for (let i = 0; i < length; i++) {
      const slot = ids[i];
      draws.starts[i] = (this.#shapeOf[slot]?.start ?? 0) + this.#firsts[slot];
      draws.counts[i] = this.#counts[slot];
    }
    const size = sizeOf(geometry, material);
    if (format === 'merged') writeMerged(this.mesh, draws, size, multiplierOf(material));
    else writeMulti(this.mesh, draws, size, multiplierOf(material));
  }

  /** Sorts as renderers sort opaque meshes: by material, depth, and their number. */
  #sort(listed: PassDraws): void {
    const { ids, sortFor: camera } = listed;
    if (camera === null) return;
    listed.sortFor = null;
    const e = projection.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
    const ranks = this.#ranks;
    const centers = this.#centers;
    const depths = this.#order.reserve(ids.length);
    for (let i = 1; i < ids.length; i++) {
      if (ranks[ids.ids[i]] > ranks[ids.ids[i - 1]]) continue;
      ids.ids.subarray(0, ids.length).sort((a, b) => ranks[a] - ranks[b]);
      break;
    }
    for (let i = 0; i < ids.length; i++) {
      const c = 3 * ids.ids[i];
      depths[i] = e[2] * centers[c] + e[6] * centers[c + 1] + e[10] * centers[c + 2] + e[14];
    }
    this.#order.sort(ids, false);
    if (this.mesh._colorsTexture !== null) this.#sortByMaterial(ids);
  }

  #sortByMaterial({ ids, length }: IdList): void {
    const keys = new Int32Array(length);
    for (let i = 0; i < length; i++) keys[i] = this.#materials[ids[i]];
    sortByKey(keys, ids.subarray(0, length));
  }

  #setOrigin(x: number, y: number, z: number): void {
    this.#hasOrigin = true;
    const steps = [x, y, z].map(Math.round);
    // A place that is no number, or infinite, has none near it.
    const [ox, oy, oz] = steps.every(Number.isFinite) ? steps : [0, 0, 0];
    this.mesh.matrixWorld.setPosition(ox, oy, oz);
  }

  /** Makes room for one more draw, or for as many again. */
  #makeRoom(): boolean {
    const { maxInstanceCount } = this.mesh;
    if (this.#shapeOf.length < maxInstanceCount) return true;
    if (!this.#memory.take(bytesOf(maxInstanceCount))) return false;
    const slots = 2 * maxInstanceCount;
    this.mesh.setInstanceCount(slots);
    this.#uploads.forget();
    this.#firsts = grow(this.#firsts, slots);
    this.#counts = grow(this.#counts, slots);
    this.#ranks = grow(this.#ranks, slots);
    this.#materials = grow(this.#materials, slots);
    this.#centers = grow(this.#centers, 3 * slots);
    return true;
  }
}

const projection = new Matrix4();

/** What so many draws take in textures: a matrix, a colour and a number each. */
function bytesOf(draws: number): number {
  return draws * (64 + 16 + 4);
}
