import type { Camera, Material } from 'three';
import { grow } from '../core/arrays.js';
import { levelFor } from '../instances/drawn/drawLists.js';
import type { Pass } from '../passes/Pass.js';
import { isShadowMaterial } from '../passes/shadowPasses.js';
import { type PixelRenderer, pixelSize, type ScreenView, screenViews } from '../scene/ask/cameraViews.js';
import type { DrawSlots } from './DrawSlots.js';
import { NO_SETS, setsFor } from './whyNoLevels.js';

/** How far levels may be off. */
export interface LevelErrors {
  /** In a picture, in pixels of the render target; read for each pass. */
  maxError: number;
  /** In a shadow map, in its texels. */
  readonly shadowError: number;
  /** Whether levels in shadow maps go by their texels alone, as a map that is kept must not depend on a camera. */
  readonly areShadowsKept?: boolean;
}

/** A camera that draws, what a unit is in each of its views, and by how much levels may be off there. */
interface LevelView {
  readonly camera: Camera;
  readonly views: readonly ScreenView[];
  readonly maxError: number;
}

/** The cameras of the pictures in progress, and those of their shadow maps. */
export class LevelViews {
  readonly errors: LevelErrors;
  /** By `Pass.slot`. */
  readonly bySlot: [seen: LevelView, cast: LevelView | null][] = [];
  /** The last view of each camera. */
  readonly byCamera: WeakMap<Camera, LevelView> = new WeakMap();
  /** The view of the last picture that has begun. */
  last: LevelView | null = null;

  constructor(errors: LevelErrors) {
    this.errors = errors;
  }

  /** To be called when the pass of a camera begins. Shadow maps of `WebGPURenderer` have passes of their own. */
  begin({ slot, camera, renderer, scene }: Pass): void {
    const isShadow = isShadowMaterial(scene.overrideMaterial);
    if (!isShadow) {
      this.last = viewOf(camera, renderer as PixelRenderer, this.errors.maxError);
      this.byCamera.set(camera, this.last);
    }
    const cast = isShadow ? this.castBy(camera, renderer as PixelRenderer) : null;
    if (this.last !== null) this.bySlot[slot] = [this.last, cast];
  }

  castBy(light: Camera, renderer: PixelRenderer): LevelView {
    return viewOf(light, renderer, this.errors.shadowError);
  }
}

function viewOf(camera: Camera, renderer: PixelRenderer, maxError: number): LevelView {
  return { camera, views: screenViews(camera, (view) => pixelSize(renderer, view)), maxError };
}

/**
 * Chooses the level of each draw of a batch: the coarsest whose error stays below some pixels wherever the mesh is in the
 * picture, up to its corner. So it does not change as a camera turns.
 */
export class LevelChoice {
  readonly #views: LevelViews;
  readonly #slots: DrawSlots;
  readonly #onSets: () => void;
  /** One more than the level that was chosen last for each slot; 0 for none. */
  readonly #byCamera = new WeakMap<Camera, Uint8Array>();
  #seen: LevelView | null = null;
  #cast: LevelView | null = null;

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
    const [seen, shadow = null] = this.#views.bySlot[slot] ?? [];
    const sampled = setsFor(material);
    if (sampled !== this.#slots.sampled) {
      this.#slots.sampled = sampled;
      this.#onSets();
    }
    if (seen === undefined || sampled === NO_SETS) return false;
    this.#seen = seen;
    this.#cast = light === null || renderer === null ? shadow : this.#views.castBy(light, renderer);
    return true;
  }

  /**
   * Draws some slots by their levels. In a shadow map a caster gets the finer of the camera's level and the map's, so that
   * near shadows of far casters stay sharp; in one that may be kept, the map's.
   */
  choose(ids: ArrayLike<number>, length: number): void {
    const slots = this.#slots;
    const isKept = this.#cast !== null && this.#views.errors.areShadowsKept === true;
    const seen = (isKept ? this.#cast : this.#seen) as LevelView;
    const cast = isKept ? null : this.#cast;
    const ofSeen = this.#chosenFor(seen.camera);
    const ofCast = cast === null ? ofSeen : this.#chosenFor(cast.camera);
    for (let i = 0; i < length; i++) {
      const slot = ids[i];
      const levels = slots.levelsAt(slot);
      let level = 0;
      if (levels !== null) {
        level = choose(slots, slot, levels.least, seen, ofSeen);
        if (cast !== null) level = Math.min(level, choose(slots, slot, levels.least, cast, ofCast));
      }
      slots.drawLevel(slot, levels, level);
    }
  }

  /** Adds up the triangles that the last picture has drawn, and those that levels spared. */
  countTriangles(ids: ArrayLike<number>, length: number, sum: { drawn: number; spared: number }): void {
    if (this.#seen === null || this.#seen !== this.#views.last) return;
    const chosen = this.#chosenFor(this.#seen.camera);
    for (let i = 0; i < length; i++) {
      const all = this.#slots.whole[ids[i]];
      const count = this.#slots.levelsAt(ids[i])?.counts[chosen[ids[i]] - 2] ?? all;
      sum.drawn += count / 3;
      sum.spared += (all - count) / 3;
    }
  }

  /** The level that a camera was last shown of a draw, and by how many pixels that is off now; null for none. */
  lastAt(slot: number, camera: Camera): { level: number; pixels: number } | null {
    const level = (this.#byCamera.get(camera)?.[slot] ?? 0) - 1;
    const view = this.#views.byCamera.get(camera);
    const levels = this.#slots.levelsAt(slot);
    if (level < 0 || view === undefined || levels === null) return null;
    if (level === 0) return { level, pixels: 0 };
    return { level, pixels: levels.errors[level - 1] * sizeAt(this.#slots, slot, view) * view.maxError };
  }

  #chosenFor(camera: Camera): Uint8Array {
    const before = this.#byCamera.get(camera) ?? new Uint8Array(0);
    if (before.length >= this.#slots.end) return before;
    const chosen = grow(before, this.#slots.end);
    this.#byCamera.set(camera, chosen);
    return chosen;
  }
}

function choose(slots: DrawSlots, slot: number, least: Float64Array, view: LevelView, chosen: Uint8Array): number {
  const level = levelFor(least, sizeAt(slots, slot, view), chosen[slot] - 1);
  chosen[slot] = level + 1;
  return level;
}

/** Pixels of a unit of a geometry where it covers most of them, in parts of those by which a level may be off. */
function sizeAt({ centers, radii, scales }: DrawSlots, slot: number, { views, maxError }: LevelView): number {
  let most = 0;
  for (let i = 0; i < views.length; i++) {
    const { x, y, z, near, perUnit, isPerspective } = views[i];
    const c = 3 * slot;
    const toCenter = Math.sqrt((centers[c] - x) ** 2 + (centers[c + 1] - y) ** 2 + (centers[c + 2] - z) ** 2);
    most = Math.max(most, isPerspective ? perUnit / Math.max(near, toCenter - radii[slot]) : perUnit);
  }
  // A mesh without a size, or of one that is not known, is drawn as it is.
  return (most * scales[slot]) / maxError || Number.POSITIVE_INFINITY;
}
