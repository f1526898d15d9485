import { grow } from '../grow.js';
import type { IdList } from './IdList.js';

/**
 * A set of ids, one bit for each, listed in ascending order. Ids follow the order in which objects were created, and so
 * do the objects in memory: a list in this order is walked several times as fast as one in the order of a tree.
 */
export class IdSet {
  /** Bit k of word w stands for id 32 w + k. */
  words: Int32Array = new Int32Array(32);

  add(id: number): void {
    const word = id >>> 5;
    if (word >= this.words.length) this.words = grow(this.words, word + 1);
    this.words[word] |= 1 << (id & 31);
  }

  addAll({ ids, length }: IdList): void {
    let { words } = this;
    for (let i = 0; i < length; i++) {
      const word = ids[i] >>> 5;
      if (word >= words.length) words = this.words = grow(words, word + 1);
      words[word] |= 1 << (ids[i] & 31);
    }
  }

  /** Writes the ids to `out`, in ascending order, and empties the set. */
  drain(out: IdList): void {
    this.list(out);
    this.clear();
  }

  /** Writes the ids to `out`, in ascending order. */
  list(out: IdList): void {
    const { words } = this;
    out.length = 0;
    let ids = out.reserve(32);
    let n = 0;
    for (let word = 0; word < words.length; word++) {
      if (words[word] === 0) continue;
      out.length = n;
      ids = out.reserve(32);
      n = writeBits(words[word], word, ids, n);
    }
    out.length = n;
  }

  clear(): void {
    this.words.fill(0);
  }
}

/** Removes all ids of another set from a set. */
export function subtract({ words }: IdSet, other: IdSet): void {
  const count = Math.min(words.length, other.words.length);
  for (let word = 0; word < count; word++) words[word] &= ~other.words[word];
}

/** Writes the ids in `now` but not in `before` to `entered`, the opposite to `left`; both in ascending order. */
export function compareSets({ words: before }: IdSet, { words: now }: IdSet, entered: IdList, left: IdList): void {
  const count = Math.max(before.length, now.length);
  entered.length = left.length = 0;
  for (let word = 0; word < count; word++) {
    // Beyond the end of an array the value is undefined, which bitwise operators take as 0.
    const changed = before[word] ^ now[word];
    if (changed === 0) continue;
    entered.length = writeBits(changed & now[word], word, entered.reserve(32), entered.length);
    left.length = writeBits(changed & before[word], word, left.reserve(32), left.length);
  }
}

/** Writes the ids of a word from a place on; returns the place behind them. */
function writeBits(set: number, word: number, ids: Int32Array, from: number): number {
  let n = from;
  for (let bits = set; bits !== 0; bits &= bits - 1) ids[n++] = 32 * word + 31 - Math.clz32(bits & -bits);
  return n;
}
