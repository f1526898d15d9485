import type { Counters } from '../Counters.js';
import { makePackedKernel } from './kernelLoader.js';
import type { PackedKernel } from './PackedKernel.js';

/** What walks over rows share: counters, and the kernel that does the same faster. */
export class PackedWalk implements Counters {
  nodesVisited = 0;
  itemsTested = 0;
  #kernel: PackedKernel | null = null;

  /** Null while kernels are not loaded. */
  get kernel(): PackedKernel | null {
    this.#kernel ??= makePackedKernel();
    return this.#kernel;
  }
}
