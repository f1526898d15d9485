import type { Counters } from '../Counters.js';
import { makePackedKernel } from './kernelLoader.js';
import type { PackedKernel } from './PackedKernel.js';

/** What walks over rows share: counters, and the kernel that does the same faster. */
export class PackedWalk implements Counters {
  nodesVisited = 0;
  itemsTested = 0;
  #testedBefore = 0;
  #kernel: PackedKernel | null = null;

  /** Items tested so far by all queries, and joins. */
  get tested(): number {
    return this.#testedBefore + this.itemsTested;
  }

  /** To be called at the start of each query. */
  begin(): void {
    this.#testedBefore += this.itemsTested;
    this.nodesVisited = this.itemsTested = 0;
  }

  /** Null while kernels are not loaded. */
  get kernel(): PackedKernel | null {
    this.#kernel ??= makePackedKernel();
    return this.#kernel;
  }
}
