import { lazy } from '../core/lazy.js';

type OcclusionCode = typeof import('../occlusion/scene/SceneOcclusion.js');

let loading: Promise<OcclusionCode> | null = null;

function load(): Promise<OcclusionCode> {
  loading ??= import('../occlusion/scene/SceneOcclusion.js');
  return loading;
}

/** Lazy because few pages use it, and because it imports the texts of three's shaders. */
export const occlusionCode: () => OcclusionCode | null = lazy(load);

/**
 * Loads the code of occlusion culling, which is otherwise loaded on demand.
 *
 * Once the promise is fulfilled, the next `cull` with `occlusion` and the next frame with `accelerate` use it. Until then
 * nothing in the frustum is left out. The promise is rejected if the code cannot be loaded.
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
  await load();
}
