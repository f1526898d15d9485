import {
  BatchedMesh,
  type BufferGeometry,
  type Camera,
  type Color,
  type EventDispatcher,
  type Material,
  Matrix4,
  MeshBasicMaterial,
  type Object3D,
  Sphere,
} from 'three';
import { grow } from '../core/arrays.js';
import { IdList } from '../core/ids.js';
import {
  DepthOrder,
  type DrawFormat,
  type DrawLists,
  Draws,
  multiplierOf,
  sizeOf,
  writeMerged,
  writeMulti,
} from '../instances/drawn/drawLists.js';
import { type BatchMemory, BatchShapes } from './BatchGeometry.js';
import type { BatchRuns } from './BatchRuns.js';
import { type DrawRange, DrawSlots, isWebGPU, type MatricesTexture, MatrixUploads } from './DrawSlots.js';
import { findOrigin } from './findOrigin.js';
import type { KnownGeometry } from './KnownGeometry.js';
import { IS_R187 } from './whyNotBatched.js';

/** Sorts draws as renderers sort opaque meshes: by material, depth, and their number. */
class DrawSorter {
  readonly #order = new DepthOrder();
  #scratch = new Int32Array(64);

  /** @param ids Slots. */
  sort(ids: IdList, slots: DrawSlots, camera: Camera): void {
    const { centers, ranks } = slots;
    const e = projection.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
    const listed = ids.ids.subarray(0, ids.length);
    // What is equal keeps its order, so that the number is sorted by first; as a rule they come in its order.
    if (!isAscending(listed, ranks)) listed.sort((a, b) => ranks[a] - ranks[b]);
    const depths = this.#order.reserve(listed.length);
    for (let i = 0; i < listed.length; i++) {
      const c = 3 * listed[i];
      depths[i] = e[2] * centers[c] + e[6] * centers[c + 1] + e[10] * centers[c + 2] + e[14];
    }
    this.#order.sort(ids, false);
    if (slots.materialIds.length > 1) this.#sortByMaterial(listed, slots);
  }

  /** A counting sort, as there are few materials. */
  #sortByMaterial(listed: Int32Array, { materials, materialIds }: DrawSlots): void {
    if (this.#scratch.length < listed.length) this.#scratch = grow(this.#scratch, listed.length);
    const sorted = this.#scratch;
    const starts = new Int32Array(materialIds.length);
    for (let i = 0; i < listed.length; i++) starts[materials[listed[i]]]++;
    const inOrder = [...materialIds.keys()].sort((a, b) => materialIds[a] - materialIds[b]);
    let start = 0;
    for (const material of inOrder) {
      const count = starts[material];
      starts[material] = start;
      start += count;
    }
    for (let i = 0; i < listed.length; i++) sorted[starts[materials[listed[i]]]++] = listed[i];
    for (let i = 0; i < listed.length; i++) listed[i] = sorted[i];
  }
}

function isAscending(slots: Int32Array, ranks: Int32Array): boolean {
  for (let i = 1; i < slots.length; i++) if (ranks[slots[i]] < ranks[slots[i - 1]]) return false;
  return true;
}

const projection = new Matrix4();

/** Draws that a batch has room for at first. */
const FIRST = 16;
/** Which of the lists of passes is to be drawn now. */
export type CurrentList = (isShadow: boolean) => number;

/** The slots that a pass draws. */
interface PassDraws {
  readonly ids: IdList;
  /** The camera by whose depths they are still to be sorted. */
  sortFor: Camera | null;
  /** Those that follow each other, where the renderer sorts them among others; null for none yet. */
  runs: BatchRuns | null;
}

type Internals = DrawLists & {
  readonly _matricesTexture: MatricesTexture;
  readonly _previousMatricesTexture?: MatricesTexture | null;
  readonly _colorsTexture: { image: { data: Float32Array }; needsUpdate: boolean } | null;
  _initColorsTexture(): void;
  _updateDrawParameters(camera: Camera, geometry: BufferGeometry, material: Material, format: DrawFormat): void;
};

/**
 * Meshes that are drawn at once, by a `BatchedMesh` of three's which no scene holds. A slot is the place of one draw, with
 * a range of a geometry and a matrix; each pass of a renderer is given a list of slots.
 *
 * Vertices are moved in single precision, so matrices are relative to an origin near what is seen (`recenter`). Mirrored
 * meshes have batches of their own, which are mirrored as a whole: the winding of triangles is that of the batch.
 */
export class MeshBatch {
  readonly mesh: BatchedMesh & Internals;
  readonly shapes: BatchShapes;
  readonly #currentList: CurrentList;
  readonly #onDraw: () => void;
  readonly #isMirrored: boolean;
  readonly #memory: BatchMemory;
  #hasOrigin = false;
  /** The origin with which it was drawn last, as a matrix. */
  readonly #drawnFrom = new Matrix4();
  readonly #lists: PassDraws[] = [];
  readonly #draws = new Draws();
  readonly #sorter = new DrawSorter();
  #carrier: Object3D | null = null;
  readonly #uploads = new MatrixUploads();
  readonly #slots = new DrawSlots(FIRST);
  /** Bytes of the textures. */
  #bytes = 0;

