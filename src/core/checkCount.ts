import { inWords } from './inWords.js';

/** How many are wanted. @throws TypeError or RangeError unless it is a whole number from 1, or Infinity. */
export function checkCount(count: number, where: string): void {
  if (typeof count !== 'number') throw new TypeError(`${where}: the count must be a number, got ${inWords(count)}`);
  if (!(count >= 1) || !(Number.isInteger(count) || count === Number.POSITIVE_INFINITY)) {
    throw new RangeError(`${where}: the count must be a whole number from 1, got ${count}`);
  }
}
