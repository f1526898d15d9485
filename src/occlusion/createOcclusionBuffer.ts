import type { OcclusionBuffer } from './OcclusionBuffer.js';
import { PlainOcclusion } from './PlainOcclusion.js';

/** A buffer of so many pixels; the width is a multiple of 8. */
export function createOcclusionBuffer(width: number, height: number): OcclusionBuffer {
  return new PlainOcclusion(width, height);
}