  constructor(
    material: Material,
    { isMirrored, isTinted }: { readonly isMirrored: boolean; readonly isTinted: boolean },
    currentList: CurrentList,
    memory: BatchMemory,
    onDraw: () => void,
  ) {
    const mesh = new BatchedMesh(FIRST, 0, 0, material) as BatchedMesh & Internals;
    this.mesh = mesh;
    this.#currentList = currentList;
    this.#isMirrored = isMirrored;
    this.#memory = memory;
    this.#onDraw = onDraw;
    this.shapes = new BatchShapes(mesh, memory, () => this.#uploads.isShared);
    if (memory.take(bytesOf(FIRST))) this.#bytes = bytesOf(FIRST);
    mesh.frustumCulled = mesh.matrixAutoUpdate = mesh.matrixWorldAutoUpdate = false;
    if (isTinted) mesh._initColorsTexture();
    // Renderers sort by it, among others; three would ask instances of its own.
    mesh.boundingSphere = new Sphere();
    if (isMirrored) mesh.matrixWorld.makeScale(-1, 1, 1);
    mesh.onBeforeRender = (renderer, _scene, _camera, geometry, material) => {
      this.#prepare(renderer);
      // A new version has WebGPURenderer ask for lists; before r187 they are made here for both renderers.
      if (isWebGPU(renderer) && IS_R187) mesh._indirectTexture.needsUpdate = true;
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
    return this.#slots.size;
  }

  /**
   * Takes a slot; -1 when there is no memory for it.
   * @param rank Of draws at the same depth the one with the lowest comes first.
   * @param material Draws with a lower one come first, at any depth.
   */
  add(known: KnownGeometry, range: DrawRange, rank: number, material: number): number {
    if (this.#slots.isFull && !this.#makeRoom()) return -1;
    const shape = this.shapes.use(known);
    return shape === null ? -1 : this.#slots.take(shape, range, rank, material);
  }

  remove(slot: number): void {
    this.shapes.drop(this.#slots.shapeAt(slot));
    this.#slots.release(slot);
  }

  /** Takes account of changes of the geometry at a slot; false when it cannot have a place any more. */
  follow(slot: number, range: DrawRange): boolean {
    if (!this.shapes.follow(this.#slots.shapeAt(slot))) return false;
    this.#slots.setRange(slot, range);
    return true;
  }

  /**
   * Puts what is drawn at a slot where a world matrix has it.
   * @param isNew Something else may have been drawn there before.
   */
  place(slot: number, world: Matrix4, isNew = false): void {
    const from = world.elements;
    const { matrixWorld, _matricesTexture: texture, _previousMatricesTexture: previous } = this.mesh;
    if (!this.#hasOrigin) this.#setFirstOrigin(from);
    const o = 16 * slot;
    this.#put(texture, o, from, matrixWorld);
    this.#uploads.note(texture, o);
    this.#slots.place(slot, world);
    if (!isNew || !previous) return;
    // It has not moved since the last frame, for passes that ask, as for TRAA.
    this.#put(previous, o, from, this.#drawnFrom);
    // Has it uploaded. Were it that of the matrices, three would not copy these once they are drawn.
    previous.version = texture.version + 0.5;
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
    while (this.#lists.length <= list) this.#lists.push({ ids: new IdList(), sortFor: null, runs: null });
    this.#lists[list].ids.length = 0;
    this.#lists[list].sortFor = sortFor;
    this.#lists[list].runs?.clear();
  }

  /** Adds a slot to a list. */
  list(list: number, slot: number): void {
    const { ids } = this.#lists[list];
    ids.reserve(1)[ids.length++] = slot;
  }

  /**
   * Moves the origin of the matrices near what a camera sees of a list, when it lies too far away to draw that exactly.
   * Not while a picture is drawn from the matrices.
   */
  recenter(list: number, camera: Camera): void {
    const { elements } = this.mesh.matrixWorld;
    if (!findOrigin(this.#lists[list].ids, this.#slots, elements, camera, newOrigin)) return;
    for (let axis = 0; axis < 3; axis++) elements[12 + axis] = newOrigin[axis];
    const { _matricesTexture: texture } = this.mesh;
    const to = texture.image.data;
    const { places, end } = this.#slots;
    for (let slot = 0; slot < end; slot++) {
      for (let axis = 0; axis < 3; axis++) to[16 * slot + 12 + axis] = places[3 * slot + axis] - newOrigin[axis];
      if (this.#isMirrored) to[16 * slot + 12] = -to[16 * slot + 12];
    }
    this.#uploads.noteAll(texture);
  }

  /** The runs of a list, which draw slots by several calls; made by the class at first. */
  runs(list: number, Runs: typeof BatchRuns): BatchRuns {
    const draws = this.#lists[list];
    draws.runs ??= new Runs(this.mesh, this.#slots, this.#prepare);
    return draws.runs;
  }

  /** What has renderers upload the geometry of the batch for runs, as it is drawn in no list. */
  get carrier(): Object3D {
    this.#carrier ??= Object.create(this.mesh, { material: { value: { visible: false } } }) as Object3D;
    return this.#carrier;
  }

  /** Sorts a list by a number for each slot. */
  sortBy(list: number, numberOf: (slot: number) => number): void {
    const { ids } = this.#lists[list];
    ids.ids.subarray(0, ids.length).sort((a, b) => numberOf(a) - numberOf(b));
  }

  /** Has renderers free what they have of it. */
  dispose(): void {
    this.#memory.give(this.#bytes + this.shapes.bytes);
    this.mesh.dispose();
    for (const { runs } of this.#lists) runs?.dispose();
  }

  /** Has a renderer upload what is new. */
  readonly #prepare = (renderer: Parameters<BatchedMesh['onBeforeRender']>[0]): void => {
    this.#onDraw();
    this.#drawnFrom.copy(this.mesh.matrixWorld);
    this.#uploads.prepare(this.mesh._matricesTexture, renderer);
  };

  #write(geometry: BufferGeometry, material: Material, format: DrawFormat, isShadow: boolean): void {
    const draws = this.#draws;
    draws.ids.length = 0;
    const listed = this.#lists[this.#currentList(isShadow)];
    if (listed !== undefined) {
      const { ids, sortFor } = listed;
      if (sortFor !== null) this.#sorter.sort(ids, this.#slots, sortFor);
      listed.sortFor = null;
      draws.ids.reserve(ids.length).set(ids.ids.subarray(0, ids.length));
      draws.ids.length = ids.length;
    }
    const { ids, length } = draws.ids;
    draws.reserve(length);
    for (let i = 0; i < length; i++) {
      draws.starts[i] = this.#slots.startOf(ids[i]);
      draws.counts[i] = this.#slots.countOf(ids[i]);
    }
    const size = sizeOf(geometry, material);
    if (format === 'merged') writeMerged(this.mesh, draws, size, multiplierOf(material));
    else writeMulti(this.mesh, draws, size, multiplierOf(material));
  }

  /** Writes a world matrix, as it is relative to an origin. */
  #put(
    { image: { data: to } }: MatricesTexture,
    o: number,
    from: ArrayLike<number>,
    { elements: origin }: Matrix4,
  ): void {
    for (let i = 0; i < 16; i++) to[o + i] = from[i];
    for (let i = 12; i < 15; i++) to[o + i] = from[i] - origin[i];
    if (this.#isMirrored) for (let i = 0; i < 16; i += 4) to[o + i] = -to[o + i];
  }

  #setFirstOrigin(world: ArrayLike<number>): void {
    this.#hasOrigin = true;
    for (let axis = 0; axis < 3; axis++) {
      const near = Math.fround(Math.round(world[12 + axis]));
      // A place that is no number, or infinite, has none near it.
      this.mesh.matrixWorld.elements[12 + axis] = Number.isFinite(near) ? near : 0;
    }
  }

  /** Makes room for as many draws again. */
  #makeRoom(): boolean {
    const { maxInstanceCount } = this.mesh;
    if (!this.#memory.take(bytesOf(maxInstanceCount))) return false;
    this.#bytes += bytesOf(maxInstanceCount);
    this.mesh.setInstanceCount(2 * maxInstanceCount);
    // Nodes of WebGPURenderer keep to the textures that they have met first.
    (this.mesh as unknown as EventDispatcher<{ dispose: object }>).dispatchEvent({ type: 'dispose' });
    this.#uploads.forget();
    this.#slots.reserve(2 * maxInstanceCount);
    return true;
  }
}

/** What so many draws take in textures: a matrix, a colour and a number each. */
function bytesOf(draws: number): number {
  return draws * (64 + 16 + 4);
}

const newOrigin = new Float64Array(3);

/** Private parts of a `BatchedMesh`, and what they are. */
const PARTS: Readonly<Record<string, (part: unknown) => boolean>> = {
  _multiDrawStarts: (part) => part instanceof Int32Array,
  _multiDrawCounts: (part) => part instanceof Int32Array,
  _multiDrawCount: (part) => typeof part === 'number',
  _initColorsTexture: (part) => typeof part === 'function',
  _indirectTexture: (part) => dataOf(part) instanceof Uint32Array,
  _matricesTexture: (part) => dataOf(part) instanceof Float32Array,
};

/** True when three keeps batches as is counted upon here. */
export function knowsBatches(): boolean {
  const batch = new BatchedMesh(1, 1, 1, new MeshBasicMaterial()) as unknown as Record<string, unknown>;
  return Object.entries(PARTS).every(([name, isAsKnown]) => isAsKnown(batch[name]));
}

function dataOf(texture: unknown): unknown {
  return (texture as { image?: { data?: unknown } } | null)?.image?.data;
}
