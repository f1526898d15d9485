import { type Camera, type DataTexture, Matrix4 } from 'three';
import { getOrMake, grow, MATRIX } from '../core/arrays.js';
import type { IdList } from '../core/ids.js';
import { type ScreenView, screenViews } from '../scene/ask/cameraViews.js';
import { farthestFromOrigin } from '../scene/ask/farthestFromOrigin.js';
import type { DrawRange } from './KnownGeometry.js';
import type { PlacedCells, PlacedGeometry, PlacedLevels } from './PlacedGeometry.js';

/** The draws of a batch, by slot. Slots are reused. */
export class DrawSlots {
  readonly #placed: (PlacedGeometry | null)[] = [];
  #firsts = new Int32Array(0);
  /** Numbers of the index, or vertices without an index, of each whole draw. */
  whole: Int32Array = new Int32Array(0);
  /** Centres of the draws in the world, three numbers each. */
  centers: Float64Array = new Float64Array(0);
  /** Radii of the spheres around the draws. */
  radii: Float64Array = new Float64Array(0);
  /** The largest scale of each draw's matrix. */
  scales: Float64Array = new Float64Array(0);
  /** Translations of world matrices, three numbers each: the only part of a matrix that depends on the origin. */
  positions: Float64Array = new Float64Array(0);
  /** A new number after each change of a draw; no two batches ever have the same. */
  version = 0;
  /** The hash of each draw (see {@link hashAt}); 0 for unknown. */
  #hashes = new Int32Array(0);
  /** The start of the range of the buffers that the pass in progress draws of each slot; `counts` has its length. */
  starts: Int32Array = new Int32Array(0);
  counts: Int32Array = new Int32Array(0);
  /** The last pass that draws each slot's mesh alone. */
  apartIn: Int32Array = new Int32Array(0);
  /** The sets of texture coordinates that levels of detail have to be made for; see `setsFor`. */
  sampled = 0;
  /** 1 for draws whose levels of detail are forbidden. */
  isExact: Uint8Array = new Uint8Array(0);
  /** The rank of each draw: among draws of one material at one depth the lowest comes first. */
  ranks: Int32Array = new Int32Array(0);
  /** Ids of materials; the draw with the lowest comes first, at any depth. */
  materials: Int32Array = new Int32Array(0);
  readonly #free: number[] = [];

  constructor(capacity: number) {
    this.reserve(capacity);
  }

  get size(): number {
    return this.#placed.length - this.#free.length;
  }

  /** One more than the highest slot that was ever in use. */
  get end(): number {
    return this.#placed.length;
  }

  add(placed: PlacedGeometry, range: DrawRange, rank: number, material: number): number {
    const slot = this.#free.pop() ?? this.#placed.length;
    this.#placed[slot] = placed;
    this.ranks[slot] = rank;
    this.materials[slot] = material;
    this.setRange(slot, range);
    return slot;
  }

  /** Frees a slot; lists that still contain it draw nothing there. */
  remove(slot: number): void {
    this.#placed[slot] = null;
    this.setRange(slot, EMPTY_RANGE);
    this.#free.push(slot);
  }

  geometryAt(slot: number): PlacedGeometry {
    return this.#placed[slot] as PlacedGeometry;
  }

  setRange(slot: number, { start, count }: DrawRange): void {
    this.#moved(slot);
    this.#firsts[slot] = start;
    this.whole[slot] = count;
  }

  /** Computes the centre, radius and scale of a draw from a world matrix, in the order of operations of three. */
  setMatrix(slot: number, world: Matrix4): void {
    const { elements: e } = world;
    const { center, known } = this.geometryAt(slot);
    for (let row = 0; row < 3; row++) {
      this.centers[3 * slot + row] = e[row] * center.x + e[row + 4] * center.y + e[row + 8] * center.z + e[row + 12];
      this.positions[3 * slot + row] = e[row + 12];
    }
    this.scales[slot] = world.getMaxScaleOnAxis();
    this.radii[slot] = (known.geometry.boundingSphere?.radius ?? 0) * this.scales[slot];
    this.#moved(slot);
  }

  hashAt(slot: number): number {
    const known = this.#hashes[slot];
    if (known !== 0) return known;
    this.#hashes[slot] = hashOfSpot(this.geometryAt(slot).known.positions, this.positions, 3 * slot);
    return this.#hashes[slot];
  }

