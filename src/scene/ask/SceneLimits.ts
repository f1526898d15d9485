import type { Camera } from 'three';
import { type Structure, structureOf } from '../../contract/Structure.js';
import { grow } from '../../core/arrays.js';
import { type IdList, IdSet } from '../../core/ids.js';
import { type Ranges, readOptions } from '../../core/options.js';
import type { Entries } from '../follow/Entries.js';
import { checkList } from '../objects/checks.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import { HYSTERESIS, type PixelSize, type ScreenView, screenViews, updateCamera } from './cameraViews.js';

/**
 * Limits of size and distance, beyond which objects are not drawn, for `accelerate` and `SceneIndex.cull`.
 *
 * Sizes and distances follow from `projectionMatrix` and `matrixWorldInverse`, as pictures do. So map cameras, whose
 * position is in the projection, work too. With several views, an object is drawn if one of them shows it.
 */
export interface DrawLimits {
  /**
   * Objects smaller than this on the screen are not drawn. In pixels of the render target, a number from 0. Default 0,
   * which draws all objects.
   *
   * The size is the diameter of the sphere around the world bounds, at its distance from the camera, wherever the
   * camera looks; the longer diameter if the sphere appears as an ellipse. Points and sprites, whose size may not
   * depend on the distance, are drawn at any size. The instances of a mesh count as one object.
   */
  minPixels?: number;
  /**
   * Objects farther than this from the camera are not drawn. In world units, a number from 0, to the nearest point of
   * the world bounds; for an orthographic camera along its view, from `near` before the near plane. Default Infinity.
   */
  maxDistance?: number;
}

/** Options of `SceneIndex.cull`. */
export interface CullOptions extends DrawLimits {
  /** Height of the viewport in pixels, which `minPixels` needs. Pixels count as square. */
  height?: number;
}

export const NO_LIMITS: Required<DrawLimits> = { minPixels: 0, maxDistance: Number.POSITIVE_INFINITY };
const CULL_DEFAULTS: Required<CullOptions> = { height: 0, ...NO_LIMITS };
export const FROM_0: Ranges[string] = { min: 0, max: Number.POSITIVE_INFINITY };
export const LIMIT_RANGES: Ranges = { minPixels: FROM_0, maxDistance: FROM_0, height: { min: 1, max: 2 ** 24 } };

/** True when the limits may leave objects out. */
export function isLimit({ minPixels, maxDistance }: Required<DrawLimits>): boolean {
  return minPixels > 0 || maxDistance < Number.POSITIVE_INFINITY;
}

/**
 * Reads options of `cull`: own properties only, each of them once.
 * @returns null when the options leave nothing out.
 * @throws TypeError or RangeError for an unknown name, or an illegal type or value.
 */
export function readCullOptions(options: CullOptions, where: string): Required<CullOptions> | null {
  // The argument may be meant as a list to be filled.
  if (!isPlainObject(options)) checkList(options, where);
  const own = readOptions(options, CULL_DEFAULTS, where, LIMIT_RANGES);
  if (own.minPixels > 0 && own.height === 0) {
    throw new TypeError(`${where}.minPixels: needs the height of the picture in pixels, as the option "height"`);
  }
  return isLimit(own) ? own : null;
}

/** Leaves small and distant objects out of the passes of cameras, and of the results of `cull`. */
export class SceneLimits {
  readonly #entries: Entries;
  readonly #ofPasses = new WeakMap<Camera, LimitedView>();
  readonly #last = new WeakMap<Camera, LimitedView>();
  /** The view of the pass in progress; null when nothing is left out of the pass. */
  current: LimitedView | null = null;

  constructor(entries: Entries) {
    this.#entries = entries;
  }

