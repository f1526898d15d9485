import type { Camera, Material } from 'three';
import { type LevelViews, PassLevels, type PassViews, TakenLevels, unitAt } from '../instances/drawn/LevelViews.js';
import type { PixelRenderer } from '../scene/ask/cameraViews.js';
import type { DrawSlots } from './DrawSlots.js';
import { NO_SETS, setsFor } from './whyNoLevels.js';

/** Chooses the level of each draw of a batch. */
export class LevelChoice {
  readonly #views: LevelViews;
  readonly #slots: DrawSlots;
  readonly #onSets: () => void;
  readonly #taken = new TakenLevels();
  #pass: PassViews | null = null;

  /** @param onSets Called when the draws need levels for other sets of texture coordinates. */
  constructor(views: LevelViews, slots: DrawSlots, onSets: () => void) {
    this.#views = views;
    this.#slots = slots;
    this.#onSets = onSets;
  }

  /**
   * To be called before the draws of a pass.
   * @param slot That of the pass.
   * @param light The camera of the shadow map that is drawn; null for a picture.
   * @returns false where everything has to be drawn as it is.
   */
  begin(slot: number, material: Material, light: Camera | null, renderer: PixelRenderer | null): boolean {
    const views = this.#views.bySlot[slot];
    const sampled = setsFor(material);
    if (sampled !== this.#slots.sampled) {
      this.#slots.sampled = sampled;
      this.#onSets();
    }
    if (views === undefined || sampled === NO_SETS) return false;
    const isMap = light !== null && renderer !== null;
    this.#pass = isMap ? [views[0], this.#views.castBy(light, renderer)] : views;
    return true;
  }

  /** Draws some slots by their levels. */
  choose(ids: ArrayLike<number>, length: number): void {
    const slots = this.#slots;
    const { centers, radii, scales } = slots;
    const pass = new PassLevels(this.#pass as PassViews, this.#views.errors, this.#taken, slots.end);
    for (let i = 0; i < length; i++) {
      const slot = ids[i];
      const levels = slots.levelsAt(slot);
      let level = 0;
      if (levels !== null) {
        const c = 3 * slot;
        const [x, y, z] = [centers[c], centers[c + 1], centers[c + 2]];
        level = pass.take(slot, levels.least, scales[slot], x, y, z, radii[slot]);
      }
      slots.drawLevel(slot, levels, level);
    }
  }

  /** Adds up the triangles that the last picture has drawn, and those that levels spared. */
  countTriangles(ids: ArrayLike<number>, length: number, sum: { drawn: number; spared: number }): void {
    const seen = this.#pass?.[0] ?? null;
    if (seen === null || seen !== this.#views.last) return;
    for (let i = 0; i < length; i++) {
      const all = this.#slots.whole[ids[i]];
      const count = this.#slots.levelsAt(ids[i])?.counts[this.#taken.last(seen.camera, ids[i]) - 1] ?? all;
      sum.drawn += count / 3;
      sum.spared += (all - count) / 3;
    }
  }

  /** The level that a camera was last shown of a draw, and by how many pixels that is off now; null for none. */
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
