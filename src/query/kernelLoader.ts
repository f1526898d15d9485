import type { KernelWalks } from './KernelWalks.js';

let make: (() => KernelWalks) | null = null;
let isRequested = false;

/** Registers the function that creates walks by kernels. */
export function bringKernelWalks(maker: () => KernelWalks): void {
  make = maker;
}

/**
 * Creates walks by a kernel, or returns null while that code is not loaded. The first call starts to load it, from a
 * chunk of its own, so that a page can start without it. If it cannot be loaded, the result stays null.
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
