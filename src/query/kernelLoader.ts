import type { KernelWalks } from './KernelWalks.js';

let make: (() => KernelWalks) | null = null;
let isRequested = false;

/** Names what makes walks by kernels. */
export function bringKernelWalks(maker: () => KernelWalks): void {
  make = maker;
}

/**
 * Walks by a kernel, or null while there are none: the first call has them loaded, from a chunk of their own, so that they
 * are no part of what a page needs to begin. Where nothing can be loaded, there are none.
 */
export function makeKernelWalks(): KernelWalks | null {
  if (make !== null) return make();
  if (isRequested) return null;
  isRequested = true;
  import('./SimdWalks.js').then(
    ({ SimdWalks }) => bringKernelWalks(() => new SimdWalks()),
    () => {},
  );
  return null;
}
