import { type Camera, type Matrix4, Vector3 } from 'three';
import { grow } from '../../core/arrays.js';
import type { Pass } from '../../passes/Pass.js';
import { isShadowMaterial } from '../../passes/shadowPasses.js';
import {
  HYSTERESIS,
  type PixelRenderer,
  pixelSize,
  planesOfViews,
  type ScreenView,
  screenViews,
  viewsOf,
} from '../../scene/ask/cameraViews.js';

/** How far levels of detail may be off. */
export interface LevelErrors {
  /** The largest error in a picture, in pixels of the render target; read for each pass. */
  maxError: number;
  /** Whether levels in shadow maps depend on their texels alone, as a map that is kept must not depend on a camera. */
  readonly areShadowsKept?: boolean;
}

/** Texels of a shadow map by which a caster may be off. */
const SHADOW_ERROR = 1;

/**
 * Numbers of an eye: x, y, z; the size of a unit in it, at a distance of 1 if distances count; the least distance; the
 * height of its view, at a distance of 1; and whether distances count. A list of numbers is read faster than objects.
 */
const EYE_AT = 7;

/** @param per The size of a unit in each view. */
export function eyesOf(views: readonly ScreenView[], per: (view: ScreenView) => number): Float64Array {
  return Float64Array.from(
    views.flatMap((view) => {
      const { x, y, z, near, height, isPerspective } = view;
      return [x, y, z, per(view), near, height, Number(isPerspective)];
    }),
  );
}

const point = /* @__PURE__ */ new Vector3();

/**
 * Carries eyes by an inverse into the frame of a mesh, each eye on its own. A distance in this frame is in the world at
 * least as long as the smallest stretch of the mesh makes it, and a unit at most as long as the largest.
 */
export function carryEyes(eyes: Float64Array, inverse: Matrix4, largest: number, smallest: number): Float64Array[] {
  const carried: Float64Array[] = [];
  for (let i = 0; i < eyes.length; i += EYE_AT) {
    const eye = eyes.slice(i, i + EYE_AT);
    point.fromArray(eyes, i).applyMatrix4(inverse).toArray(eye);
    eye[3] *= largest / (eye[6] === 0 ? 1 : smallest);
    eye[4] /= smallest;
    carried.push(eye);
  }
  return carried;
}

/**
 * The size of a unit on the screen, for the eye that sees it largest. The size depends on the distance from the eye,
 * not on the direction of view: turning a camera changes nothing. Infinite without eyes, or with NaN in matrices.
 * @param reach How much nearer than the point the unit may be.
 */
export function unitAt(eyes: Float64Array, x: number, y: number, z: number, reach: number): number {
  let largest = eyes.length === 0 ? Number.POSITIVE_INFINITY : 0;
  for (let i = 0; i < eyes.length; i += EYE_AT) {
    const dx = x - eyes[i];
    const dy = y - eyes[i + 1];
    const dz = z - eyes[i + 2];
    const per = eyes[i + 3];
    const near = eyes[i + 4];
    const away = Math.sqrt(dx * dx + dy * dy + dz * dz) - reach;
    // A distance that is NaN stays NaN.
    const size = eyes[i + 6] === 0 ? per : per / (away < near ? near : away);
    if (!(size <= largest)) largest = size || Number.POSITIVE_INFINITY;
  }
  return largest;
}

/** True for a ball that is larger than the height of some eye's view, or lies around the eye. */
export function isWideFor(eyes: Float64Array, x: number, y: number, z: number, radius: number): boolean {
  for (let i = 0; i < eyes.length; i += EYE_AT) {
    const away = Math.hypot(x - eyes[i], y - eyes[i + 1], z - eyes[i + 2]) - radius;
    if (2 * radius >= eyes[i + 5] * (eyes[i + 6] === 0 ? 1 : away)) return true;
  }
  return false;
}

/**
 * Takes the level of detail for a size on the screen: the first whose least size is not larger. A coarser level than
 * the last one is taken only when the size is smaller by a share, so that levels do not flicker.
 * @param chosen One more than the level that was taken last, by id; 0 for none.
 * @param least The least sizes of all levels but the last, from fine to coarse: no size is larger than the one before.
 */
export function takeLevel(chosen: Uint8Array, id: number, least: ArrayLike<number>, size: number): number {
  const level = levelFor(least, size, chosen[id] - 1);
  chosen[id] = level + 1;
  return level;
}

/** @param before The level that was taken last; negative for none. */
export function levelFor(least: ArrayLike<number>, size: number, before: number): number {
  // The search starts at the last level, as it mostly stays.
  const start = Math.min(Math.max(0, before), least.length);
  const share = before < 0 ? 1 : 1 - HYSTERESIS;
  let level = start;
  while (level < least.length && size < share * least[level]) level++;
  if (level === start) while (level > 0 && size >= least[level - 1]) level--;
  return level;
}

/** The levels that were taken last, see {@link takeLevel}: by camera, then by id. */
export class TakenLevels {
  readonly #byCamera = new WeakMap<Camera, Uint8Array>();

