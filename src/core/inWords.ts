/** Most characters of a text; more would hide what the message says. */
const MOST = 60;
/** Arrays with more elements are described by their length. */
const FEW = 8;

/**
 * Describes any value in a few words, for messages: primitives and short arrays of them as they are, objects by their
 * kind. Whatever getters or traps of the value do, this neither throws nor takes long; no `toString` of its own is
 * called.
 */
export function inWords(value: unknown): string {
  try {
    return shorten(words(value));
  } catch {
    return 'an object';
  }
}

function words(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  // Converting a huge bigint to text takes time that grows with the square of its length.
  if (typeof value === 'bigint' && BigInt.asIntN(128, value) !== value) return 'a bigint of more than 128 bits';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return listed(value) ?? `an array of ${value.length}`;
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') return kind;
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' ? `[object ${name}]` : kind;
}

/** The elements of a short array of primitives; null for any other array. */
function listed(array: unknown[]): string | null {
  if (array.length === 0 || array.length > FEW) return null;
  const elements = Array.from(array);
  return elements.some((element) => Object(element) === element) ? null : elements.map(inWords).join(',');
}

function shorten(text: string): string {
  return text.length <= MOST ? text : `${text.slice(0, MOST)}…`;
}
