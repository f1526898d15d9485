import { inWords, isArrayLike } from '../options.js';

/** A point: three numbers in an array, or an object such as three's `Vector3`. */
export type PointLike = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number };

/** A point on the ground: x and z in an array or an object. */
export type GroundPointLike = ArrayLike<number> | { readonly x: number; readonly z: number };

/** Arrays not in use, by their length. */
const idle: Float64Array[][] = [];

/**
 * An array for numbers read from a caller. Reading may run getters, which may start another read, so each read has an
 * array of its own. An array that is never given back, as after an error, is garbage-collected.
 */
export function borrow(length: number): Float64Array {
  idle[length] ??= [];
  return idle[length].pop() ?? new Float64Array(length);
}

/** Gives an array back in exchange for a borrowed one, and returns the borrowed one. */
export function exchange(kept: Float64Array, borrowed: Float64Array): Float64Array {
  idle[kept.length].push(kept);
  return borrowed;
}

/** Copies a caller's point, x y z or with a count of 2 x z, to a borrowed array; throws unless all are finite. */
export function readPoint(point: PointLike | GroundPointLike, count: 2 | 3, where: string, name: string): Float64Array {
  const out = borrow(count);
  // An array has a number as `length`, a `Vector3` a method.
  if (point === null || typeof point !== 'object' || typeof (point as ArrayLike<number>).length === 'number') {
    readVector(point as ArrayLike<number>, out, where, name);
    return out;
  }
  const { x, z } = point as { x: unknown; z: unknown };
  const y = count > 2 ? (point as { y: unknown }).y : 0;
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') {
    throw new TypeError(`${where}.${name}: must be ${count} numbers, got ${inWords(point)}`);
  }
  out[1] = y;
  out[0] = x;
  out[count - 1] = z;
  checkFinite(out, where, name);
  return out;
}

/** Copies a caller's vector, as many finite numbers as `out` has elements, or throws. */
export function readVector(v: ArrayLike<number>, out: Float64Array, where: string, name: string): void {
  const count = out.length;
  if (!isArrayLike(v)) {
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

export function checkFinite(numbers: Float64Array | readonly number[], where: string, name: string): void {
  for (let i = 0; i < numbers.length; i++) {
    if (!Number.isFinite(numbers[i]))
      throw new RangeError(`${where}.${name}: must be finite, got ${numbers.join(' ')}`);
  }
}

/** Checks a point and a distance from it: `point` and `name` are their names in messages. */
export function checkReach(
  x: number,
  y: number,
  z: number,
  reach: number,
  where: string,
  point: string,
  name: string,
): void {
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number' || typeof reach !== 'number') {
    throw new TypeError(
      `${where}: ${point} and ${name} must be numbers, got ${[x, y, z, reach].map(inWords).join(' ')}`,
    );
  }
  if (!Number.isFinite(x) || !Number.isFinite(y) || !Number.isFinite(z)) {
    throw new RangeError(`${where}: the ${point} must be finite, got ${x} ${y} ${z}`);
  }
  if (!(reach >= 0)) throw new RangeError(`${where}: the ${name} must not be negative, got ${reach}`);
}
