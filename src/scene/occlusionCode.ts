import { lazy } from '../core/lazy.js';

type LimitsCode = typeof import('./ask/SceneLimits.js');
type OcclusionCode = typeof import('../occlusion/scene/SceneOcclusion.js');

let loading: Promise<OcclusionCode> | null = null;
let loadingLimits: Promise<LimitsCode> | null = null;

function load(): Promise<OcclusionCode> {
  loading ??= import('../occlusion/scene/SceneOcclusion.js');
  return loading;
}

function loadLimits(): Promise<LimitsCode> {
  loadingLimits ??= import('./ask/SceneLimits.js');
  return loadingLimits;
}

/** Lazy because few pages use it, and because it imports the texts of three's shaders. */
export const occlusionCode: () => OcclusionCode | null = lazy(load);

/** What leaves out small and distant objects. */
export const limitsCode: () => LimitsCode | null = lazy(loadLimits);

/**
 * Loads the code of `occlusion`, `minPixels` and `maxDistance`, otherwise loaded on demand.
 *
 * Once the promise is fulfilled, the next `cull` and the next frame with `accelerate` use it. Until then nothing in the
 * frustum is left out. The promise is rejected if the code cannot be loaded.
 * @example
 * ```ts
 * import { loadOcclusion, SceneIndex } from 'three-scene-index';
 *
 * await loadOcclusion();
 * const notHidden = new SceneIndex(scene).cull(camera, { occlusion: true, renderer });
 * ```
 */
export async function loadOcclusion(): Promise<void> {
  // Asked first, so that the code is at hand before whoever waits goes on.
  occlusionCode();
  limitsCode();
  await Promise.all([load(), loadLimits()]);
}
