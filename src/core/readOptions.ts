import { inWords } from './inWords.js';

type Options = { [name: string]: number | boolean };

/** Smallest and largest legal value of each numeric option, and whether it counts something. */
export interface Ranges {
  readonly [name: string]: { min: number; max: number; whole: boolean };
}

const RANGES: Ranges = {
  capacity: { min: 1, max: 2 ** 20, whole: true },
  maxDepth: { min: 1, max: 64, whole: true },
  minCellSize: { min: 0, max: Number.MAX_VALUE, whole: false },
  looseness: { min: 1, max: 8, whole: false },
  cellSize: { min: 0, max: 2 ** 300, whole: false },
  margin: { min: 0, max: 2 ** 300, whole: false },
  hysteresis: { min: 0, max: 0.99, whole: false },
};

/** Returns the options, with defaults for those absent or undefined; throws for an illegal name, type or value. */
export function readOptions<T extends object>(given: object, defaults: T, where: string, ranges: Ranges = RANGES): T {
  if (given === null || typeof given !== 'object')
    throw new TypeError(`${where}: options are an object, got ${inWords(given)}`);
  const all = { ...defaults } as Options;
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(defaults, name)) {
      throw new RangeError(`${where}.${inWords(name)}: no such option; there are ${Object.keys(defaults).join(', ')}`);
    }
    const value = (given as Options)[name];
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
