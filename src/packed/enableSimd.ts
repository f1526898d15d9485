import { inWords } from '../core/options.js';
import { allowSimd } from '../wasm/KernelPool.js';
import { bringKernels } from './PackedQueryState.js';
import { SimdPacked } from './SimdPacked.js';

/**
 * Allows or forbids WebAssembly SIMD for queries of `Packed` and for pairs of all structures. It is allowed by default,
 * and faster; answers are the same. The kernels of `Packed` (9 kB) load with the first query, and JavaScript answers
 * until then; a call of this function makes them available immediately.
 * @returns whether SIMD was allowed before.
 */
export function enableSimd(enable = true): boolean {
  if (typeof enable !== 'boolean') throw new TypeError(`enableSimd: must be a boolean, got ${inWords(enable)}`);
  bringKernels({ SimdPacked });
  return allowSimd(enable);
}
