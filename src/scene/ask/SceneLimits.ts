import type { Camera, Object3D } from 'three';
import { type Structure, structureOf } from '../../contract/Structure.js';
import { grow } from '../../core/arrays.js';
import { type IdList, IdSet } from '../../core/ids.js';
import type { Entries } from '../follow/Entries.js';
import type { Flags, ObjectRecord } from '../objects/ObjectRecord.js';
import { ruleFor } from '../objects/ruleFor.js';
import { HYSTERESIS, type PixelRenderer, pixelHeight, type ScreenView, screenViews } from './screenViews.js';

/** Below these an object is left out. */
export interface Limits {
  readonly minPixels: number;
  readonly maxDistance: number;
}

/** Limits of subtrees. */
export interface LimitsByObject {
  readonly minPixels: WeakMap<Object3D, number>;
  readonly maxDistance: WeakMap<Object3D, number>;
  /** The farthest `maxDistance` of all. */
  readonly farthest: number;
  readonly version: number;
}

/**
 * The query leaves out all beyond this multiple of the farthest limit. Objects nearer than that are tested one by one, and
 * those left out are remembered, as they have to come nearer than the limit by a share.
 */
const MARGIN = 1.25;

/** Leaves out of the pass of a camera what is small on its screen, or far from it. */
export class SceneLimits {
  readonly #entries: Entries;
  readonly #marks: LimitsByObject;
  readonly #views = new WeakMap<Camera, LimitedView>();
  /** Of the last pass, or question, of each camera. */
  readonly #lastViews = new WeakMap<Camera, LimitedView>();
  readonly #own: OwnLimits;

  constructor(entries: Entries, marks: LimitsByObject) {
    this.#entries = entries;
    this.#marks = marks;
    this.#own = new OwnLimits(marks);
  }

