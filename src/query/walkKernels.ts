import { compileKernel } from '../wasm/simd.js';
import { walksKernel } from '../wasm/walksKernel.js';

/** What a compiled kernel has, see wasm/assembly/walks.ts. Each has a memory of its own. */
export interface WalkKernel {
  memory: WebAssembly.Memory;
  overlap(kind: number, all: number, split: boolean): number;
  raycast(): number;
  raycastFirst(): number;
}

/**
 * Kernels that there may be at once. Engines set much address space aside for each memory: a page has room for some dozens,
 * and searches all of its heap for one to free when asked for more.
 */
const MOST = 24;
/** Kernels kept for the next tree, and the largest memory that is kept with them. */
const MOST_IDLE = 4;
const MOST_IDLE_BYTES = 2 ** 22;

/** Compiled when the first is asked for. */
let module: WebAssembly.Module | null | undefined;
const idle: WalkKernel[] = [];
let alive = 0;
/** True since there was no memory to be had, until some is freed. */
let isExhausted = false;
const collected = new FinalizationRegistry<null>(() => {
  alive--;
  isExhausted = false;
});

/** True when there may be a kernel to be had. */
export function isKernelFree(): boolean {
  return module !== null && (idle.length > 0 || (alive < MOST && !isExhausted));
}

/** A kernel for one tree; null when there is none to be had, now or at all. */
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

/** Takes back a kernel in whose memory nothing lies any more. */
export function returnKernel(kernel: WalkKernel): void {
  if (idle.length < MOST_IDLE && kernel.memory.buffer.byteLength <= MOST_IDLE_BYTES) idle.push(kernel);
}
