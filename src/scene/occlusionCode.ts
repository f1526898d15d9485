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
 * Loads the code of occlusion culling.
 *
 * It is loaded on demand otherwise, and until then everything in the frustum is drawn. Once the promise is fulfilled,
 * the next picture, and the next `cull` with `occlusion`, use it.
 * @returns a promise that is rejected when the code cannot be loaded.
 * @example
 * ```ts
 * import { loadOcclusion } from 'three-scene-index';
 *
 * await loadOcclusion();
 * const seen = index.cull(camera, { occlusion: true, renderer });
 * ```
 */
export async function loadOcclusion(): Promise<void> {
  // Asked first, so that the code is at hand before whoever waits goes on.
  occlusionCode();
  await load();
}
