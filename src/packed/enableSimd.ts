import { inWords } from '../core/options.js';
import { allowSimd } from '../wasm/KernelPool.js';
import { bringKernels } from './PackedQueryState.js';
import { SimdPacked } from './SimdPacked.js';

/**
 * Allows or forbids WebAssembly SIMD, which is allowed by default. It speeds up queries and edits of `Packed`, and
 * returns identical results.
 *
 * The kernels load with the first query; plain JavaScript answers until then. Calling this function makes them
 * available immediately.
 * @returns whether SIMD was allowed before.
 * @throws TypeError for anything but a boolean.
 * @example
 * ```ts
 * import { enableSimd } from 'three-scene-index/core';
 *
 * enableSimd(); // the first query already runs on SIMD
 * enableSimd(false); // plain JavaScript from now on
 * ```
 */
export function enableSimd(enable = true): boolean {
  if (typeof enable !== 'boolean') throw new TypeError(`enableSimd: must be a boolean, got ${inWords(enable)}`);
  bringKernels({ SimdPacked });
  return allowSimd(enable);
}
