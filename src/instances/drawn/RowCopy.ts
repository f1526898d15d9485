import type { IdList } from '../../core/IdList.js';

/** Numbers in rows of one length, of instances one after the other. */
export type Numbers = Float32Array;

/**
 * Rows of one array, copied to another one behind each other. Those that are there already are left alone: told by where
 * they are from while that has not changed, else by their numbers.
 */
export class RowCopy {
  readonly rows: Numbers;
  readonly #size: number;
  /** The row of the other array that each row is a copy of. */
  readonly #sources: Int32Array;
  #length = 0;
  /** What rows were copied from, what it belongs to, and its version. */
  #from: Numbers | null = null;
  #owner: object | null = null;
  #version = -1;
  /** The rows that were written last: the first, and the one behind them; the same for none. */
  first = 0;
  end = 0;

  /**
   * @param rows Where they are copied to.
   * @param size Numbers of a row.
   */
  constructor(rows: Numbers, size: number) {
    this.rows = rows;
    this.#size = size;
    this.#sources = new Int32Array(rows.length / size);
  }

  get capacity(): number {
    return this.#sources.length;
  }

  /**
   * Copies some rows; true when any was written.
   * @param owner What holds them: of another one nothing is known.
   * @param version Another number when rows of the same array have changed.
   */
  copy(owner: object, from: Numbers, version: number, { ids, length }: IdList): boolean {
    const size = this.#size;
    const { rows: to } = this;
    const sources = this.#sources;
    const isSame = owner === this.#owner && from === this.#from && version === this.#version;
    const known = this.#length;
    this.first = this.end = 0;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const isHere = i < known && sources[i] === id;
      if (isHere && (isSame || areEqual(from, size * id, to, size * i, size))) continue;
      sources[i] = id;
      if (this.end === 0) this.first = i;
      this.end = i + 1;
      for (let k = size * id, end = k + size, t = size * i; k < end; k++) to[t++] = from[k];
    }
    // What lies behind is of another version, and not looked at.
    this.#length = isSame ? Math.max(known, length) : length;
    this.#owner = owner;
    this.#from = from;
    this.#version = version;
    return this.end > 0;
  }
}

/** True for rows of equal numbers; those with NaN are not. */
function areEqual(a: Numbers, from: number, b: Numbers, to: number, size: number): boolean {
  for (let k = 0; k < size; k++) if (a[from + k] !== b[to + k]) return false;
  return true;
}
