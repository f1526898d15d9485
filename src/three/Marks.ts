import { grow } from '../core/grow.js';
import type { IdList } from '../core/IdList.js';

/**
 * A set of ids that is read in ascending order. Ids follow the order in which objects were made, and so do the objects
 * in memory: a list in this order is walked several times as fast as one in the order of a tree.
 */
export class Marks {
  #words = new Int32Array(32);

  add(id: number): void {
    const word = id >>> 5;
    if (word >= this.#words.length) this.#words = grow(this.#words, word + 1);
    this.#words[word] |= 1 << (id & 31);
  }

  addAll(list: IdList): void {
    const { ids, length } = list;
    for (let i = 0; i < length; i++) this.add(ids[i]);
  }

  /** Takes out all that another set holds. */
  removeAll(other: Marks): void {
    const count = Math.min(this.#words.length, other.#words.length);
    for (let word = 0; word < count; word++) this.#words[word] &= ~other.#words[word];
  }

  /** Writes the ids to `out`, in ascending order, and empties the set. */
  drain(out: IdList): void {
    const words = this.#words;
    out.length = 0;
    for (let word = 0; word < words.length; word++) {
      let bits = words[word];
      if (bits === 0) continue;
      words[word] = 0;
      const ids = out.reserve(32);
      for (; bits !== 0; bits &= bits - 1) ids[out.length++] = 32 * word + 31 - Math.clz32(bits & -bits);
    }
  }
}
