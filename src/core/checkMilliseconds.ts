import { inWords } from './inWords.js';

/**
 * Throws a TypeError or RangeError unless a value is a time in milliseconds, Infinity included. `what` begins the
 * message.
 */
export function checkMilliseconds(value: number, what: string): void {
  if (typeof value !== 'number') throw new TypeError(`${what} must be a number, got ${inWords(value)}`);
  if (!(value >= 0)) throw new RangeError(`${what} must be 0 or more, got ${value}`);
}
