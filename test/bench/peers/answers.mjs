/** A list of ids, or of pairs of them, that grows. */
export class List {
  ids = new Int32Array(1024);
  length = 0;

  clear() {
    this.length = 0;
    return this;
  }

  push(id) {
    if (this.length === this.ids.length) this.#grow(this.length + 1);
    this.ids[this.length++] = id;
  }

  pushAll(ids) {
    const end = this.length + ids.length;
    if (end > this.ids.length) this.#grow(end);
    this.ids.set(ids, this.length);
    this.length = end;
  }

  /** Pair i at 2i and 2i + 1; `length` is the number of pairs. */
  pushPair(a, b) {
    const at = 2 * this.length++;
    if (at === this.ids.length) this.#grow(at + 2);
    this.ids[at] = a;
    this.ids[at + 1] = b;
  }

  #grow(need) {
    const ids = new Int32Array(2 * need);
    ids.set(this.ids);
    this.ids = ids;
  }
}

/** Number and hash of the sorted ids: equal for equal sets in any order, other for an id that is there twice. */
export function digestIds({ ids, length }, names) {
  return digest(Float64Array.from({ length }, (_, i) => (names === undefined ? ids[i] : names[ids[i]])));
}

/** The same for pairs; a pair may come as a, b or as b, a. */
export function digestPairs({ ids, length }) {
  return digest(
    Float64Array.from({ length }, (_, i) => {
      const [a, b] = [ids[2 * i], ids[2 * i + 1]];
      return Math.min(a, b) * 2 ** 26 + Math.max(a, b);
    }),
  );
}

function digest(keys) {
  keys.sort();
  let hash = 0x811c9dc5;
  for (const key of keys) {
    hash = Math.imul(hash ^ (key / 2 ** 26), 0x01000193);
    hash = Math.imul(hash ^ (key % 2 ** 26), 0x01000193);
  }
  return `${keys.length}:${hash >>> 0}`;
}
