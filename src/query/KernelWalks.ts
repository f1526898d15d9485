import type { Hits } from '../core/lists/Hits.js';
import type { IdList } from '../core/lists/IdList.js';
import type { Ray } from '../core/shapes/Ray.js';
import type { Volume } from '../core/shapes/Volume.js';
import type { Tree } from '../core/storage/Tree.js';
import type { Counters } from './Counters.js';

/** Walks over a tree by a compiled kernel. Each returns false when that is not possible, now or at all. */
export interface KernelWalks {
  /** Bytes held besides the arrays of the tree. */
  readonly bytes: number;
  /** See `overlap`. */
  overlap(tree: Tree, volume: Volume, counters: Counters, out: IdList, inside: IdList): boolean;
  /** See `raycast`. */
  raycast(tree: Tree, ray: Ray, counters: Counters, out: Hits): boolean;
  /** See `nearest`, for a ray and a count of one. */
  raycastFirst(tree: Tree, ray: Ray, counters: Counters, out: Hits): boolean;
  /** Returns the kernel when the tree has become too small for it. */
  release(tree: Tree): void;
}
