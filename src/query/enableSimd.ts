import { inWords } from '../core/inWords.js';
import { allowSimd } from '../wasm/simd.js';
import { bringKernelWalks } from './KernelWalks.js';
import { SimdWalks } from './SimdWalks.js';

/**
 * Has queries run as WebAssembly SIMD where there is any, or in plain JavaScript. Answers are the same, found faster by
 * SIMD. Before the first call pairs are found by SIMD and other queries are answered in JavaScript: the kernels of the
 * latter, 5 kB, come along with this function, or with a `SceneIndex`.
 * @returns whether SIMD was allowed before.
 */
export function enableSimd(enable = true): boolean {
  if (typeof enable !== 'boolean') throw new TypeError(`enableSimd: must be a boolean, got ${inWords(enable)}`);
  bringSimdWalks();
  return allowSimd(enable);
}

/** Makes the kernels of queries available, without a change of what is allowed. */
export function bringSimdWalks(): void {
  bringKernelWalks(() => new SimdWalks());
}
