/** A list of ids that grows; or the nearest one. */
export class List {
  ids = new Int32Array(1024);
  length = 0;
  /** How far the nearest one of those offered is. */
  best = Number.POSITIVE_INFINITY;

  clear() {
    this.length = 0;
    this.best = Number.POSITIVE_INFINITY;
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

  /** Holds the id alone if none was nearer. */
  offer(id, distance) {
    if (distance >= this.best) return;
    this.best = distance;
    this.ids[0] = id;
    this.length = 1;
  }

  #grow(need) {
    const ids = new Int32Array(2 * need);
    ids.set(this.ids);
    this.ids = ids;
  }
}

/** Number and hash of the sorted ids: equal for equal sets in any order, other for an id that is there twice. */
export function digestIds({ ids, length }, names) {
  const sorted = Int32Array.from({ length }, (_, i) => (names === undefined ? ids[i] : names[ids[i]])).sort();
  let hash = 0x811c9dc5;
  for (const id of sorted) hash = Math.imul(hash ^ id, 0x01000193);
  return `${length}:${hash >>> 0}`;
}
