import { inWords } from './inWords.js';
import { ownOptions } from './ownOptions.js';

type Options = { [name: string]: number | boolean };

/** Smallest and largest legal value of each numeric option, and whether it counts something. */
export interface Ranges {
  readonly [name: string]: { min: number; max: number; whole?: boolean };
}

/**
 * Returns the options, with defaults for those absent or undefined; throws for an illegal name, type or value.
 * @param ranges Those of all numeric options.
 */
export function readOptions<T extends object>(given: object, defaults: T, where: string, ranges: Ranges = NONE): T {
  const own = ownOptions(given, `${where}: options are`) as Options;
  const all = { ...defaults } as Options;
  for (const name of Object.keys(own)) {
    if (!Object.hasOwn(defaults, name)) {
      throw new RangeError(`${where}.${inWords(name)}: no such option; there are ${Object.keys(defaults).join(', ')}`);
    }
    const value = own[name];
    if (value === undefined) continue;
    if (kindOf(value) !== kindOf(all[name])) {
      throw new TypeError(`${where}.${name}: must be ${kindOf(all[name])}, got ${inWords(value)}`);
    }
    if (typeof value === 'number') checkRange(value, ranges[name], `${where}.${name}`);
    all[name] = value;
  }
  return all as T;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function checkRange(value: number, { min, max, whole }: Ranges[string], where: string): void {
  if (!(value >= min && value <= max) || (whole && !Number.isInteger(value))) {
    throw new RangeError(`${where}: must be ${whole ? 'a whole number ' : ''}from ${min} to ${max}, got ${value}`);
  }
}

const NONE: Ranges = {};
