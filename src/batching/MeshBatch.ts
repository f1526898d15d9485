import {
  BatchedMesh,
  type BufferGeometry,
  type Camera,
  type Color,
  type DataTexture,
  type EventDispatcher,
  type Material,
  Matrix4,
  type Object3D,
  Sphere,
} from 'three';
import { IdList } from '../core/ids.js';
import { type DepthCoefficients, DrawOrder, Draws } from '../instances/drawn/drawLists.js';
import { listOf } from '../passes/shadowPasses.js';
import * as BATCH from '../three/batches.js';
import type { SceneRenderer } from '../three/renderer.js';
import { IS_R187 } from '../three/revisions.js';
import { BatchGeometry } from './BatchGeometry.js';
import type { BatchMemory } from './BatchMemory.js';
import { BatchRuns, makeSlotTexture } from './BatchRuns.js';
import {
  type BatchOrigin,
  DrawSlots,
  isWebGPU,
  type MatricesTexture,
  MatrixUploads,
  type SeenDraws,
} from './DrawSlots.js';
import type { DrawRange, KnownGeometry } from './KnownGeometry.js';
import type { LevelChoice, LevelWishes } from './LevelChoice.js';
import type { LevelQueue } from './LevelQueue.js';

const world = /* @__PURE__ */ new Matrix4();
const NO_WISHES: LevelWishes = { onSets: () => {}, onWide: () => {} };
/** Number of draws that a new batch has room for. */
const FIRST = 16;

/** The parts that the batches of a scene share. */
interface BatchesOfScene {
  readonly memory: BatchMemory;
  readonly origin: BatchOrigin;
  readonly nesting: number;
  readonly levels: LevelQueue | null;
  readonly isLeveled?: boolean;
  readonly isPerGeometry?: boolean;
  failed(error: unknown): void;
}

type BatchRenderer = Parameters<BatchedMesh['onBeforeRender']>[0];

export class PassDraws implements SeenDraws {
  readonly slots: DrawSlots;
  /** The slots in the order in which they were listed. */
  readonly ids: IdList = new IdList();
  /** The draws in the order in which they are drawn. */
  readonly draws: Draws = new Draws();
  /** The runs of transparent draws, which the renderer sorts among others; null for none yet. */
  runs: BatchRuns | null = null;
  #sortBy: DepthCoefficients | null = null;
  /** Whether the list so far repeats the last list; `#before` is the number of draws in the last list. */
  #isSame = false;
  #before = 0;
  /** Whether `draws` were made for this list; `#wasDrawn`: for the last one, by `#sortedBy` and slots of `#version`. */
  #isDrawn = false;
  #wasDrawn = false;
  #sortedBy: DepthCoefficients | null = null;
  #version = -1;

  constructor(slots: DrawSlots) {
    this.slots = slots;
  }

  beginPass(sortBy: DepthCoefficients | null): void {
    this.#isSame = true;
    this.#wasDrawn = this.#isDrawn;
    this.#isDrawn = false;
    this.#before = this.ids.length;
    this.ids.length = 0;
    this.ids.reserve(this.slots.end);
    this.#sortBy = sortBy;
    this.runs?.clear();
  }

  add(slot: number): void {
    const { ids } = this;
    // The slots of the last list are still in the array.
    if (ids.ids[ids.length] !== slot) this.#isSame = false;
    ids.ids[ids.length++] = slot;
  }

  /** Removes the draws of meshes that a pass draws alone. */
  dropApart(pass: number): void {
    const { ids, length } = this.ids;
    const { apartIn } = this.slots;
    this.ids.length = 0;
    for (let i = 0; i < length; i++) if (apartIn[ids[i]] !== pass) ids[this.ids.length++] = ids[i];
    if (this.ids.length < length) this.#isSame = false;
  }

  sortBy(numberOf: (slot: number) => number): void {
    this.ids.ids.subarray(0, this.ids.length).sort((a, b) => numberOf(a) - numberOf(b));
    this.#isSame = false;
  }

  get isSame(): boolean {
    return this.#isSame && this.ids.length === this.#before;
  }

