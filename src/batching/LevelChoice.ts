import type { Camera, Material, Matrix4 } from 'three';
import {
  isWideFor,
  type LevelViews,
  PassLevels,
  type PassViews,
  TakenLevels,
  unitAt,
} from '../instances/drawn/LevelViews.js';
import type { PixelRenderer } from '../scene/ask/cameraViews.js';
import { CellDraws } from './CellDraws.js';
import type { DrawSlots } from './DrawSlots.js';
import { CUT } from './LeveledPart.js';
import { NO_SETS, setsFor } from './whyNoLevels.js';

/** Callbacks by which the draws of a batch ask for further levels. */
export interface LevelWishes {
  /** Called when the draws need levels for other sets of texture coordinates. */
  onSets(): void;
  /** Called for a slot of many triangles that should be drawn in cells, but has none. */
  onWide(slot: number): void;
}

/**
 * Chooses the level of each draw of a batch. A draw of many triangles is drawn in cells if no level is near enough, or
 * it is wider than a view, and if the cells in view have fewer triangles than the level of the whole.
 */
export class LevelChoice {
  readonly #views: LevelViews;
  readonly #slots: DrawSlots;
  readonly #wishes: LevelWishes;
  readonly #worldAt: (slot: number) => Matrix4;
  readonly #taken = new TakenLevels();
  #pass: PassViews | null = null;
  /** The cells of the last picture; `#castCells` are those of the last shadow map. */
  readonly #seenCells = new CellDraws();
  readonly #castCells = new CellDraws();

  /** @param worldAt Finds the world matrix of a slot; the next call overwrites the result. */
  constructor(views: LevelViews, slots: DrawSlots, wishes: LevelWishes, worldAt: (slot: number) => Matrix4) {
    this.#views = views;
    this.#slots = slots;
    this.#wishes = wishes;
    this.#worldAt = worldAt;
  }

  get cells(): CellDraws {
    return this.#pass?.[1] ? this.#castCells : this.#seenCells;
  }

  /**
   * To be called before the draws of a pass.
   * @param nesting The nesting of the pass.
   * @param light The camera of the shadow map that is drawn; null in the pass of a camera.
   * @returns false when all draws have to be whole.
   */
  beginPass(nesting: number, material: Material, light: Camera | null, renderer: PixelRenderer | null): boolean {
    const views = this.#views.byNesting[nesting];
    const sampled = setsFor(material);
    if (sampled !== this.#slots.sampled) {
      this.#slots.sampled = sampled;
      this.#wishes.onSets();
    }
    if (views === undefined || sampled === NO_SETS) return false;
    const isMap = light !== null && renderer !== null;
    this.#pass = isMap ? [views[0], this.#views.castBy(light, renderer)] : views;
    return true;
  }

  /** @param mayCut Whether some slots may be drawn in {@link cells}: their triangles come in another order then. */
  choose(ids: ArrayLike<number>, length: number, mayCut: boolean): void {
    const slots = this.#slots;
    const { centers, radii, scales, whole } = slots;
    this.cells.beginPass();
    const pass = new PassLevels(this.#pass as PassViews, this.#views.errors, this.#taken, slots.end);
    for (let i = 0; i < length; i++) {
      const slot = ids[i];
      const levels = slots.levelsAt(slot);
      let level = 0;
      if (levels !== null) {
        const c = 3 * slot;
        const { least } = levels;
        level = pass.take(slot, least, scales[slot], centers[c], centers[c + 1], centers[c + 2], radii[slot]);
      }
      slots.drawLevel(slot, levels, level);
      if (mayCut && whole[slot] >= 3 * CUT) this.#cut(slot, level, pass);
    }
  }

  /** Has a slot drawn in cells if that saves triangles. */
  #cut(slot: number, level: number, pass: PassLevels): void {
    const slots = this.#slots;
    const [x, y, z] = slots.centers.subarray(3 * slot, 3 * slot + 3);
    if (slots.isExact[slot] !== 0) return;
    if (level > 0 && !isWideFor(pass.view.eyes, x, y, z, slots.radii[slot])) return;
    const cells = slots.cellsAt(slot);
    if (cells === null) this.#wishes.onWide(slot);
    else this.cells.choose(slot, cells, this.#worldAt(slot), slots.counts[slot], pass);
  }

  /** Adds up the triangles drawn in the last picture, and the triangles spared by levels. */
  countTriangles(ids: ArrayLike<number>, length: number, sum: { drawn: number; spared: number }): void {
    const seen = this.#pass?.[0] ?? null;
    if (seen === null || seen !== this.#views.last) return;
    for (let i = 0; i < length; i++) {
      const all = this.#slots.whole[ids[i]];
      const level = this.#slots.levelsAt(ids[i])?.counts[this.#taken.last(seen.camera, ids[i]) - 1];
      const count = this.#seenCells.of(ids[i])?.numbers ?? level ?? all;
      sum.drawn += count / 3;
      sum.spared += (all - count) / 3;
    }
  }

  /** The number of cells and triangles that the last picture drew of a slot; null for a slot that was drawn whole. */
  lastCells(slot: number): { readonly cells: number; readonly triangles: number } | null {
    const shown = this.#seenCells.of(slot);
    return shown === undefined ? null : { cells: shown.cells, triangles: shown.numbers / 3 };
  }

  /** The level that a camera was last shown of a draw, and its present error in pixels; null for none. */
  lastAt(slot: number, camera: Camera): { level: number; pixels: number } | null {
    const level = this.#taken.last(camera, slot);
    const view = this.#views.byCamera.get(camera);
    const levels = this.#slots.levelsAt(slot);
    if (level < 0 || view === undefined || levels === null) return null;
    if (level === 0) return { level, pixels: 0 };
    const { centers, radii, scales } = this.#slots;
    const [x, y, z] = centers.subarray(3 * slot, 3 * slot + 3);
    const unit = scales[slot] * unitAt(view.eyes, x, y, z, radii[slot]) * view.maxError;
    return { level, pixels: levels.errors[level - 1] * unit };
  }
}
