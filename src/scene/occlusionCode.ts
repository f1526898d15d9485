import { Lazy } from '../core/Lazy.js';

/** Lazy because few pages use it, and because it imports the texts of three's shaders. */
export const occlusionCode: Lazy<typeof import('../occlusion/scene/SceneOcclusion.js')> = /* @__PURE__ */ new Lazy(
  () => import('../occlusion/scene/SceneOcclusion.js'),
);

/** What leaves out small and distant objects. */
export const limitsCode: Lazy<typeof import('./ask/SceneLimits.js')> = /* @__PURE__ */ new Lazy(
  () => import('./ask/SceneLimits.js'),
);

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
  await Promise.all([occlusionCode.load(), limitsCode.load()]);
  const failure = occlusionCode.failure ?? limitsCode.failure;
  if (failure !== null) throw failure;
}
