type Flat = Int32Array | Float64Array | Uint8Array | Uint32Array;

/** A copy of `array` with room for at least `length` elements; the capacity at least doubles, so growing is amortised. */
export function grow<T extends Flat>(array: T, length: number): T {
  return resize(array, Math.max(length, 2 * array.length));
}

/** A copy of `array` of exactly `length` elements, cut or filled up with zeros. */
export function resize<T extends Flat>(array: T, length: number): T {
  if (length <= array.length) return array.slice(0, length) as T;
  const Kind = array.constructor as new (length: number) => T;
  const larger = new Kind(length);
  larger.set(array);
  return larger;
}
