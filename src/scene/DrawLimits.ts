import type { Ranges } from '../core/options.js';

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
