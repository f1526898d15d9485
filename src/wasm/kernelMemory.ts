const PAGE = 65536;
/** Addresses are kept as signed integers. */
const MOST_BYTES = 2 ** 31 - PAGE;

/** Rounds bytes up to the alignment of SIMD numbers. */
export function aligned(bytes: number): number {
  return 16 * Math.ceil(bytes / 16);
}

/** Grows a memory to this size; false if it cannot be had. All views of it are detached. */
export function enlarge(memory: WebAssembly.Memory, bytes: number): boolean {
  if (bytes > MOST_BYTES) return false;
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
  try {
    if (missing > 0) memory.grow(missing);
    return true;
  } catch {
    // Out of memory.
    return false;
  }
}
