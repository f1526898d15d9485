import { inWords } from '../inWords.js';

/** Copies a caller's vector, as many finite numbers as `out` has places, or throws. */
export function readVector(v: ArrayLike<number>, out: Float64Array, where: string, name: string): void {
  const count = out.length;
  if (v === null || typeof v !== 'object' || typeof v.length !== 'number') {
    throw new TypeError(`${where}.${name}: must be ${count} numbers, got ${inWords(v)}`);
  }
  if (v.length !== count) throw new RangeError(`${where}.${name}: must be ${count} numbers, got ${inWords(v.length)}`);
  for (let i = 0; i < count; i++) {
    const value: unknown = v[i];
    if (typeof value !== 'number')
      throw new TypeError(`${where}.${name}: must be ${count} numbers, got ${inWords(value)}`);
    out[i] = value;
  }
  checkFinite(out, where, name);
}

export function checkFinite(numbers: Float64Array, where: string, name: string): void {
  for (let i = 0; i < numbers.length; i++) {
    if (!Number.isFinite(numbers[i]))
      throw new RangeError(`${where}.${name}: must be finite, got ${numbers.join(' ')}`);
  }
}
