import type { Camera, PerspectiveCamera } from 'three';
import { grow } from '../../core/arrays.js';
import type { Draws } from '../../instances/drawn/drawLists.js';
import { levelFor, type PixelRenderer, pixelHeight, viewAt, viewCount } from '../../scene/ask/cameraViews.js';

/** How far levels may be off. */
export interface LevelErrors {
  /** In a picture, in pixels of the render target. */
  readonly maxError: number;
  /** In a shadow map, in its texels. */
  readonly shadowError: number;
}

/** The draws of a batch, by slot. */
export interface LeveledSlots {
  /** Centres in the world, three numbers each, radii of spheres around them, and the largest scale of each matrix. */
  readonly centers: Float64Array;
  readonly radii: Float64Array;
  readonly scales: Float64Array;
  readonly end: number;
  /** Null for a draw without levels, or of a part of its geometry. */
  levelsAt(slot: number): LevelRanges | null;
}

/** Ranges of an index, from fine to coarse, and how far each lies from the first, in units of the geometry. */
export interface LevelRanges {
  readonly starts: Int32Array;
  readonly counts: Int32Array;
  readonly errors: Float64Array;
}

/** Where a view is seen from, and what a unit is in it. */
interface ErrorView {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** The least distance that counts. */
  readonly near: number;
  /** Pixels of a unit at the distance 1, in the corner of the picture, where it is largest; or at any distance. */
  readonly perUnit: number;
  readonly isPerspective: boolean;
}

/** What was chosen for a camera last: one more than the level of each slot, 0 for none. */
interface Chosen {
  views: readonly ErrorView[];
  levels: Uint8Array;
}

/**
 * Chooses the level of each draw of a batch: the coarsest whose error stays below some pixels wherever the mesh is in the
 * picture, up to its corner. So it does not change as a camera turns.
 */
export class LevelChoice {
  readonly #errors: LevelErrors;
  readonly #byCamera = new WeakMap<Camera, Chosen>();

  constructor(errors: LevelErrors) {
    this.#errors = errors;
  }

  /** Chooses for a picture. */
  choose(draws: Draws, slots: LeveledSlots, camera: Camera, renderer: PixelRenderer): void {
    const chosen = this.#chosenFor(camera, slots.end);
    chosen.views = errorViews(camera, this.#errors.maxError, renderer);
    const { ids, length } = draws.ids;
    for (let i = 0; i < length; i++) {
      const levels = slots.levelsAt(ids[i]);
      if (levels !== null) setLevel(draws, i, levels, chooseAt(ids[i], levels.errors, slots, chosen));
    }
  }

  /**
   * Chooses for a shadow map: the finer of what the camera would see and what the map shows, so that near shadows of far
   * casters stay sharp. Until the camera has drawn a picture, nothing is simplified.
   */
  chooseForShadow(draws: Draws, slots: LeveledSlots, camera: Camera, light: Camera, renderer: PixelRenderer): void {
    const seen = this.#byCamera.get(camera);
    if (seen === undefined) return;
    seen.levels = grown(seen.levels, slots.end);
    const cast = this.#chosenFor(light, slots.end);
    cast.views = errorViews(light, this.#errors.shadowError, renderer);
    const { ids, length } = draws.ids;
    for (let i = 0; i < length; i++) {
      const levels = slots.levelsAt(ids[i]);
      if (levels === null) continue;
      const ofCamera = chooseAt(ids[i], levels.errors, slots, seen);
      setLevel(draws, i, levels, Math.min(ofCamera, chooseAt(ids[i], levels.errors, slots, cast)));
    }
  }

  #chosenFor(camera: Camera, end: number): Chosen {
    let chosen = this.#byCamera.get(camera);
    if (chosen === undefined) {
      chosen = { views: [], levels: new Uint8Array(0) };
      this.#byCamera.set(camera, chosen);
    }
    chosen.levels = grown(chosen.levels, end);
    return chosen;
  }
}

function grown(levels: Uint8Array, end: number): Uint8Array {
  return levels.length < end ? grow(levels, end) : levels;
}

function setLevel(draws: Draws, i: number, { starts, counts }: LevelRanges, level: number): void {
  draws.starts[i] = starts[level];
  draws.counts[i] = counts[level];
}

/** The level of the draw at a slot for some views, which is noted. */
function chooseAt(slot: number, errors: Float64Array, slots: LeveledSlots, { views, levels }: Chosen): number {
  const { centers, radii, scales } = slots;
  const x = centers[3 * slot];
  const y = centers[3 * slot + 1];
  const z = centers[3 * slot + 2];
  let most = Number.POSITIVE_INFINITY;
  for (let i = 0; i < views.length; i++) {
    const view = views[i];
    let distance = 1;
    if (view.isPerspective) {
      distance = Math.sqrt((x - view.x) ** 2 + (y - view.y) ** 2 + (z - view.z) ** 2) - radii[slot];
      if (!(distance > view.near)) distance = view.near;
    }
    most = Math.min(most, distance / view.perUnit);
  }
  const level = levelFor(errors, most / scales[slot], levels[slot] - 1);
  levels[slot] = level + 1;
  return level;
}

/** @param most Pixels by which anything may be off; of them distances are measured. */
function errorViews(camera: Camera, most: number, renderer: PixelRenderer): ErrorView[] {
  return Array.from({ length: viewCount(camera) }, (_, i) => {
    const view = viewAt(camera, i);
    const { elements: p } = view.projectionMatrix;
    const { elements: m } = view.matrixWorld;
    const isPerspective = p[11] !== 0;
    // At an angle to the axis a shift along the picture covers more of it: by 1 / cos^2, which is largest in a corner.
    const corner = isPerspective ? 1 + ((1 + Math.abs(p[8])) / p[0]) ** 2 + ((1 + Math.abs(p[9])) / p[5]) ** 2 : 1;
    const perUnit = (Math.abs(p[5]) * pixelHeight(renderer, view) * corner) / 2;
    const { near } = view as PerspectiveCamera;
    return { x: m[12], y: m[13], z: m[14], near: near > 0 ? near : 0, perUnit: perUnit / most, isPerspective };
  });
}
