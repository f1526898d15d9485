import type { Camera } from 'three';
import { type Structure, structureOf } from '../../contract/Structure.js';
import { grow } from '../../core/arrays.js';
import { type IdList, IdSet } from '../../core/ids.js';
import type { Entries } from '../follow/Entries.js';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import { HYSTERESIS, type PixelRenderer, pixelHeight, type ScreenView, screenViews } from './screenViews.js';

/** Below these an object is left out. */
interface Limits {
  readonly minPixels: number;
  readonly maxDistance: number;
}

/**
 * The query leaves out all beyond this multiple of `maxDistance`. Objects nearer than that are tested one by one, and
 * those left out are remembered, as they have to come nearer than the limit by a share.
 */
const MARGIN = 1.25;

/** Leaves out of the pass of a camera what is small on its screen, or far from it. */
export class SceneLimits {
  readonly #entries: Entries;
  readonly #views = new WeakMap<Camera, LimitedView>();
  /** Of the last pass, or question, of each camera. */
  readonly #lastViews = new WeakMap<Camera, LimitedView>();

  constructor(entries: Entries) {
    this.#entries = entries;
  }

  /**
   * Begins a pass of a camera, in which it depends on the last one what is left out.
   * @param renderer One that does not tell the size of its pictures draws what is small.
   */
  forPass(camera: Camera, limits: Limits, renderer: object): LimitedView {
    let view = this.#views.get(camera);
    if (view === undefined) {
      view = new LimitedView(this.#entries, true);
      this.#views.set(camera, view);
    }
    return this.#begin(view, camera, limits, (each) => pixelHeight(renderer as PixelRenderer, each));
  }

  /**
   * Begins a question about a camera, whose answer does not depend on others.
   * @param height Of the picture, in pixels.
   */
  forQuestion(camera: Camera, limits: Limits, height: number): LimitedView {
    const view = new LimitedView(this.#entries, false);
    return this.#begin(view, camera, limits, (each) => (each as { viewport?: { w: number } }).viewport?.w ?? height);
  }

  /** Why an object was left out of the last picture of a camera; null where it was not. */
  whyLeftOut({ id }: ObjectRecord, camera: Camera): string | null {
    return this.#lastViews.get(camera)?.whyLeftOut(id) ?? null;
  }

  #begin(view: LimitedView, camera: Camera, limits: Limits, heightOf: (view: Camera) => number): LimitedView {
    view.begin(screenViews(camera, heightOf), limits);
    this.#lastViews.set(camera, view);
    return view;
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
  /** Whether what is left out has to grow, or come nearer, by a share until it is drawn again. */
  readonly #remembers: boolean;
  #structure: Structure | null = null;
  /** The birth of each entry that was left out when it was looked at last: others may have its id later. */
  #leftOut = new Int32Array(0);
  #views: readonly ScreenView[] = [];
  #limits: Limits = NONE;
  readonly #regions: Float64Array[] = [];
  readonly #exempt = new IdSet();
  readonly #box = new Float64Array(6);

  constructor(entries: Entries, remembers: boolean) {
    this.#entries = entries;
    this.#remembers = remembers;
  }

  begin(views: readonly ScreenView[], limits: Limits): void {
    this.#views = views;
    this.#limits = limits;
    const structure = structureOf(this.#entries.measured, 'accelerate');
    // Births are counted by each structure.
    if (structure !== this.#structure) this.#leftOut.fill(0);
    this.#structure = structure;
    const { limit } = structure.ids;
    if (this.#remembers && this.#leftOut.length < limit) this.#leftOut = grow(this.#leftOut, limit);
  }

  /**
   * The planes of the views, with one more in each that leaves out what is so far away that it is never drawn; valid until
   * the next pass.
   */
  narrow(regions: readonly Float64Array[]): readonly Float64Array[] {
    const reach = MARGIN * this.#limits.maxDistance;
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
    const box = this.#box;
    structure.read(id, box);
    const slack = this.#leftOut[id] === born[id] ? HYSTERESIS : 0;
    const pixels = this.#entries.byId.isPoints[id] ? 0 : (1 + slack) * this.#limits.minPixels;
    const distance = (1 - slack) * this.#limits.maxDistance;
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
    const pixels = this.#entries.byId.isPoints[id] ? 0 : this.#limits.minPixels;
    const distance = this.#limits.maxDistance;
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
