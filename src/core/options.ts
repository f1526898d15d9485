/** Options of callers: their legal values, and descriptions of wrong values for error messages. */

type Options = { [name: string]: number | boolean };

/** Smallest and largest legal value of each numeric option, and whether it must be whole. */
export interface Ranges {
  readonly [name: string]: { min: number; max: number; whole?: boolean };
}

const NO_RANGES: Ranges = {};

/**
 * Returns the options, with defaults for absent or undefined options.
 * @param ranges Ranges of all numeric options.
 * @throws TypeError or RangeError for an unknown name, or an illegal type or value.
 */
export function readOptions<T extends object>(
  given: object,
  defaults: T,
  where: string,
  ranges: Ranges = NO_RANGES,
): T {
  const own = ownOptions(given, `${where}: options must be`) as Options;
  const all = { ...defaults } as Options;
  for (const name of Object.keys(own)) {
    if (!Object.hasOwn(defaults, name)) refuseName(name, Object.keys(defaults), where);
    const value = own[name];
    if (value === undefined) continue;
    if (typeInWords(value) !== typeInWords(all[name])) {
      throw new TypeError(`${where}.${name}: must be ${typeInWords(all[name])}, got ${inWords(value)}`);
    }
    if (typeof value === 'number') checkRange(value, ranges[name], `${where}.${name}`);
    all[name] = value;
  }
  return all as T;
}

/**
 * Copies a caller's options, reading each once, without a prototype: a polluted `Object.prototype` adds nothing.
 * @param what Begins the error, which ends with "an object, got …".
 * @throws TypeError unless given an object.
 */
export function ownOptions<T extends object>(given: T, what: string): T {
  if (given === null || typeof given !== 'object') {
    throw new TypeError(`${what} an object, got ${inWords(given)}`);
  }
  return { __proto__: null, ...given };
}

/**
 * Refuses an unknown name, and suggests the known name that was probably meant.
 * @param kind The kind of thing that the name stands for, as the error says it.
 * @throws RangeError always.
 */
export function refuseName(name: string, names: readonly string[], where: string, kind = 'option'): never {
  const nearest = nearestName(name, names);
  const hint = nearest && ` Did you mean "${nearest}"?`;
  const list = `${kind[0].toUpperCase()}${kind.slice(1)}s: ${names.join(', ') || 'none'}`;
  throw new RangeError(`${where}: unknown ${kind} "${inWords(name)}".${hint} ${list}`);
}

/** @throws RangeError for any option in `others`, as all options with known names were taken out. */
export function refuseOthers(others: object, names: readonly string[], where: string): void {
  for (const name of Object.keys(others)) refuseName(name, names, where);
}

/** The name that has the fewest letters unlike `given`, in any order; empty if more than half its letters differ. */
export function nearestName(given: string, names: readonly string[]): string {
  const letters = names.map((name) => lettersLeft(given, name) + lettersLeft(name, given));
  const nearest = letters.indexOf(Math.min(...letters));
  return nearest < 0 || letters[nearest] > names[nearest].length / 2 ? '' : names[nearest];
}

/** Number of letters of one word that are left without the letters of another. */
function lettersLeft(word: string, other: string): number {
  let left = word.toLowerCase();
  for (const letter of other.toLowerCase()) left = left.replace(letter, '');
  return left.length;
}

/** True for an array of any kind, and for any other object with a number as `length`. */
export function isArrayLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as ArrayLike<unknown>).length === 'number';
}

/** @throws TypeError or RangeError unless the count is a whole number from 1, or Infinity. */
export function checkCount(count: number, where: string): void {
  if (typeof count !== 'number') throw new TypeError(`${where}: the count must be a number, got ${inWords(count)}`);
  if (!(count >= 1) || !(Number.isInteger(count) || count === Number.POSITIVE_INFINITY)) {
    throw new RangeError(`${where}: the count must be a whole number from 1, got ${count}`);
  }
}

function typeInWords(value: unknown): string {
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function checkRange(value: number, { min, max, whole }: Ranges[string], where: string): void {
  if (!(value >= min && value <= max) || (whole && !Number.isInteger(value))) {
    throw new RangeError(`${where}: must be ${whole ? 'a whole number ' : ''}from ${min} to ${max}, got ${value}`);
  }
}

/** Longer texts are cut: they would hide the rest of the message. */
const MAX_CHARACTERS = 60;
/** Longer arrays are described by their length. */
const MAX_ELEMENTS = 8;

/**
 * Describes any value for an error message: primitives and short arrays of them as they are, objects by their kind.
 * Neither throws nor takes long, even if the value has getters and traps; the value's own `toString` is never called.
 */
export function inWords(value: unknown): string {
  try {
    const text = words(value);
    return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}…`;
  } catch {
    return 'an object';
  }
}

function words(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  // Converting a huge bigint to text takes time that grows with the square of its length.
  if (typeof value === 'bigint' && BigInt.asIntN(128, value) !== value) return 'a huge bigint';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return shortList(value) ?? `an array of ${value.length}`;
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') return kind;
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' ? `[object ${name}]` : kind;
}

/** The elements of a short array of primitives; null for any other array. */
function shortList(array: unknown[]): string | null {
  if (array.length === 0 || array.length > MAX_ELEMENTS) return null;
  const elements = Array.from(array);
  return elements.some((element) => Object(element) === element) ? null : elements.map(inWords).join(',');
}
