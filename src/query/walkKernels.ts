import { compileKernel } from '../wasm/simd.js';
import { walksKernel } from '../wasm/walksKernel.js';

/** Exports of a compiled kernel, see wasm/assembly/walks.ts. Each kernel has a memory of its own. */
export interface WalkKernel {
  memory: WebAssembly.Memory;
  overlap(kind: number, all: number, split: boolean): number;
  raycast(): number;
  raycastFirst(): number;
}

/**
 * Most kernels that exist at once. Engines reserve much address space for each memory: a page has room for some dozens,
 * and when it asks for more, its whole heap is searched for one to free.
 */
const MOST = 24;
/** Most idle kernels kept for later trees, and the largest memory that is kept with one. */
const MOST_IDLE = 4;
const MOST_IDLE_BYTES = 2 ** 22;

/** Compiled when the first kernel is wanted; null if that fails. */
let module: WebAssembly.Module | null | undefined;
const idle: WalkKernel[] = [];
let alive = 0;
/** True after a memory could not be allocated, until a kernel is garbage-collected. */
let isExhausted = false;
const collected = new FinalizationRegistry<null>(() => {
  alive--;
  isExhausted = false;
});

/** True when `takeKernel` may return a kernel. */
export function isKernelFree(): boolean {
  return module !== null && (idle.length > 0 || (alive < MOST && !isExhausted));
}

/** A kernel for one tree; null when none is available, now or ever. */
export function takeKernel(): WalkKernel | null {
  if (!isKernelFree()) return null;
  module ??= compileKernel(walksKernel);
  if (module === null) return null;
  const kept = idle.pop();
  if (kept !== undefined) return kept;
  try {
    const kernel = new WebAssembly.Instance(module).exports as unknown as WalkKernel;
    alive++;
    collected.register(kernel, null);
    return kernel;
  } catch {
    isExhausted = true;
    return null;
  }
}

/** Takes back a kernel whose memory is no longer used. */
export function returnKernel(kernel: WalkKernel): void {
  if (idle.length < MOST_IDLE && kernel.memory.buffer.byteLength <= MOST_IDLE_BYTES) idle.push(kernel);
}
