import { isSimdAllowed } from '../wasm/KernelPool.js';
import type { OcclusionBuffer } from './OcclusionBuffer.js';
import { PlainOcclusion } from './PlainOcclusion.js';
import { SimdOcclusion } from './SimdOcclusion.js';

/** A buffer of so many pixels; the width is a multiple of 8. */
export function createOcclusionBuffer(width: number, height: number): OcclusionBuffer {
  return (isSimdAllowed() ? SimdOcclusion.create(width, height) : null) ?? new PlainOcclusion(width, height);
}