  /**
   * Begins a pass of a camera, or a question about a camera.
   * @param sizeOf The viewport of a view; while it is unknown, no object is small.
   * @param isPass Whether a pass asks: its result depends on the camera's previous pass, by the hysteresis.
   */
  beginView(
    camera: Camera,
    limits: Required<DrawLimits>,
    sizeOf: (view: Camera) => PixelSize,
    isPass: boolean,
  ): LimitedView {
    const view = (isPass && this.#ofPasses.get(camera)) || new LimitedView(this.#entries, isPass);
    if (isPass) this.#ofPasses.set(camera, view);
    if (!isPass) updateCamera(camera);
    view.beginView(screenViews(camera, sizeOf), limits);
    this.#last.set(camera, view);
    return view;
  }

  /** The view of the latest pass of a camera, or question about a camera, if it used the present structure. */
  last(camera: Camera): LimitedView | undefined {
    const view = this.#last.get(camera);
    return view?.structure === structureOf(this.#entries.measured, 'explain') ? view : undefined;
  }
}

/**
 * The limits in a pass of a camera, and the entries that they leave out.
 *
 * An object is small by the ball around its box, whose size changes little while the object turns. It is far by the
 * nearest point of its box, as the camera may stand on a large object. Neither depends on the direction of the camera,
 * so no object comes or goes while the camera turns.
 */
export class LimitedView {
  readonly #entries: Entries;
  /** Whether an object left out has to pass the limit by HYSTERESIS before it is drawn again. */
  readonly #remembers: boolean;
  structure: Structure | null = null;
  /** By id, `ids.born` of an entry left out by its last test, else 0: another entry may have the id later. */
  #leftOut = new Int32Array(0);
  views: readonly ScreenView[] = [];
  limits: Required<DrawLimits> = NO_LIMITS;
  /** Arrays for the planes that `PassLimits` narrows. */
  readonly regions: Float64Array[] = [];
  readonly #exempt = new IdSet();
  /** The box of the entry that was tested last. */
  readonly box: Float64Array = new Float64Array(6);

  constructor(entries: Entries, remembers: boolean) {
    this.#entries = entries;
    this.#remembers = remembers;
  }

  beginView(views: readonly ScreenView[], limits: Required<DrawLimits>): void {
    this.views = views;
    this.limits = limits;
    const structure = structureOf(this.#entries.measured, 'accelerate');
    // Each structure counts births separately.
    if (structure !== this.structure) this.#leftOut.fill(0);
    this.structure = structure;
    const { limit } = structure.ids;
    if (this.#remembers && this.#leftOut.length < limit) this.#leftOut = grow(this.#leftOut, limit);
  }

  /** Drops from `seen` the ids of entries beyond the limits, but none of `always`. */
  leaveOut(seen: IdList, always: Iterable<ObjectRecord>): void {
    const exempt = this.#exempt;
    exempt.clear();
    for (const { id } of always) if (id >= 0) exempt.add(id);
    const { born } = (this.structure as Structure).ids;
    const { ids, length } = seen;
    let n = 0;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const isDrawn = !this.isLeftOut(id) || exempt.has(id);
      if (this.#remembers) this.#leftOut[id] = isDrawn ? 0 : born[id];
      if (isDrawn) ids[n++] = id;
    }
    seen.length = n;
  }

  /** True for an entry that is left out of the pass, in view or not. */
  isLeftOut(id: number): boolean {
    const structure = this.structure as Structure;
    const { box } = this;
    structure.read(id, box);
    const slack = this.wasLeftOut(id) ? HYSTERESIS : 0;
    const pixels = this.#entries.byId.isPoints[id] ? 0 : (1 + slack) * this.limits.minPixels;
    const distance = (1 - slack) * this.limits.maxDistance;
    for (let i = 0; i < this.views.length; i++) {
      const view = this.views[i];
      // Both comparisons are false for NaN, as in a view with unknown numbers: the object is drawn then.
      const isSmall = pixels > 0 && squareOfSize(view, box) < pixels * pixels;
      if (!isSmall && !(squareOfDistance(view, box) > distance * distance)) return false;
    }
    return this.views.length > 0;
  }

  /** True for an entry that the last call of `leaveOut` in a pass left out. */
  wasLeftOut(id: number): boolean {
    const { born } = (this.structure as Structure).ids;
    return this.#leftOut[id] === born[id];
  }
}

/** The square of the diameter, in pixels, of the ball around a box. */
export function squareOfSize({ x, y, z, perRadius, isPerspective }: ScreenView, b: Float64Array): number {
  const dx = b[3] - b[0];
  const dy = b[4] - b[1];
  const dz = b[5] - b[2];
  const square = ((dx * dx + dy * dy + dz * dz) / 4) * perRadius * perRadius;
  if (!isPerspective) return square;
  const ex = (b[0] + b[3]) / 2 - x;
  const ey = (b[1] + b[4]) / 2 - y;
  const ez = (b[2] + b[5]) / 2 - z;
  return square / (ex * ex + ey * ey + ez * ez);
}

/** The squared distance from a view to the nearest point of a box; without perspective, along the view's direction. */
export function squareOfDistance(view: ScreenView, b: Float64Array): number {
  if (view.isPerspective) return squareToEye(view, b, 0);
  const { x, y, z, fx, fy, fz } = view;
  const ex = fx * (b[fx > 0 ? 0 : 3] - x);
  const ey = fy * (b[fy > 0 ? 1 : 4] - y);
  const ez = fz * (b[fz > 0 ? 2 : 5] - z);
  return Math.max(0, ex + ey + ez) ** 2;
}

/** The square of the distance from the eye of a view to the box at `o`. */
export function squareToEye({ x, y, z }: ScreenView, b: Float64Array, o: number): number {
  const dx = x < b[o] ? b[o] - x : x > b[o + 3] ? x - b[o + 3] : 0;
  const dy = y < b[o + 1] ? b[o + 1] - y : y > b[o + 4] ? y - b[o + 4] : 0;
  const dz = z < b[o + 2] ? b[o + 2] - z : z > b[o + 5] ? z - b[o + 5] : 0;
  return dx * dx + dy * dy + dz * dz;
}

function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
