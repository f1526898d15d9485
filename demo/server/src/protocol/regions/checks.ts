type Table = Int32Array | Uint32Array | Int16Array | Float64Array | Uint8Array;

/** A copy with room for at least `length` elements; the capacity at least doubles. */
export function grow<T extends Table>(table: T, length: number): T {
  const longer = new (table.constructor as new (length: number) => T)(Math.max(length, 2 * table.length));
  longer.set(table);
  return longer;
}

/** A checksum of 64 bits over words[from] to words[to - 1]: changing a single bit is certain to change it. */
export function checksum(words: Int32Array, from: number, to: number): [number, number] {
  let a = 0x811c9dc5 | 0;
  let b = 0x9e3779b9 | 0;
  for (let i = from; i < to; i++) {
    // For a known word both steps can be inverted, so states that differ once remain different.
    a = Math.imul(a ^ words[i], 0x01000193);
    b = Math.imul(((b << 13) | (b >>> 19)) ^ words[i], 0x85ebca6b);
  }
  return [a, b];
}

/** Any value in a few words, for messages. */
export function inWords(value: unknown): string {
  const text =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? `an ${typeof value}` : String(value);
  return text.slice(0, 60);
}

/** Copies a box of six numbers into `out`, or throws. */
export function readBox(box: ArrayLike<number>, out: Float64Array, where: string): void {
  if (box?.length !== 6) throw new RangeError(`${where}: a box is six numbers, got ${inWords(box)}`);
  out.set(readBoxes(box, where));
}

/** A checked copy of boxes, six numbers each. */
export function readBoxes(boxes: ArrayLike<number>, where: string): Float64Array {
  if (boxes === null || typeof boxes !== 'object' || !(boxes.length % 6 === 0)) {
    throw new TypeError(`${where}: boxes are a flat array of six numbers each, got ${inWords(boxes)}`);
  }
  // Code that runs while other arrays are read, as a getter among numbers, cannot change this copy.
  const own = new Float64Array(boxes);
  for (let o = 0; o < own.length; o += 6) {
    const isBox = own[o] <= own[o + 3] && own[o + 1] <= own[o + 4] && own[o + 2] <= own[o + 5];
    if (!isBox) throw new RangeError(`${where}: min must not exceed max, got ${own.subarray(o, o + 6).join(' ')}`);
  }
  return own;
}

/** A copy of given options. @throws TypeError for what is no object. */
export function ownOptions<T extends object>(given: T, where: string): T {
  if (given === null || typeof given !== 'object') {
    throw new TypeError(`${where}: options are an object, got ${inWords(given)}`);
  }
  return { ...given };
}

/** Smallest and largest legal value of each option, and whether it counts something. */
export type Ranges<T> = { readonly [name in keyof T]: { min: number; max: number; whole: boolean } };

/** Options that are numbers, with defaults for those absent or undefined; throws for an illegal name, type or value. */
export function readNumbers<T extends { [name: string]: number }>(
  given: Partial<T>,
  defaults: T,
  where: string,
  ranges: Ranges<T>,
): T {
  const all: { [name: string]: number } = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(ranges, name)) {
      throw new RangeError(`${where}.${name}: no such option; there are ${Object.keys(defaults).join(', ')}`);
    }
    if (value === undefined) continue;
    if (typeof value !== 'number') throw new TypeError(`${where}.${name}: must be a number, got ${inWords(value)}`);
    const { min, max, whole } = ranges[name];
    if (!(value >= min && value <= max) || (whole && !Number.isInteger(value))) {
      throw new RangeError(
        `${where}.${name}: must be ${whole ? 'a whole number ' : ''}from ${min} to ${max}, got ${value}`,
      );
    }
    all[name] = value;
  }
  return all as T;
}