  /**
   * Begins a pass of a camera, in which it depends on the last one what is left out.
   * @param renderer One that does not tell the size of its pictures draws what is small.
   */
  forPass(camera: Camera, base: Limits, renderer: object): LimitedView {
    let view = this.#views.get(camera);
    if (view === undefined) {
      view = new LimitedView(this.#entries, this.#own, true);
      this.#views.set(camera, view);
    }
    return this.#begin(view, camera, base, (each) => pixelHeight(renderer as PixelRenderer, each));
  }

  /**
   * Begins a question about a camera, whose answer does not depend on others.
   * @param height Of the picture, in pixels.
   */
  forQuestion(camera: Camera, base: Limits, height: number): LimitedView {
    const view = new LimitedView(this.#entries, this.#own, false);
    return this.#begin(view, camera, base, (each) => (each as { viewport?: { w: number } }).viewport?.w ?? height);
  }

  /** Why an object was left out of the last picture of a camera; null where it was not. */
  whyLeftOut({ id }: ObjectRecord, camera: Camera): string | null {
    return this.#lastViews.get(camera)?.whyLeftOut(id) ?? null;
  }

  #begin(view: LimitedView, camera: Camera, base: Limits, heightOf: (view: Camera) => number): LimitedView {
    view.begin(screenViews(camera, heightOf), base, Math.max(base.maxDistance, this.#marks.farthest));
    this.#lastViews.set(camera, view);
    return view;
  }
}

/** By id, the limits that hold for an entry itself; NaN for those of the scene. */
class OwnLimits {
  readonly #marks: LimitsByObject;
  #version = 0;
  #structure: Structure | null = null;
  /** The birth of the entry that was looked at last. */
  #born = new Int32Array(64);
  pixels: Float64Array = new Float64Array(64);
  distances: Float64Array = new Float64Array(64);

  constructor(marks: LimitsByObject) {
    this.#marks = marks;
  }

  begin(structure: Structure): void {
    if (this.#version === this.#marks.version && this.#structure === structure) return;
    this.#version = this.#marks.version;
    this.#structure = structure;
    this.#born.fill(0);
  }

  /** Brings the limits of one entry up to date. */
  look(id: number, born: number, { records }: Entries['byId']): void {
    if (this.#born[id] === born) return;
    if (id >= this.#born.length) {
      this.#born = grow(this.#born, id + 1);
      this.pixels = grow(this.pixels, this.#born.length);
      this.distances = grow(this.distances, this.#born.length);
    }
    this.#born[id] = born;
    const { object } = records[id] as ObjectRecord;
    const { isPoints, isSprite } = object as Flags;
    const { minPixels, maxDistance } = this.#marks;
    this.pixels[id] = isPoints || isSprite ? 0 : (ruleFor(object, minPixels) ?? Number.NaN);
    this.distances[id] = ruleFor(object, maxDistance) ?? Number.NaN;
  }
}

/**
 * What is left out of a pass of a camera.
 *
 * An object is small by the ball around its box, whose size changes little while it turns; it is far by the nearest point
 * of its box, as one may stand on what is large. Neither depends on where the camera looks, so nothing comes or goes while
 * it turns.
 */
export class LimitedView {
  readonly #entries: Entries;
  readonly #own: OwnLimits;
  /** Whether what is left out has to grow, or come nearer, by a share until it is drawn again. */
  readonly #remembers: boolean;
  #structure: Structure | null = null;
  /** The birth of each entry that was left out when it was looked at last: others may have its id later. */
  #leftOut = new Int32Array(0);
  #views: readonly ScreenView[] = [];
  #base: Limits = NONE;
  #farthest = 0;
  readonly #regions: Float64Array[] = [];
  readonly #exempt = new IdSet();
  readonly #box = new Float64Array(6);

  constructor(entries: Entries, own: OwnLimits, remembers: boolean) {
    this.#entries = entries;
    this.#own = own;
    this.#remembers = remembers;
  }

  begin(views: readonly ScreenView[], base: Limits, farthest: number): void {
    this.#views = views;
    this.#base = base;
    this.#farthest = farthest;
    const structure = structureOf(this.#entries.measured, 'accelerate');
    // Births are counted by each structure.
    if (structure !== this.#structure) this.#leftOut.fill(0);
    this.#structure = structure;
    this.#own.begin(structure);
    const { limit } = structure.ids;
    if (this.#remembers && this.#leftOut.length < limit) this.#leftOut = grow(this.#leftOut, limit);
  }

  /**
   * The planes of the views, with one more in each that leaves out what is so far away that it is never drawn; valid until
   * the next pass.
   */
  narrow(regions: readonly Float64Array[]): readonly Float64Array[] {
    const reach = MARGIN * this.#farthest;
    if (reach === Number.POSITIVE_INFINITY || regions.length !== this.#views.length) return regions;
    this.#regions.length = regions.length;
    for (let i = 0; i < regions.length; i++) {
      const { x, y, z, fx, fy, fz } = this.#views[i];
      const { length } = regions[i];
      if (this.#regions[i]?.length !== length + 4) this.#regions[i] = new Float64Array(length + 4);
      const planes = this.#regions[i];
      planes.set(regions[i]);
      // No point is nearer than it is along the direction of the view.
      planes[length] = -fx;
      planes[length + 1] = -fy;
      planes[length + 2] = -fz;
      planes[length + 3] = fx * x + fy * y + fz * z + reach;
    }
    return this.#regions;
  }

  /**
   * Takes what is left out off a list.
   * @param always What has to be listed wherever it is.
   */
  leaveOut(seen: IdList, always: Iterable<ObjectRecord>): void {
    const exempt = this.#exempt;
    exempt.clear();
    for (const { id } of always) if (id >= 0) exempt.add(id);
    const { born } = (this.#structure as Structure).ids;
    const { ids, length } = seen;
    let n = 0;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const isDrawn = !this.isLeftOut(id) || (exempt.words[id >>> 5] & (1 << (id & 31))) !== 0;
      if (this.#remembers) this.#leftOut[id] = isDrawn ? 0 : born[id];
      if (isDrawn) ids[n++] = id;
    }
    seen.length = n;
  }

  /** True for an entry that is left out of the pass, be it in view or not. */
  isLeftOut(id: number): boolean {
    const structure = this.#structure as Structure;
    const { born } = structure.ids;
    const own = this.#own;
    const box = this.#box;
    own.look(id, born[id], this.#entries.byId);
    structure.read(id, box);
    const slack = this.#leftOut[id] === born[id] ? HYSTERESIS : 0;
    const pixels = (1 + slack) * orElse(own.pixels[id], this.#base.minPixels);
    const distance = (1 - slack) * orElse(own.distances[id], this.#base.maxDistance);
    for (let i = 0; i < this.#views.length; i++) {
      const view = this.#views[i];
      // Such that what is not a number, as with boxes without bounds, is drawn.
      const isSmall = pixels > 0 && squareOfSize(view, box) < pixels * pixels;
      if (!isSmall && !(squareOfDistance(view, box) > distance * distance)) return false;
    }
    return this.#views.length > 0;
  }

  /** Why an entry was left out; null for one that was not. */
  whyLeftOut(id: number): string | null {
    const structure = structureOf(this.#entries.measured, 'explain');
    if (id < 0 || structure !== this.#structure || !this.isLeftOut(id)) return null;
    const { born } = structure.ids;
    const box = this.#box;
    const pixels = orElse(this.#own.pixels[id], this.#base.minPixels);
    const distance = orElse(this.#own.distances[id], this.#base.maxDistance);
    const size = Math.sqrt(Math.max(...this.#views.map((view) => squareOfSize(view, box))));
    const away = Math.sqrt(Math.min(...this.#views.map((view) => squareOfDistance(view, box))));
    if (away > distance) return `it is farther than ${distance} from the camera (${short(away)})`;
    if (size < pixels) return `it is smaller than ${pixels} pixels (${short(size)})`;
    if (this.#leftOut[id] !== born[id]) return 'in each view it is too small or too far away';
    return size < (1 + HYSTERESIS) * pixels
      ? `it was smaller than ${pixels} pixels, and is not a tenth larger yet (${short(size)})`
      : `it was farther than ${distance} from the camera, and is not a tenth nearer yet (${short(away)})`;
  }
}

const NONE: Limits = { minPixels: 0, maxDistance: Number.POSITIVE_INFINITY };

function orElse(own: number, base: number): number {
  return Number.isNaN(own) ? base : own;
}

/** The square of the diameter, in pixels, of the ball around a box. */
function squareOfSize({ x, y, z, perRadius, isPerspective }: ScreenView, b: Float64Array): number {
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

/** The square of how far away the nearest point of a box is; without perspective, along the direction of the view. */
function squareOfDistance({ x, y, z, fx, fy, fz, isPerspective }: ScreenView, b: Float64Array): number {
  if (!isPerspective) {
    const ex = fx * (b[fx > 0 ? 0 : 3] - x);
    const ey = fy * (b[fy > 0 ? 1 : 4] - y);
    const ez = fz * (b[fz > 0 ? 2 : 5] - z);
    return Math.max(0, ex + ey + ez) ** 2;
  }
  const dx = x < b[0] ? b[0] - x : x > b[3] ? x - b[3] : 0;
  const dy = y < b[1] ? b[1] - y : y > b[4] ? y - b[4] : 0;
  const dz = z < b[2] ? b[2] - z : z > b[5] ? z - b[5] : 0;
  return dx * dx + dy * dy + dz * dz;
}

function short(value: number): number {
  return Number(value.toPrecision(3));
}
