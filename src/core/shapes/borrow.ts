/** Arrays not in use, by their length. */
const idle: Float64Array[][] = [];

/**
 * An array for numbers that are read from a caller. Reading may run getters, which may start to read something else: so
 * each reader has an array of its own until it is done. An array that is never given back, as after an error, is
 * garbage-collected.
 */
export function borrow(length: number): Float64Array {
  idle[length] ??= [];
  return idle[length].pop() ?? new Float64Array(length);
}

export function giveBack(array: Float64Array): void {
  idle[array.length].push(array);
}
