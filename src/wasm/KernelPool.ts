import { compileKernel } from './simd.js';

/** A kernel has a memory of its own. */
export interface Kernel {
  memory: WebAssembly.Memory;
}

/**
 * Most kernels that exist at once. Engines reserve much address space for each memory: a page has room for some dozens,
 * and when it asks for more, its whole heap is searched for one to free.
 */
const MOST = 24;
/** Most idle kernels kept for later use, and the largest memory that is kept with one. */
const MOST_IDLE = 4;
const MOST_IDLE_BYTES = 2 ** 22;

/** Kernels, each to serve one index at a time. */
export class KernelPool<K extends Kernel> {
  /** Compiled when the first kernel is wanted; null if that fails. */
  #module: WebAssembly.Module | null | undefined;
  readonly #text: string;
  readonly #idle: K[] = [];
  #alive = 0;
  /** True after a memory could not be allocated, until a kernel is garbage-collected. */
  #isExhausted = false;
  readonly #collected = new FinalizationRegistry<null>(() => {
    this.#alive--;
    this.#isExhausted = false;
  });

  /** @param text The compiled kernel, in hexadecimal. */
  constructor(text: string) {
    this.#text = text;
  }

  /** True when `take` may return a kernel. */
  isFree(): boolean {
    return this.#module !== null && (this.#idle.length > 0 || (this.#alive < MOST && !this.#isExhausted));
  }

  /** A kernel; null when none is available, now or ever. */
  take(): K | null {
    if (!this.isFree()) return null;
    this.#module ??= compileKernel(this.#text);
    if (this.#module === null) return null;
    const kept = this.#idle.pop();
    if (kept !== undefined) return kept;
    try {
      const kernel = new WebAssembly.Instance(this.#module).exports as unknown as K;
      this.#alive++;
      this.#collected.register(kernel, null);
      return kernel;
    } catch {
      this.#isExhausted = true;
      return null;
    }
  }

  /** Takes back a kernel whose memory is no longer used. */
  giveBack(kernel: K): void {
    if (this.#idle.length < MOST_IDLE && kernel.memory.buffer.byteLength <= MOST_IDLE_BYTES) this.#idle.push(kernel);
  }
}
