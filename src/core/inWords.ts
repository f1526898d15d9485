/** More would hide what a message says. */
const MOST = 60;
/** Elements of an array that are told one by one. */
const FEW = 8;

/**
 * Any value in a few words, for messages: numbers and the like as they are, short arrays of them too, of an object what
 * kind it is. Whatever the value does when it is asked, this neither throws nor takes long; no `toString` of its own is
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
  // In time that grows with their square, numbers without end become text.
  if (typeof value === 'bigint' && BigInt.asIntN(128, value) !== value) return 'a bigint of more than 128 bits';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return listed(value) ?? `an array of ${value.length}`;
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') return kind;
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' ? `[object ${name}]` : kind;
}

/** The elements of a short array, none of which is an object; null for another. */
function listed(array: unknown[]): string | null {
  if (array.length === 0 || array.length > FEW) return null;
  const elements = Array.from(array);
  return elements.some((element) => Object(element) === element) ? null : elements.map(inWords).join(',');
}

function shorten(text: string): string {
  return text.length <= MOST ? text : `${text.slice(0, MOST)}…`;
}
