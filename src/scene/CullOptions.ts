import { inWords, ownOptions, type Ranges, readOptions, refuseOthers } from '../core/options.js';
import { checkList } from './objects/checks.js';

/**
 * Options of occlusion culling, `AccelerateOptions.occlusion` and {@link CullOptions.occlusion}.
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
 * import { type CullOptions, loadOcclusion } from 'three-scene-index';
 *
 * const options: CullOptions = { occlusion: true, renderer };
 * await loadOcclusion();
 * const seen = index.cull(camera, options);
 * ```
 */
export interface CullOptions {
  /**
   * Leaves out what lies behind large opaque meshes. Default false. By the same rules as in `accelerate`: those who draw
   * must draw all that is returned, with three's materials, matrices and depth tests as the objects have them.
   *
   * The code is loaded on demand: until it is there, everything in the frustum is returned. `await loadOcclusion()` waits
   * for it. Nothing is left out for an `ArrayCamera`.
   */
  occlusion?: boolean | OcclusionOptions;
  /**
   * The renderer that is going to draw, as it is set up now.
   *
   * Its render target decides about size, samples and depth, and its `clippingPlanes` cut. Needed for logarithmic depth,
   * 16 bits of depth, clipping planes of a renderer, several samples a pixel, and transmissive objects in view. Without
   * it the picture is assumed to have none of these, and nothing is hidden in the last two cases.
   */
  renderer?: object;
  /**
   * Size of the picture in pixels, or less. Default: that of the renderer; without one, 640 wide by the aspect of the camera.
   * Vertices are rounded to shares of a pixel, so the picture must not be smaller than this.
   */
  width?: number;
  /** See {@link width}. */
  height?: number;
  /** Samples a pixel; 0 or 1 for no multisampling. Default: those of the renderer, 0 without one. */
  samples?: number;
}

/** Options of a question with occlusion, with defaults; 0 for a size that is not known. */
export interface AskedOcclusion {
  readonly sizes: Required<OcclusionOptions>;
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
const OWN = { width: 0, height: 0, samples: -1 };
const PIXELS = { min: 1, max: 2 ** 24 };
const RANGES: Ranges = { width: PIXELS, height: PIXELS, samples: { min: 0, max: 64, whole: true } };

/** The sizes that an option `occlusion` asks for; null for false. */
export function readOcclusion(occlusion: boolean | OcclusionOptions, where: string): Required<OcclusionOptions> | null {
  const given = typeof occlusion === 'boolean' ? {} : occlusion;
  const sizes = readOptions(given, OCCLUSION, `${where}.occlusion`, SIZES);
  return occlusion === false ? null : sizes;
}

/**
 * Reads options: own properties only, each of them once.
 * @param options Or the list that is to be filled.
 * @returns null where occlusion is not asked for.
 * @throws TypeError or RangeError for an unknown name, or an illegal type or value.
 */
export function readCullOptions(options: CullOptions | unknown[], where: string): AskedOcclusion | null {
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
    ...unknown
  } = ownOptions(options, `${where}: options are`);
  refuseOthers(unknown, ['occlusion', 'renderer', ...Object.keys(OWN)], where);
  const own = readOptions({ width, height, samples }, OWN, where, RANGES);
  if (renderer !== null && typeof (renderer as { render?: unknown }).render !== 'function') {
    throw new TypeError(`${where}.renderer: must be a renderer, got ${inWords(renderer)}`);
  }
  const sizes = readOcclusion(occlusion, where);
  return sizes && { ...own, sizes, renderer, samples: own.samples < 0 ? null : own.samples };
}

function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
