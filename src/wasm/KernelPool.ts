export let isSimdAllowed = true;

/** Forbids or allows SIMD; returns whether it was allowed before. */
export function allowSimd(allow: boolean): boolean {
  const before = isSimdAllowed;
  isSimdAllowed = allow;
  return before;
}

/** Compiles a kernel from hexadecimal text; null without SIMD, or if the page's policy forbids WebAssembly. */
export function compileKernel(hex: string): WebAssembly.Module | null {
  try {
    return new WebAssembly.Module(bytesOf(hex));
  } catch {
    return null;
  }
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = 16 * digitAt(hex, 2 * i) + digitAt(hex, 2 * i + 1);
  return bytes;
}

function digitAt(hex: string, i: number): number {
  const code = hex.charCodeAt(i);
  return code > 57 ? code - 87 : code - 48;
}

/** A kernel of another module that answers queries of packed rows, in the memory of the rows' own kernel. */
export interface Guest {
  /** Bytes of that memory for the guest's own use. */
  readonly room: number;
  /**
   * Writes the ids of all found items to the room for results, in the order of their seats; returns their number.
   * Planes, rough planes and frame lie as for the kernel of packed rows.
   * @param at The address of the guest's room.
   * @param all The planes, as bits.
   * @param most The largest coordinate in rows.
   */
  overlap(memory: WebAssembly.Memory, at: number, all: number, most: number): number;
}

/**
 * Most kernels alive at a time. Engines reserve much address space for each memory: a page has room for some dozens,
 * and a request for more makes the engine search the whole heap for a memory to free.
 */
const MOST_MEMORIES = 24;
/** Most idle kernels kept for later use, and the largest memory kept with a kernel. */
const MOST_IDLE = 4;
const MOST_IDLE_BYTES = 2 ** 22;

/** Kernels, each to serve one index at a time. */
export class KernelPool<K extends { readonly memory: WebAssembly.Memory }> {
  /** The module, compiled when the first kernel is wanted; null if that fails. */
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

  /** Compiles the kernel beside the main thread, so that no query has to compile it. */
  async prepare(): Promise<void> {
    if (this.#module !== undefined) return;
    try {
      this.#module = await WebAssembly.compile(bytesOf(this.#text));
    } catch {
      this.#module = null;
    }
  }

  /** True when `take` may return a kernel. */
  isFree(): boolean {
    return this.#module !== null && (this.#idle.length > 0 || (this.#alive < MOST_MEMORIES && !this.#isExhausted));
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

const PAGE = 65536;
/** Addresses are kept as signed integers. */
const MOST_ADDRESS = 2 ** 31 - PAGE;

/** Rounds bytes up to the alignment of SIMD numbers. */
export function aligned(bytes: number): number {
  return 16 * Math.ceil(bytes / 16);
}

/** Grows a memory to at least `bytes`; false if that fails. Growing detaches all typed arrays on it. */
export function enlarge(memory: WebAssembly.Memory, bytes: number): boolean {
  if (bytes > MOST_ADDRESS) return false;
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
  try {
    if (missing > 0) memory.grow(missing);
    return true;
  } catch {
    // Out of memory.
    return false;
  }
}
