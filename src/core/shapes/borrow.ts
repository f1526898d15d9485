/** Arrays that nobody uses, by their length. */
const idle: Float64Array[][] = [];

/**
 * An array for numbers that are read from a caller. Reading may run getters, which may read something themselves: so each
 * reader has an array of its own until it is done. One that is never given back is lost to the pool, no more.
 */
export function borrow(length: number): Float64Array {
  idle[length] ??= [];
  return idle[length].pop() ?? new Float64Array(length);
}

export function giveBack(array: Float64Array): void {
  idle[array.length].push(array);
}
