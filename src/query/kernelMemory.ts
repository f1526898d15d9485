const PAGE = 65536;
/** Addresses are kept as signed integers. */
const MOST_BYTES = 2 ** 31 - PAGE;

/** Bytes, rounded up to where SIMD numbers may begin. */
export function aligned(bytes: number): number {
  return 16 * Math.ceil(bytes / 16);
}

/** Makes a memory that large; false when it cannot be. All views of it are detached. */
export function enlarge(memory: WebAssembly.Memory, bytes: number): boolean {
  if (bytes > MOST_BYTES) return false;
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
  try {
    if (missing > 0) memory.grow(missing);
    return true;
  } catch {
    // No memory to be had for it.
    return false;
  }
}
