import type { BufferAttribute } from 'three';

/** What a graphics card has of attributes: uploads as three makes them, of ranges where there are any. */
export class Card {
  readonly #arrays = new WeakMap<BufferAttribute, { version: number; array: Float32Array }>();

  read(attribute: BufferAttribute): ArrayLike<number> {
    const { version, updateRanges } = attribute;
    const array = attribute.array as Float32Array;
    const known = this.#arrays.get(attribute);
    if (known === undefined) this.#arrays.set(attribute, { version, array: array.slice() });
    else if (known.version !== version) {
      known.version = version;
      if (updateRanges.length === 0) known.array.set(array);
      for (const { start, count } of updateRanges) known.array.set(array.subarray(start, start + count), start);
      attribute.clearUpdateRanges();
    }
    return (this.#arrays.get(attribute) as { array: Float32Array }).array;
  }
}
