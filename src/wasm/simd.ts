let allowed = true;

/** Forbids or allows SIMD; returns whether it was allowed before. */
export function allowSimd(allow: boolean): boolean {
  const before = allowed;
  allowed = allow;
  return before;
}

/** True unless SIMD was forbidden. */
export function isSimdAllowed(): boolean {
  return allowed;
}

/**
 * Compiles a kernel from hexadecimal text; null for an engine without SIMD, or a page whose policy forbids WebAssembly.
 */
export function compileKernel(hex: string): WebAssembly.Module | null {
  try {
    return new WebAssembly.Module(Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)));
  } catch {
    return null;
  }
}
