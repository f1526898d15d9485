import { warnOfChunk } from '../../core/warnOfChunk.js';
import type { PackedKernel } from './PackedKernel.js';

let make: (() => PackedKernel) | null = null;
let isRequested = false;

/** Registers the function that creates kernels. */
export function bringPackedKernel(maker: () => PackedKernel): void {
  make = maker;
}

/**
 * Creates a kernel, or returns null while that code is not loaded. The first call starts to load it, from a chunk of its
 * own, so that a page can start without it. If it cannot be loaded, a warning says so and the result stays null.
 */
export function makePackedKernel(): PackedKernel | null {
  if (make !== null) return make();
  if (isRequested) return null;
  isRequested = true;
  import('./SimdPacked.js').then(({ SimdPacked }) => bringPackedKernel(() => new SimdPacked()), warnOfChunk);
  return null;
}
