import { lazy } from '../core/lazy.js';

/** The code that draws transparent meshes in batches, a chunk of its own. */
export const transparentCode: () => typeof import('./transparentRuns.js') | null = lazy(
  () => import('./transparentRuns.js'),
);