  /** @param end One more than the highest id. */
  of(camera: Camera, end: number): Uint8Array {
    const before = this.#byCamera.get(camera) ?? new Uint8Array(0);
    if (before.length >= end) return before;
    const chosen = grow(before, end);
    this.#byCamera.set(camera, chosen);
    return chosen;
  }

  /** The level that was taken last for a camera; -1 for none. */
  last(camera: Camera, id: number): number {
    return (this.#byCamera.get(camera)?.[id] ?? 0) - 1;
  }
}

/** A camera that draws, and its eyes: sizes are multiples of the error in pixels that levels may have. */
export interface LevelView {
  readonly camera: Camera;
  readonly eyes: Float64Array;
  readonly maxError: number;
}

/** The view of a camera, and the view of its shadow map; null when no map is drawn. */
export type PassViews = readonly [seen: LevelView, cast: LevelView | null];

/** The views of the renders in progress, and of their shadow maps. */
export class LevelViews {
  readonly errors: LevelErrors;
  /** Views by nesting (`Pass.nesting`). */
  readonly byNesting: PassViews[] = [];
  /** The last view of each camera. */
  readonly byCamera: WeakMap<Camera, LevelView> = new WeakMap();
  /** The view of the last picture that has begun. */
  last: LevelView | null = null;
  #pass: Pass | null = null;
  #views: PassViews | null = null;

  constructor(errors: LevelErrors) {
    this.errors = errors;
  }

  /** The views by which a pass draws, read once in the pass; null before any picture. */
  of(pass: Pass): PassViews | null {
    if (pass === this.#pass) return this.#views;
    const { nesting, number, camera, renderer, scene, shadow } = pass;
    this.#pass = pass;
    if (number > 1) {
      const views = this.byNesting[nesting];
      this.#views = views && [views[0], shadow && this.castBy(shadow.camera, renderer as PixelRenderer)];
      return this.#views;
    }
    // Shadow maps of `WebGPURenderer` have renders of their own.
    const isMap = isShadowMaterial(scene.overrideMaterial);
    if (!isMap) {
      this.last = viewOf(camera, renderer as PixelRenderer, this.errors.maxError);
      this.byCamera.set(camera, this.last);
    }
    this.#views = this.last && [this.last, isMap ? this.castBy(camera, renderer as PixelRenderer) : null];
    if (this.#views !== null) this.byNesting[nesting] = this.#views;
    return this.#views;
  }

  castBy(light: Camera, renderer: PixelRenderer): LevelView {
    return viewOf(light, renderer, SHADOW_ERROR);
  }
}

function viewOf(camera: Camera, renderer: PixelRenderer, maxError: number): LevelView {
  const views = screenViews(camera, (view) => pixelSize(renderer, view));
  return { camera, maxError, eyes: eyesOf(views, ({ perUnit }) => perUnit / maxError) };
}

/**
 * Takes levels for the draws of a pass: the coarsest levels whose error is less than some pixels, even in the corners
 * of the picture. In a shadow map a caster gets the finer of the camera's level and the map's, so that near shadows of
 * far casters stay sharp; in a map that may be kept, it gets the map's.
 */
export class PassLevels {
  readonly view: LevelView;
  readonly #cast: LevelView | null;
  #planes: readonly Float64Array[] | null = null;
  readonly #chosen: Uint8Array;
  readonly #castChosen: Uint8Array;

  /** @param end One more than the highest id. */
  constructor([seen, cast]: PassViews, { areShadowsKept }: LevelErrors, taken: TakenLevels, end: number) {
    this.view = cast !== null && areShadowsKept === true ? cast : seen;
    this.#cast = cast === this.view ? null : cast;
    this.#chosen = taken.of(this.view.camera, end);
    this.#castChosen = this.#cast === null ? this.#chosen : taken.of(this.#cast.camera, end);
  }

  /**
   * @param least One divided by the error of each level, from fine to coarse.
   * @param scale The largest scale of the draw's matrix: with an unknown scale the whole geometry is drawn.
   * @param radius The radius of the ball around the draw, whose centre is x, y, z.
   */
  take(id: number, least: Float64Array, scale: number, x: number, y: number, z: number, radius: number): number {
    const level = takeLevel(this.#chosen, id, least, sizeIn(this.view, scale, x, y, z, radius));
    if (this.#cast === null) return level;
    return Math.min(level, takeLevel(this.#castChosen, id, least, sizeIn(this.#cast, scale, x, y, z, radius)));
  }

  /** The views that decide about levels. */
  get views(): readonly LevelView[] {
    return this.#cast === null ? [this.view] : [this.view, this.#cast];
  }

  /** The planes of the pass, six for each of its views. */
  get planes(): readonly Float64Array[] {
    this.#planes ??= planesOfViews(viewsOf((this.#cast ?? this.view).camera), []);
    return this.#planes;
  }
}

function sizeIn({ eyes }: LevelView, scale: number, x: number, y: number, z: number, radius: number): number {
  return scale * unitAt(eyes, x, y, z, radius) || Number.POSITIVE_INFINITY;
}
