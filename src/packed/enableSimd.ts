import { inWords } from '../core/options.js';
import { allowSimd } from '../wasm/KernelPool.js';
import { bringKernels } from './PackedQueryState.js';
import { SimdPacked } from './SimdPacked.js';

/**
 * Lets queries of `Packed`, and pairs of all structures, run in WebAssembly SIMD where it is available, which is the
 * default, or in plain JavaScript only. Answers are the same, but SIMD is faster. The kernels of `Packed`, 8 kB, are
 * loaded when the first query runs, and JavaScript answers until they are there; a call of this function makes them
 * available at once.
 * @returns whether SIMD was allowed before.
 */
export function enableSimd(enable = true): boolean {
  if (typeof enable !== 'boolean') throw new TypeError(`enableSimd: must be a boolean, got ${inWords(enable)}`);
  bringKernels({ SimdPacked });
  return allowSimd(enable);
}
