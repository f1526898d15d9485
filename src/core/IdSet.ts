import { grow } from './grow.js';
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

  addAll(list: IdList): void {
    const { ids, length } = list;
    for (let i = 0; i < length; i++) this.add(ids[i]);
  }

  /** Writes the ids to `out`, in ascending order, and empties the set. */
  drain(out: IdList): void {
    this.list(out);
    this.clear();
  }

  /** Writes the ids to `out`, in ascending order. */
  list(out: IdList): void {
    out.length = 0;
    for (let word = 0; word < this.words.length; word++) {
      if (this.words[word] !== 0) appendBits(this.words[word], word, out);
    }
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
    appendBits(changed & now[word], word, entered);
    appendBits(changed & before[word], word, left);
  }
}

function appendBits(set: number, word: number, out: IdList): void {
  const ids = out.reserve(32);
  for (let bits = set; bits !== 0; bits &= bits - 1) ids[out.length++] = 32 * word + 31 - Math.clz32(bits & -bits);
}
