import type { Camera } from 'three';
import { inWords, ownOptions, type Ranges, readOptions, refuseOthers } from '../core/options.js';
import type { LeaveOut } from './ask/Visibility.js';
import { type DrawLimits, isLimit, LIMIT_RANGES, NO_LIMITS } from './DrawLimits.js';
import { checkList } from './objects/checks.js';
import type { SceneParts } from './SceneParts.js';

/**
 * Options of occlusion culling, for `accelerate` and {@link CullOptions.occlusion}.
 *
 * @example
 * ```ts
 * import { accelerate, type OcclusionOptions } from 'three-scene-index';
 *
 * const occlusion: OcclusionOptions = { width: 512, maxOccluders: 128 };
 * accelerate(scene, { occlusion });
 * ```
 */
export interface OcclusionOptions {
  /**
   * Width of the depth buffer in pixels, a whole number from 32 to 4096. At most half the width of the picture. A wider
   * buffer hides more behind thin and distant objects, and takes proportionally longer. Default 320.
   */
  width?: number;
  /** The most meshes drawn into the buffer, a whole number from 1. Default 64. */
  maxOccluders?: number;
  /**
   * The most triangles of these meshes together, a whole number from 12. A single mesh may have a quarter of them.
   * Default 4096.
   */
  maxTriangles?: number;
}

/**
 * Options of `SceneIndex.cull`.
 *
 * @example
 * ```ts
 * import { type CullOptions, loadOcclusion, SceneIndex } from 'three-scene-index';
 *
 * await loadOcclusion();
 * const options: CullOptions = { occlusion: true, width: 1920, height: 1080 };
 * const notHidden = new SceneIndex(scene).cull(camera, options);
 * ```
 */
export interface CullOptions extends DrawLimits {
  /**
   * Leaves out objects behind large opaque meshes. Default false.
   *
   * As with `accelerate`, rules decide what can hide and be hidden. The result is right only if you draw
   * everything that is returned, with three's materials, matrices and depth tests. Nothing is left out for an
   * `ArrayCamera`. The code is loaded on demand; until then everything in the frustum is returned.
   * {@link loadOcclusion} waits for it.
   */
  occlusion?: boolean | OcclusionOptions;
  /**
   * The renderer that will draw. Set its render target and clipping planes first: both are taken into account.
   *
   * Without it, occlusion assumes one sample per pixel, 24 bits of linear depth and no clipping planes, and hides
   * nothing while anything transmissive is in view. `minPixels` then needs a height or width.
   */
  renderer?: object;
  /**
   * Width of the picture in pixels, or less: the picture must not be narrower. Default: that of the renderer; without
   * one, twice the width of the depth buffer. If you give only one side, the other follows from the aspect.
   */
  width?: number;
  /** Height of the picture in pixels, or less. */
  height?: number;
  /**
   * Samples per pixel, at most 64. Default: those of the renderer; without one, 1. With several, nothing is hidden
   * unless a probe has shown that the `renderer` computes depth at the position of each sample.
   */
  samples?: number;
}

/** Options of a question, with defaults; 0 for a size that is not known. */
export interface AskedCull {
  /** Null without occlusion. */
  readonly sizes: Required<OcclusionOptions> | null;
  /** Null where nothing is too small or too far away. */
  readonly limits: Required<DrawLimits> | null;
  readonly renderer: object | null;
  readonly width: number;
  readonly height: number;
  /** Null for those of the renderer. */
  readonly samples: number | null;
}

const OCCLUSION: Required<OcclusionOptions> = { width: 320, maxOccluders: 64, maxTriangles: 4096 };
const SIZES: Ranges = {
  width: { min: 32, max: 4096, whole: true },
  maxOccluders: { min: 1, max: 2 ** 16, whole: true },
  maxTriangles: { min: 12, max: 2 ** 24, whole: true },
};
const OWN = { width: 0, height: 0, samples: -1, ...NO_LIMITS };
const PIXELS = { min: 1, max: 2 ** 24 };
const RANGES: Ranges = { ...LIMIT_RANGES, width: PIXELS, height: PIXELS, samples: { min: 0, max: 64, whole: true } };

/** The sizes that an option `occlusion` asks for; null for false. */
export function readOcclusion(occlusion: boolean | OcclusionOptions, where: string): Required<OcclusionOptions> | null {
  const given = typeof occlusion === 'boolean' ? {} : occlusion;
  const sizes = readOptions(given, OCCLUSION, `${where}.occlusion`, SIZES);
  return occlusion === false ? null : sizes;
}

/**
 * Reads options: own properties only, each of them once.
 * @param options Or the list that is to be filled.
 * @returns null where everything in view is asked for.
 * @throws TypeError or RangeError for an unknown name, or an illegal type or value.
 */
export function readCullOptions(options: CullOptions | unknown[], where: string): AskedCull | null {
  if (Array.isArray(options)) return null;
  // Something else that cannot be filled.
  if (!isPlainObject(options)) checkList(options, where);
  // In one go: the rest object inherits from Object.prototype, which may be polluted.
  const {
    occlusion = false,
    renderer = null,
    width,
    height,
    samples,
    minPixels,
    maxDistance,
    ...unknown
  } = ownOptions(options, `${where}: options must be`);
  refuseOthers(unknown, ['occlusion', 'renderer', ...Object.keys(OWN)], where);
  const own = readOptions({ width, height, samples, minPixels, maxDistance }, OWN, where, RANGES);
  if (renderer !== null && typeof (renderer as { render?: unknown }).render !== 'function') {
    throw new TypeError(`${where}.renderer: must be a renderer, got ${inWords(renderer)}`);
  }
  const sizes = readOcclusion(occlusion, where);
  if (own.minPixels > 0 && renderer === null && own.width === 0 && own.height === 0) {
    throw new TypeError(`${where}.minPixels: needs a renderer, or the height or width of the picture`);
  }
  const hasLimits = isLimit(own);
  if (sizes === null && !hasLimits) return null;
  return { ...own, sizes, limits: hasLimits ? own : null, renderer, samples: own.samples < 0 ? null : own.samples };
}

/** What leaves out of the answer what the options say; null until the code for that has loaded. */
export function leaveOutFor(parts: SceneParts, camera: Camera, asked: AskedCull): LeaveOut | null {
  const { sizes, limits } = asked;
  const occlusion = sizes === null ? null : parts.wantOcclusion();
  const limited = limits === null ? null : parts.wantLimits();
  if (occlusion === null && limited === null) return null;
  const { neverCulled } = parts.follower.traits;
  return (views, seen) => {
    const view = limited && limits && limited.forQuestion(camera, limits, asked);
    view?.leaveOut(seen, neverCulled);
    if (occlusion !== null && sizes !== null) {
      occlusion.cullAsked(camera, views, { ...asked, sizes }, seen, neverCulled, view);
    }
  };
}

function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
