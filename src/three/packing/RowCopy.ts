import type { IdList } from '../../core/lists/IdList.js';

/** Numbers in rows of one length, of instances one after the other. */
export type Numbers = Float32Array;

/** Rows of one array, copied to another one behind each other: those that are there already are left alone. */
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
    const known = isSame ? this.#length : 0;
    this.first = this.end = 0;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      if (i < known && sources[i] === id) continue;
      sources[i] = id;
      if (this.end === 0) this.first = i;
      this.end = i + 1;
      for (let k = size * id, end = k + size, t = size * i; k < end; k++) to[t++] = from[k];
    }
    this.#length = Math.max(known, length);
    this.#owner = owner;
    this.#from = from;
    this.#version = version;
    return this.end > 0;
  }
}