  #moved(slot: number): void {
    this.#hashes[slot] = 0;
    versions = (versions + 1) | 0;
    this.version = versions;
  }

  /** The levels of a draw that shows its whole geometry, or a geometry group; null for none. */
  levelsAt(slot: number): PlacedLevels | null {
    const placed = this.#placed[slot];
    if (placed === null || this.isExact[slot] !== 0) return null;
    for (const levels of placed.levels) {
      if (levels.start !== this.#firsts[slot] || levels.count !== this.whole[slot]) continue;
      return levels.counts.length > 0 && (this.sampled & ~levels.weighed) === 0 ? levels : null;
    }
    return null;
  }

  /** The cells of a draw, if it may be drawn in cells; null for none. */
  cellsAt(slot: number): PlacedCells | null {
    const placed = this.#placed[slot];
    if (placed === null || this.isExact[slot] !== 0) return null;
    for (const cells of placed.cells) {
      if (cells.start !== this.#firsts[slot] || cells.count !== this.whole[slot]) continue;
      return cells.isShown && (this.sampled & ~cells.weighed) === 0 ? cells : null;
    }
    return null;
  }

  /** Has slots drawn whole. Called once for each pass, in the order of the scene's list, which reads them fastest. */
  drawWhole(ids: ArrayLike<number>, length: number): void {
    for (let i = 0; i < length; i++) this.drawLevel(ids[i], null, 0);
  }

  /** Has a slot drawn by one of its levels; level 0 is the geometry itself. */
  drawLevel(slot: number, levels: Pick<PlacedLevels, 'offsets' | 'counts'> | null, level: number): void {
    const isWhole = levels === null || level === 0;
    this.starts[slot] = (this.#placed[slot]?.start ?? 0) + (isWhole ? this.#firsts[slot] : levels.offsets[level - 1]);
    this.counts[slot] = isWhole ? this.whole[slot] : levels.counts[level - 1];
  }

  reserve(capacity: number): void {
    this.#firsts = grow(this.#firsts, capacity);
    this.whole = grow(this.whole, capacity);
    this.#hashes = grow(this.#hashes, capacity);
    this.starts = grow(this.starts, capacity);
    this.counts = grow(this.counts, capacity);
    this.apartIn = grow(this.apartIn, capacity);
    this.isExact = grow(this.isExact, capacity);
    this.ranks = grow(this.ranks, capacity);
    this.materials = grow(this.materials, capacity);
    this.centers = grow(this.centers, 3 * capacity);
    this.positions = grow(this.positions, 3 * capacity);
    this.radii = grow(this.radii, capacity);
    this.scales = grow(this.scales, capacity);
  }
}

export const EMPTY_RANGE: DrawRange = { start: 0, count: 0 };
/** The last version given to any batch. */
let versions = 0;

const number = new Float64Array(1);
const words = new Int32Array(number.buffer);

export function hashOfSpot(positions: number, translations: ArrayLike<number>, at: number): number {
  let hash = positions;
  for (let axis = 0; axis < 3; axis++) {
    // Zeros of both signs are equal.
    number[0] = translations[at + axis] + 0;
    hash = Math.imul(hash ^ words[0] ^ words[1], 0x5bd1e995) ^ (hash >>> 13);
  }
  return hash ^ (hash >>> 15);
}

/**
 * Beyond this many changes, and beyond `SHARE_MOVED` of all matrices, a texture is uploaded as a whole: a range costs
 * three WebGL calls, which take as long as copying some sixty matrices.
 */
const FEW_CHANGES = 32;
const SHARE_MOVED = 1 / 64;

export type MatricesTexture = DataTexture & { image: { data: Float32Array } };

interface TextureUploader {
  readonly isWebGPURenderer?: boolean;
  readonly properties?: { has(texture: DataTexture): boolean };
}

const uploaders = new WeakMap<TextureUploader, number>();
let uploaderCount = 0;

/** Has a renderer upload only changed matrices, if few, when it uploaded the texture last, and still has it. */
export class MatrixUploads {
  /** Changes since the last upload; infinite when unknown. */
  #marked = Number.POSITIVE_INFINITY;
  /** The number of the renderer that uploaded last; -1 for none. */
  #uploader = -1;
  isShared = false;

  mark(texture: MatricesTexture, offset: number): void {
    texture.needsUpdate = true;
    this.#marked++;
    if (this.#marked <= Math.max(FEW_CHANGES, SHARE_MOVED * (texture.image.data.length / MATRIX))) {
      texture.addUpdateRange(offset, MATRIX);
    } else this.markAll(texture);
  }

  /** To be called when all matrices may have changed, or lie in another texture. */
  markAll(texture: MatricesTexture): void {
    texture.needsUpdate = true;
    texture.clearUpdateRanges();
    this.#marked = Number.POSITIVE_INFINITY;
  }

  /** To be called before a renderer uploads the texture. */
  prepare(texture: DataTexture, renderer: TextureUploader): void {
    const uploader = getOrMake(uploaders, renderer, () => uploaderCount++);
    const isOther = uploader !== this.#uploader;
    if (!isOther && this.#marked === 0) return;
    if (isOther || renderer.properties?.has(texture) !== true) texture.clearUpdateRanges();
    if (isOther) {
      // The renderer may have missed ranges that another renderer was given.
      if (this.#uploader >= 0) texture.needsUpdate = true;
      this.isShared ||= this.#uploader >= 0;
      this.#uploader = uploader;
    }
    // WebGPURenderer uploads the whole texture and leaves the ranges.
    this.#marked = isWebGPU(renderer) ? Number.POSITIVE_INFINITY : 0;
  }
}

export function isWebGPU(renderer: TextureUploader): boolean {
  return renderer.isWebGPURenderer === true;
}

/** The draws of a batch that a camera sees, by slot. */
export interface SeenDraws {
  readonly ids: IdList;
  readonly slots: DrawSlots;
  /** Whether the list has the same draws as the last list, even if they have moved. */
  readonly isSame: boolean;
}

/** The point to which the matrices of all batches are relative: one, so the same triangles have the same depths. */
export class BatchOrigin {
  readonly plain: Matrix4 = new Matrix4();
  readonly mirrored: Matrix4 = new Matrix4().makeScale(-1, 1, 1);
  #isSet = false;

  /** Puts the origin near the first draw. */
  moveNear(world: ArrayLike<number>): void {
    if (this.#isSet) return;
    this.#isSet = true;
    // Infinite or NaN translations count as 0.
    const near = [12, 13, 14].map((i) => Math.fround(Math.round(world[i]))).map((x) => (Number.isFinite(x) ? x : 0));
    this.moveTo(near);
  }

  moveTo([x, y, z]: ArrayLike<number> & Iterable<number>): void {
    this.plain.setPosition(x, y, z);
    this.mirrored.setPosition(x, y, z);
  }
}

/**
 * Finds a better origin for the matrices of batches. Shaders move vertices in single precision, first relative to the
 * origin, then to the eye. So their error grows with the distance from the origin, and its size in pixels shrinks with
 * the distance from the eye.
 *
 * The best origin is the centre n of the draw nearest to the eye: any draw i is within |i - eye| + |n - eye| <= 2 |i -
 * eye| of n.
 *
 * @param seen The draws of each batch that the camera sees.
 * @param origin The matrix of the present origin.
 * @param out Set to the new origin; the fourth number is how much farther all draws may be from the present one.
 * @returns false when the present origin is good enough, or the best is not much better.
 */
export function findOrigin(
  seen: readonly SeenDraws[],
  origin: ArrayLike<number>,
  camera: Camera,
  out: Float64Array,
): boolean {
  let worst = 0;
  let stray = 0;
  let least = Number.POSITIVE_INFINITY;
  out[3] = Number.POSITIVE_INFINITY;
  for (const view of screenViews(camera)) {
    const farthest = farthestFromOrigin(view);
    for (const { ids: list, slots } of seen) {
      const { centers, radii } = slots;
      const { ids, length } = list;
      for (let i = 0; i < length; i++) {
        const c = 3 * ids[i];
        // Plain three is as inexact within large objects.
        const size = radii[ids[i]] + distance(centers, c, view.x, view.y, view.z);
        if (size < least) {
          least = size;
          // The origin is exact in single precision: shaders add it to find positions in the world.
          for (let axis = 0; axis < 3; axis++) out[axis] = Math.fround(Math.round(centers[c + axis]));
        }
        const offset = distance(centers, c, origin[12], origin[13], origin[14]);
        const reach = farthest * (view.isPerspective ? size : radii[ids[i]] + view.height);
        if (reach - offset < out[3]) out[3] = reach - offset;
        if (offset / reach > worst) {
          worst = offset / reach;
          stray = offset;
        }
      }
    }
  }
  if (!(least < Number.POSITIVE_INFINITY && worst > 1)) return false;
  let gain = 0;
  for (let axis = 0; axis < 3; axis++) gain = Math.max(gain, Math.abs(out[axis] - origin[12 + axis]));
  return gain > stray / 4;
}

function distance(points: Float64Array, at: number, x: number, y: number, z: number): number {
  return Math.sqrt((points[at] - x) ** 2 + (points[at + 1] - y) ** 2 + (points[at + 2] - z) ** 2);
}

/**
 * Remembers draws and a view for which the origin was good enough. The origin stays so until the eye has gone so far
 * that a draw may be too far from the origin. A move of the eye changes its distance from a draw by at most as much.
 */
export class GoodOrigin {
  #seen: readonly SeenDraws[] = [];
  /** `DrawSlots.version` of each batch. */
  #versions: readonly number[] = [];
  #view: ScreenView | null = null;
  #slack = 0;

  remember(seen: readonly SeenDraws[], camera: Camera, slack: number): void {
    const views = screenViews(camera);
    this.#seen = seen;
    this.#versions = seen.map(({ slots }) => slots.version);
    this.#view = views.length === 1 && slack >= 0 ? views[0] : null;
    this.#slack = slack;
  }

  holdsFor(seen: readonly SeenDraws[], camera: Camera): boolean {
    const then = this.#view;
    const areSame =
      seen.length === this.#seen.length &&
      seen.every((one, i) => one === this.#seen[i] && one.isSame && one.slots.version === this.#versions[i]);
    if (then === null || !areSame) return false;
    const [view, other] = screenViews(camera);
    if (other !== undefined || view.isPerspective !== then.isPerspective) return false;
    // Rounding varies the height as the camera turns.
    if (!(Math.abs(view.height / then.height - 1) < 1e-6)) return false;
    const step = Math.hypot(view.x - then.x, view.y - then.y, view.z - then.z);
    return !view.isPerspective || farthestFromOrigin(view) * step <= this.#slack;
  }
}
