import { grow } from '../../core/grow.js';

const FEW = 16;

/**
 * Finds the cells of a grid by their place, four whole numbers: level, x, y, z. A cell is a node of a tree, numbered
 * from 1, so 0 can mean "none".
 *
 * Open addressing with linear probing (Peterson, Addressing for Random-Access Storage, 1957), at most half full.
 * Removing closes the gap at once (Knuth, The Art of Computer Programming 3, 6.4, algorithm R, 1973), so nothing is
 * left behind that would slow down later searches.
 */
export class CellHash {
  /**
   * x, y and z of node n at 3 * n, of size up to 2^52. Read it again after any call of `add`: it may have been
   * replaced.
   */
  places: Float64Array = new Float64Array(3 * FEW);
  /** Level of node n; read it again after `add`, too. */
  levels: Uint8Array = new Uint8Array(FEW);
  /** Number of cells. */
  count = 0;

  /** Nodes by the hash of their places; 0 for none. */
  table: Int32Array = new Int32Array(2 * FEW);

  /** The node of a cell; 0 for none. */
  find(level: number, x: number, y: number, z: number): number {
    const { places, levels } = this;
    const table = this.table;
    const mask = table.length - 1;
    for (let i = hash(level, x, y, z) & mask; ; i = (i + 1) & mask) {
      const node = table[i];
      const o = 3 * node;
      if (node === 0) return 0;
      if (places[o] === x && places[o + 2] === z && places[o + 1] === y && levels[node] === level) return node;
    }
  }

  /** Adds a cell that is not in the table, with its node. */
  add(node: number, level: number, x: number, y: number, z: number): void {
    if (node >= this.levels.length) {
      this.levels = grow(this.levels, node + 1);
      this.places = grow(this.places, 3 * this.levels.length);
    }
    this.levels[node] = level;
    this.places[3 * node] = x;
    this.places[3 * node + 1] = y;
    this.places[3 * node + 2] = z;
    if (2 * ++this.count > this.table.length) this.#double();
    this.#put(node);
  }

  /** Removes the cell of a node. */
  remove(node: number): void {
    const table = this.table;
    const mask = table.length - 1;
    let gap = this.#firstSlot(node);
    while (table[gap] !== node) gap = (gap + 1) & mask;
    for (let i = (gap + 1) & mask; table[i] !== 0; i = (i + 1) & mask) {
      // Skip a node whose search begins after the gap: it never meets the gap. All other searches that lead here would
      // end there.
      if (((i - this.#firstSlot(table[i])) & mask) < ((i - gap) & mask)) continue;
      table[gap] = table[i];
      gap = i;
    }
    table[gap] = 0;
    this.count--;
  }

  /** Removes all cells, and the room for more than about `nodes` of them. */
  reset(nodes: number): void {
    const wanted = Math.max(FEW, nodes);
    this.count = 0;
    if (this.levels.length > 2 * wanted) {
      this.levels = new Uint8Array(FEW);
      this.places = new Float64Array(3 * FEW);
    }
    if (this.table.length > 4 * wanted) this.table = new Int32Array(2 * FEW);
    else this.table.fill(0);
  }

  /** Where in the table the search for a node begins. */
  #firstSlot(node: number): number {
    const { places } = this;
    const o = 3 * node;
    return hash(this.levels[node], places[o], places[o + 1], places[o + 2]) & (this.table.length - 1);
  }

  #put(node: number): void {
    const table = this.table;
    const mask = table.length - 1;
    let i = this.#firstSlot(node);
    while (table[i] !== 0) i = (i + 1) & mask;
    table[i] = node;
  }

  #double(): void {
    const old = this.table;
    this.table = new Int32Array(2 * old.length);
    for (const node of old) if (node !== 0) this.#put(node);
  }
}

/** Mixes the bits of four numbers so that all of them affect the lowest (after Appleby, MurmurHash3, 2011). */
function hash(level: number, x: number, y: number, z: number): number {
  let h = Math.imul(fold(x) ^ level, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15) ^ fold(y), 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15) ^ fold(z), 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return h ^ (h >>> 13);
}

/**
 * Folds a whole number into 32 bits. The higher ones count as well, or searches for cells 2^32 apart would begin at one
 * place.
 */
function fold(n: number): number {
  return (n | 0) ^ Math.imul((n * 2 ** -32) | 0, 0x9e3779b1);
}