  /** Puts the draws in the order in which they are drawn; true unless `draws` had that order already. */
  sort(order: DrawOrder): boolean {
    const { ids, draws, slots } = this;
    const by = this.#sortBy;
    const before = this.#sortedBy;
    const areThere = this.isSame && this.#wasDrawn && slots.version === this.#version;
    // Consecutive passes with the same depths have one object for them.
    const isInOrder =
      areThere && (by === before || (by !== null && before !== null && order.isInOrder(draws.ids, slots, by)));
    this.#isDrawn = true;
    this.#sortedBy = by;
    if (isInOrder) return false;
    draws.ids.length = 0;
    draws.ids.reserve(ids.length).set(ids.ids.subarray(0, ids.length));
    draws.ids.length = ids.length;
    if (by !== null) order.sort(draws.ids, slots, by);
    this.#version = slots.version;
    return true;
  }
}

/**
 * Meshes drawn by one call, through a `BatchedMesh` that is in no scene. A slot holds one draw: a range of a geometry,
 * and a matrix. Each pass of a renderer lists slots.
 *
 * Shaders move vertices in single precision, so matrices are relative to an origin near the visible draws. Mirrored
 * meshes have batches of their own, mirrored as a whole, as all triangles of a batch have the same winding.
 */
export class MeshBatch {
  readonly mesh: BatchedMesh & BATCH.Internals;
  readonly geometry: BatchGeometry;
  readonly #scene: BatchesOfScene;
  readonly #onDraw: () => void;
  readonly #wishes: LevelWishes;
  readonly #isMirrored: boolean;
  /** Whether each draw has a colour of its own. */
  readonly isTinted: boolean;
  /** The matrix of the origin with which the batch was drawn last. */
  readonly #drawnFrom = new Matrix4();
  readonly lists: PassDraws[] = [];
  readonly #order = new DrawOrder();
  #carrier: Object3D | null = null;
  /** Copies of `mesh` by list; see {@link drawnFor}. */
  readonly #copies: (BatchedMesh & BATCH.Internals)[] = [];
  readonly #uploads = new MatrixUploads();
  readonly slots: DrawSlots = new DrawSlots(FIRST);
  /** Chooses levels of detail; null until there are some. */
  choice: LevelChoice | null = null;
  /** The renderer that drew the batch into a shadow map last. */
  #renderer: BatchRenderer | null = null;
  readonly #expected: KnownGeometry[] = [];
  /** The draws for which the lists of `mesh` were last written, and `BatchGeometry.version` then; null when unknown. */
  #written: {
    listed: PassDraws;
    drawn: BATCH.Internals;
    material: Material;
    format: BATCH.DrawFormat;
    version: number;
  } | null = null;
  #bytes = 0;

  constructor(
    material: Material,
    { isMirrored, isTinted }: { readonly isMirrored: boolean; readonly isTinted: boolean },
    scene: BatchesOfScene,
    onDraw: () => void,
    wishes: LevelWishes = NO_WISHES,
  ) {
    const mesh = new BatchedMesh(FIRST, 0, 0, material) as BatchedMesh & BATCH.Internals;
    this.mesh = mesh;
    this.#scene = scene;
    this.#isMirrored = isMirrored;
    this.isTinted = isTinted;
    this.#onDraw = onDraw;
    this.#wishes = wishes;
    const { memory, isLeveled } = scene;
    // WebGPURenderer frees all buffers of a geometry that is disposed of.
    const mayLend = (): boolean => !scene.isPerGeometry;
    this.geometry = new BatchGeometry(mesh, memory, () => this.#uploads.isShared, isLeveled, mayLend);
    if (scene.memory.allocate(textureBytes(FIRST))) this.#bytes = textureBytes(FIRST);
    mesh.frustumCulled = mesh.matrixAutoUpdate = mesh.matrixWorldAutoUpdate = false;
    if (isTinted) mesh[BATCH.INIT_COLORS]();
    // Renderers sort by the sphere. three would compute it from instances of its own.
    mesh.boundingSphere = new Sphere();
    mesh.matrixWorld = isMirrored ? scene.origin.mirrored : scene.origin.plain;
    const batch = this;
    mesh.onBeforeRender = function (this: BatchedMesh, renderer, _scene, _camera, geometry, material) {
      batch.prepare(renderer);
      const drawn = this as BatchedMesh & BATCH.Internals;
      // A new version makes WebGPURenderer ask for lists; before r187 lists are made here for both renderers.
      if (isWebGPU(renderer) && IS_R187) drawn[BATCH.DRAWN_IDS].needsUpdate = true;
      else batch.#writeOrFail(drawn, geometry, material, 'multiDraw');
    };
    mesh.onBeforeShadow = (renderer, _object, _camera, light, geometry, material) => {
      // Shadows of WebGPURenderer are renders of their own.
      if (isWebGPU(renderer)) return;
      this.#renderer = renderer;
      this.#writeOrFail(mesh, geometry, material, 'multiDraw', light);
    };
    // Nodes of WebGPURenderer call the method before each draw.
    mesh[BATCH.UPDATE_DRAWS] = function (this: BATCH.Internals, _camera, geometry, material, format) {
      batch.#writeOrFail(this, geometry, material, format);
    };
  }

  /** Announces a geometry to be added: the batch makes room once for all announced geometries. */
  expect(known: KnownGeometry): void {
    this.#expected.push(known);
  }

  /**
   * Adds a draw and returns its slot; -1 when there is no memory for it, or when it has to wait for the next picture.
   * @param rank Among draws at the same depth the lowest rank comes first.
   * @param material Draws with a lower id come first, at any depth.
   */
  add(known: KnownGeometry, range: DrawRange, rank: number, material: number): number {
    if (this.#expected.length > 0) {
      const expected = this.#expected.splice(0);
      this.#makeRoom(this.slots.size + expected.length);
      this.geometry.reserve(expected);
    }
    if (this.#scene.memory.share <= 0 || !this.#makeRoom(this.slots.size + 1)) return -1;
    const placed = this.geometry.use(known);
    return placed === null ? -1 : this.slots.add(placed, range, rank, material);
  }

  remove(slot: number): void {
    this.geometry.drop(this.slots.geometryAt(slot));
    this.slots.remove(slot);
  }

  /** Copies changes of the geometry at a slot; false when the geometry can no longer have a place. */
  updateGeometry(slot: number, range: DrawRange): boolean {
    if (!this.geometry.update(this.slots.geometryAt(slot))) return false;
    this.slots.setRange(slot, range);
    return true;
  }

  /** @param isNew Whether something else may have been drawn at the slot before. */
  setMatrix(slot: number, world: Matrix4, isNew = false): void {
    const from = world.elements;
    const { matrixWorld, [BATCH.MATRICES]: texture, [BATCH.PREVIOUS_MATRICES]: previous } = this.mesh;
    this.#scene.origin.moveNear(from);
    const o = 16 * slot;
    this.#writeMatrix(texture, o, from, matrixWorld);
    this.#uploads.mark(texture, o);
    this.slots.setMatrix(slot, world);
    if (!isNew || !previous) return;
    // For passes that ask for the last frame (TRAA), a new draw has not moved since.
    this.#writeMatrix(previous, o, from, this.#drawnFrom);
    // A new version has it uploaded; with the version of the matrices, three would not copy these after the draw.
    previous.version = texture.version + 0.5;
  }

  setColor(slot: number, color: Color): void {
    const { [BATCH.COLORS]: texture } = this.mesh;
    if (texture === null) return;
    color.toArray(texture.image.data as never, 4 * slot);
    texture.needsUpdate = true;
  }

  /** True when a draw has a colour, as precisely as textures hold it. */
  hasColor(slot: number, { r, g, b }: Color): boolean {
    const { [BATCH.COLORS]: texture } = this.mesh;
    if (texture === null) return true;
    const { data } = texture.image;
    const c = 4 * slot;
    if (data[c] === Math.fround(r) && data[c + 1] === Math.fround(g) && data[c + 2] === Math.fround(b)) return true;
    // NaN equals nothing, and yet is written once.
    return Number.isNaN(r + g + b) && Number.isNaN(data[c] + data[c + 1] + data[c + 2]);
  }

  /** @param sortBy The depths by which to sort the list; null to leave it unsorted. */
  beginPass(list: number, sortBy: DepthCoefficients | null): PassDraws {
    while (this.lists.length <= list) this.lists.push(new PassDraws(this.slots));
    this.lists[list].beginPass(sortBy);
    this.#reserveDraws();
    return this.lists[list];
  }

  /** Makes room for all possible draws of cells. Room is short only in the first list of a picture, before any draw. */
  #reserveDraws(): void {
    const { cellDraws } = this.geometry;
    const count = this.slots.end + cellDraws;
    if (cellDraws === 0 || this.mesh[BATCH.DRAW_STARTS].length >= count) return;
    this.mesh[BATCH.DRAWN_IDS].dispose();
    BATCH.reserveDraws(this.mesh, 2 * count, makeSlotTexture(2 * count));
    this.#written = null;
    // Nodes of WebGPURenderer keep the textures that they met first.
    (this.mesh as unknown as EventDispatcher<{ dispose: object }>).dispatchEvent({ type: 'dispose' });
  }

  /** Writes all matrices anew when the origin has moved. Not to be called while a picture is drawn from the batch. */
  recenter(): void {
    const { elements: origin } = this.mesh.matrixWorld;
    const { [BATCH.MATRICES]: texture } = this.mesh;
    const to = texture.image.data;
    const { positions, end } = this.slots;
    for (let slot = 0; slot < end; slot++) {
      for (let axis = 0; axis < 3; axis++) to[16 * slot + 12 + axis] = positions[3 * slot + axis] - origin[12 + axis];
      if (this.#isMirrored) to[16 * slot + 12] = -to[16 * slot + 12];
    }
    this.#uploads.markAll(texture);
  }

  runs(list: number): BatchRuns {
    const draws = this.lists[list];
    draws.runs ??= new BatchRuns(this);
    return draws.runs;
  }

  /**
   * The object that draws a list. WebGPURenderer uploads the texture of a list immediately, but draws at the end of a
   * render: a render within it, as of a shadow, needs another texture.
   */
  drawnFor(list: number, renderer: SceneRenderer): BatchedMesh {
    if (list === 0 || renderer.backend?.isWebGPUBackend !== true) return this.mesh;
    const { length } = this.mesh[BATCH.DRAWN_IDS].image.data;
    let drawn = this.#copies[list];
    if (drawn === undefined || drawn[BATCH.DRAWN_IDS].image.data.length !== length) {
      drawn?.[BATCH.DRAWN_IDS].dispose();
      const texture = makeSlotTexture(length);
      drawn = Object.create(this.mesh, {
        [BATCH.DRAWN_IDS]: { value: texture },
        // Own values make renderers compile the copy by its own uuid, with its own texture.
        count: { value: 2 },
        uuid: { value: texture.uuid },
      }) as BATCH.Internals & BatchedMesh;
      this.#copies[list] = drawn;
    }
    return drawn;
  }

  /** An object that draws nothing, but has renderers upload the buffers of the batch for its runs. */
  get carrier(): Object3D {
    this.#carrier ??= Object.create(this.mesh, { material: { value: { visible: false } } }) as Object3D;
    return this.#carrier;
  }

  dispose(): void {
    this.#scene.memory.used -= this.#bytes;
    this.geometry.dispose();
    this.mesh.dispose();
    for (const copy of Object.values(this.#copies)) copy[BATCH.DRAWN_IDS].dispose();
    for (const { runs } of this.lists) runs?.dispose();
  }

  readonly prepare = (renderer: BatchRenderer): void => {
    try {
      this.#onDraw();
      this.geometry.drawn();
      this.#drawnFrom.copy(this.mesh.matrixWorld);
      this.#uploads.prepare(this.mesh[BATCH.MATRICES], renderer);
    } catch (error) {
      this.#scene.failed(error);
    }
  };

  /**
   * Writes lists. After an error the picture in progress lacks this batch, and the next picture has none.
   * @param light The camera of the light whose shadow map is drawn; null in the pass of a camera.
   */
  #writeOrFail(
    drawn: BATCH.Internals,
    geometry: BufferGeometry,
    material: Material,
    format: BATCH.DrawFormat,
    light: Camera | null = null,
  ): void {
    try {
      if (light !== null) this.#uploads.prepare(this.mesh[BATCH.MATRICES], this.#renderer as BatchRenderer);
      this.#write(drawn, geometry, material, format, light);
    } catch (error) {
      drawn[BATCH.DRAW_COUNT] = 0;
      this.mesh[BATCH.MERGED_COUNT] = 0;
      this.#written = null;
      this.#scene.failed(error);
    }
  }

  /** Writes the draws of the pass in progress, by their levels and in order, unless the present draws are the same. */
  #write(
    drawn: BATCH.Internals,
    geometry: BufferGeometry,
    material: Material,
    format: BATCH.DrawFormat,
    light: Camera | null,
  ): void {
    const listed = this.lists[listOf(this.#scene.nesting, light !== null)] ?? new PassDraws(this.slots);
    const isSorted = !listed.sort(this.#order);
    const isLeveled = this.#beginLevels(light);
    const written = this.#written;
    const isThere = isSorted && !isLeveled && written?.listed === listed && written.drawn === drawn;
    const { version } = this.geometry;
    if (isThere && written.material === material && written.format === format && written.version === version) return;
    this.#chooseFor(listed.ids.ids, listed.ids.length, isLeveled, true);
    const { draws } = listed;
    const { ids, length } = draws.ids;
    draws.reserve(length);
    const { starts, counts } = this.slots;
    for (let i = 0; i < length; i++) {
      draws.starts[i] = starts[ids[i]];
      draws.counts[i] = counts[ids[i]];
    }
    const all = isLeveled ? (this.choice?.cells.expand(draws) ?? draws) : draws;
    const isUploaded = hasIds(drawn[BATCH.DRAWN_IDS] as DataTexture, all.ids);
    BATCH.writeDraws(drawn, all, geometry, material, format, isUploaded);
    this.#written = isLeveled ? null : { listed, drawn, material, format, version };
  }

  choose(ids: ArrayLike<number>, length: number): void {
    this.#chooseFor(ids, length, this.#beginLevels(null), false);
  }

  /**
   * @param light The camera of the light whose shadow map is drawn; null in the pass of a camera.
   * @returns false when all slots are drawn whole.
   */
  #beginLevels(light: Camera | null): boolean {
    const { levels, nesting } = this.#scene;
    if (levels !== null) this.choice ??= levels.makeChoice(this.slots, this.#wishes, this.#worldAt);
    const hasView = this.choice?.beginPass(nesting, this.mesh.material as Material, light, this.#renderer) === true;
    return hasView && (this.geometry.copies.leveled > 0 || this.geometry.large > 0);
  }

  /** The world matrix of a slot, as the batch draws it. */
  readonly #worldAt = (slot: number): Matrix4 => {
    return world.fromArray(this.mesh[BATCH.MATRICES].image.data, 16 * slot).premultiply(this.mesh.matrixWorld);
  };

  #chooseFor(ids: ArrayLike<number>, length: number, isLeveled: boolean, mayCut: boolean): void {
    if (isLeveled) this.choice?.choose(ids, length, mayCut);
    else this.slots.drawWhole(ids, length);
  }

  #writeMatrix({ image }: MatricesTexture, o: number, from: ArrayLike<number>, { elements: origin }: Matrix4): void {
    const to = image.data;
    for (let i = 0; i < 16; i++) to[o + i] = from[i];
    for (let i = 12; i < 15; i++) to[o + i] = from[i] - origin[i];
    if (this.#isMirrored) for (let i = 0; i < 16; i += 4) to[o + i] = -to[o + i];
  }

  /** Makes room for so many slots, if need be for twice as many as now; false without memory. */
  #makeRoom(slots: number): boolean {
    const { maxInstanceCount } = this.mesh;
    if (slots <= maxInstanceCount) return true;
    const count = Math.max(2 * maxInstanceCount, slots);
    const more = textureBytes(count - maxInstanceCount);
    if (!this.#scene.memory.allocate(more)) return false;
    this.#bytes += more;
    this.#written = null;
    this.mesh.setInstanceCount(count);
    // Nodes of WebGPURenderer keep the textures that they met first.
    (this.mesh as unknown as EventDispatcher<{ dispose: object }>).dispatchEvent({ type: 'dispose' });
    this.#uploads.markAll(this.mesh[BATCH.MATRICES]);
    this.slots.reserve(count);
    return true;
  }
}

/** Whether a texture begins with some ids, and has been uploaded with them. */
function hasIds({ version, image }: DataTexture, { ids, length }: IdList): boolean {
  const data = image.data as unknown as Uint32Array;
  let same = 0;
  while (same < length && data[same] === ids[same]) same++;
  return version > 0 && same === length;
}

/** Bytes of draws in textures: a matrix, a colour and a number each. */
function textureBytes(draws: number): number {
  return draws * (64 + 16 + 4);
}
