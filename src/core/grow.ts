/**
 * A copy of `array` with room for at least `length` elements; the capacity at least doubles, so growing is amortised.
 */
export function grow<T extends Int32Array | Float64Array | Float32Array | Uint8Array>(array: T, length: number): T {
  const Kind = array.constructor as new (length: number) => T;
  const larger = new Kind(Math.max(length, 2 * array.length));
  larger.set(array);
  return larger;
}
