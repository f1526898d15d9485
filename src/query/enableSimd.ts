import { inWords } from '../core/inWords.js';
import { allowSimd } from '../wasm/simd.js';
import { bringKernelWalks } from './kernelLoader.js';
import { SimdWalks } from './SimdWalks.js';

/**
 * Has queries run as WebAssembly SIMD where there is any, as by default, or in plain JavaScript. Answers are the same, found
 * faster by SIMD. The kernels of queries, 5 kB, load by themselves with the first query, and what is asked until they are
 * there is answered in JavaScript; with this function they come along at once.
 * @returns whether SIMD was allowed before.
 */
export function enableSimd(enable = true): boolean {
  if (typeof enable !== 'boolean') throw new TypeError(`enableSimd: must be a boolean, got ${inWords(enable)}`);
  bringKernelWalks(() => new SimdWalks());
  return allowSimd(enable);
}
