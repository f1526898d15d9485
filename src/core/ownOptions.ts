import { inWords } from './inWords.js';

/**
 * A copy of the options that a caller gave, read once. It has no prototype: what somebody put on `Object.prototype` is no
 * option.
 * @param what How the error begins that says "an object".
 * @throws TypeError for what is no object.
 */
export function ownOptions<T extends object>(given: T, what: string): T {
  if (given === null || typeof given !== 'object') {
    throw new TypeError(`${what} an object, got ${inWords(given)}`);
  }
  return { __proto__: null, ...given };
}

/** @throws RangeError when there are options beyond those in `names`, a list in words. */
export function refuseOthers(others: object, where: string, names: string): void {
  for (const name of Object.keys(others)) {
    throw new RangeError(`${where}.${inWords(name)}: no such option; there ${names}`);
  }
}
