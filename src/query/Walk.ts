import { Tree } from '../core/storage/Tree.js';
import type { Counters } from './Counters.js';
import type { KernelWalks } from './KernelWalks.js';
import { makeKernelWalks } from './kernelLoader.js';

/**
 * What walks over a tree share: a stack, counters, and the kernel that does the same faster. No user code runs during a
 * walk, so a walk of an index ends before the next one begins.
 */
export class Walk implements Counters {
  // Two integers for each level on the way down. Structures keep every row within MAX_HEIGHT steps of the root.
  readonly stack: Int32Array = new Int32Array(2 * (Tree.MAX_HEIGHT + 1));
  nodesVisited = 0;
  itemsTested = 0;
  #kernel: KernelWalks | null = null;

  /** Walks by a kernel, or null while they are not loaded. */
  get kernel(): KernelWalks | null {
    this.#kernel ??= makeKernelWalks();
    return this.#kernel;
  }
}
