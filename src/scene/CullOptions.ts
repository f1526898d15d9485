import { ownOptions, type Ranges, readOptions, refuseOthers } from '../core/options.js';
import { type DrawLimits, isLimit, LIMIT_RANGES, NO_LIMITS } from './DrawLimits.js';
import { checkList } from './objects/checks.js';

/** Options of `SceneIndex.cull`. */
export interface CullOptions extends DrawLimits {
  /** Height of the picture in pixels, which `minPixels` needs. */
  height?: number;
}

const DEFAULTS: Required<CullOptions> = { height: 0, ...NO_LIMITS };
const RANGES: Ranges = { ...LIMIT_RANGES, height: { min: 1, max: 2 ** 24 } };

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
  refuseOthers(unknown, Object.keys(DEFAULTS), where);
  const own = readOptions({ minPixels, maxDistance, height }, DEFAULTS, where, RANGES);
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
