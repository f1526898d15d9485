import { ownOptions, type Ranges, readOptions, refuseOthers } from '../core/options.js';
import { checkList } from './objects/checks.js';

/** Which small and distant objects are not drawn, for `accelerate` and `SceneIndex.cull`. */
export interface DrawLimits {
  /**
   * Objects smaller than this on the screen are not drawn. In pixels of the render target, a number from 0. Default 0,
   * which draws all.
   *
   * The size is the diameter of the sphere around the world bounds, at its distance from the camera, wherever the camera
   * looks. Points and sprites, whose size may not depend on the distance, are drawn at any size. Instances count as one.
   */
  minPixels?: number;
  /**
   * Objects farther than this from the camera are not drawn. In world units, a number from 0, to the nearest point of
   * the world bounds; for a camera without perspective along its view direction. Default Infinity.
   */
  maxDistance?: number;
}

export const NO_LIMITS: Required<DrawLimits> = { minPixels: 0, maxDistance: Number.POSITIVE_INFINITY };
const FROM_0 = { min: 0, max: Number.POSITIVE_INFINITY };
export const LIMIT_RANGES: Ranges = { minPixels: FROM_0, maxDistance: FROM_0 };

/** True when something may be left out. */
export function isLimit({ minPixels, maxDistance }: Required<DrawLimits>): boolean {
  return minPixels > 0 || maxDistance < Number.POSITIVE_INFINITY;
}

/** Options of `SceneIndex.cull`. */
export interface CullOptions extends DrawLimits {
  /** Height of the picture in pixels, which `minPixels` needs. */
  height?: number;
}

const CULL_DEFAULTS: Required<CullOptions> = { height: 0, ...NO_LIMITS };
const CULL_RANGES: Ranges = { ...LIMIT_RANGES, height: { min: 1, max: 2 ** 24 } };

/**
 * Reads options: own properties only, each of them once.
 * @param options Or the list that is to be filled.
 * @returns null where everything in view is asked for.
 * @throws TypeError or RangeError for an unknown name, or an illegal type or value.
 */
export function readCullOptions(options: CullOptions | unknown[], where: string): Required<CullOptions> | null {
  if (Array.isArray(options)) return null;
  // Something else that cannot be filled.
  if (!isPlainObject(options)) checkList(options, where);
  // In one go: the rest object inherits from Object.prototype, which may be polluted.
  const { minPixels, maxDistance, height, ...unknown } = ownOptions(options, `${where}: options must be`);
  refuseOthers(unknown, Object.keys(CULL_DEFAULTS), where);
  const own = readOptions({ minPixels, maxDistance, height }, CULL_DEFAULTS, where, CULL_RANGES);
  if (own.minPixels > 0 && own.height === 0) {
    throw new TypeError(`${where}.minPixels: needs the height of the picture in pixels, as the option "height"`);
  }
  return isLimit(own) ? own : null;
}

function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
