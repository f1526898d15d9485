import { grow } from '../../core/arrays.js';
import { BOX, isBounded } from '../../core/box.js';
import { ROOT } from '../Nodes.js';
import type { Tree } from '../Tree.js';

/** Levels of cells. Items larger than a cell of the last, 32,768 times the smallest, are under the root. */
export const LEVELS = 16;
/** With more cells than this under the root, the top rises. The eight around the origin never share a larger one. */
const MOST_ROOTS = 16;
/** Cells smaller than this share of their distance from the origin are not used. */
const SMALLEST = 2 ** -40;
/** Cells there is room for at first. */
const FEW_CELLS = 16;

/**
 * The nodes that stand for cells of an unlimited grid: cubes, or square columns on XZ.
 *
 * Cell (x, y, z) of level 0 goes from (x, y, z) to (x + 1, y + 1, z + 1), times the edge. On each further level edges
 * are twice as long, and a cell is a child of the one of the next level that contains it, up to level `top`, whose cells
 * are children of the root. The top rises when these are too many, so a small world has no more levels than it needs.
 *
 * Cells are found by level and place in a hash table with linear probing, at most half full. Removing closes the gap
 * (Knuth, The Art of Computer Programming 3, 6.4, algorithm R, 1973).
 */
export class GridCells {
  readonly #tree: Tree;
  readonly planar: boolean;
  /** Edge of the cells of each level. */
  readonly edges: Float64Array = new Float64Array(LEVELS);
  /** Cells of this level and above are children of the root. */
  top = 0;
  /** Number of cells that are children of the root, and of all. */
  roots = 0;
  count = 0;
  /** x, y and z of node n at 3 * n, up to 2^52. Adding a cell may replace this array, and `levels`. */
  places: Float64Array = new Float64Array(3 * FEW_CELLS);
  /** Level of node n. */
  levels: Uint8Array = new Uint8Array(FEW_CELLS);
  /** Nodes by the hash of their places; 0 for none, as the root is no cell. */
  table: Int32Array = new Int32Array(2 * FEW_CELLS);

  constructor(tree: Tree, planar: boolean) {
    this.#tree = tree;
    this.planar = planar;
  }

  /** Sets the edge of the smallest cells; there must be no cells yet. */
  setEdge(edge: number): void {
    for (let level = 0; level < LEVELS; level++) this.edges[level] = edge * 2 ** level;
  }

  /** The lowest level with cells large enough for a box; LEVELS where there is none. */
  levelOf(b: ArrayLike<number>, o: number): number {
    if (!isBounded(b, o)) return LEVELS;
    const { edges } = this;
    measureScale(b, o, this.planar);
    let level = 0;
    while (level < LEVELS && scale[0] > edges[level]) level++;
    return level;
  }

  /** The node for a box: that of the cell in which its centre lies, added if needed, or the root. */
  nodeFor(b: ArrayLike<number>, o: number): number {
    const level = this.levelOf(b, o);
    if (level === LEVELS) return ROOT;
    const x = this.placeOf(level, b, o);
    const y = this.planar ? 0 : this.placeOf(level, b, o + 1);
    const z = this.placeOf(level, b, o + 2);
    const node = this.#at(level, x, y, z);
    while (this.roots > MOST_ROOTS && this.top < LEVELS - 1) this.#raise();
    return node;
  }

  /** Place along one axis of the cell of a level in which the centre of a box lies. */
  placeOf(level: number, b: ArrayLike<number>, o: number): number {
    return Math.floor((b[o] + b[o + 3]) / 2 / this.edges[level]);
  }

  /**
   * True when an item may stay in a cell with this box: it lies within the cell made twice as wide, and above the lowest
   * level is no smaller than a quarter of it. So an item at a border does not change cells all the time.
   */
  keeps(node: number, b: ArrayLike<number>): boolean {
    const { places } = this;
    const level = this.levels[node];
    const edge = this.edges[level];
    if (level > 0 && this.isTooSmall(level, b)) return false;
    const o = 3 * node;
    const x = (places[o] + 0.5) * edge;
    const z = (places[o + 2] + 0.5) * edge;
    if (b[0] < x - edge || b[3] > x + edge || b[2] < z - edge || b[5] > z + edge) return false;
    const y = (places[o + 1] + 0.5) * edge;
    // A column holds any height. The cell made twice as wide may extend beyond what counts as bounded.
    return isBounded(b) && (this.planar || (b[1] >= y - edge && b[4] <= y + edge));
  }

  /** True when a box is smaller than a quarter of the cells of a level. */
  isTooSmall(level: number, b: ArrayLike<number>): boolean {
    measureScale(b, 0, this.planar);
    return scale[0] < this.edges[level] / 4;
  }

  /** Replaces the box in `out` by the region of a cell; a column keeps its heights, the root its box. */
  writeRegion(node: number, out: Float64Array): void {
    if (node === ROOT) return;
    const edge = this.edges[this.levels[node]];
    for (let c = 0; c < 3; c++) {
      if (c === 1 && this.planar) continue;
      out[c] = this.places[3 * node + c] * edge;
      out[c + 3] = (this.places[3 * node + c] + 1) * edge;
    }
  }

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

  /** Adds the node of a new cell to the table. */
  addToTable(node: number, level: number, x: number, y: number, z: number): void {
    if (node >= this.levels.length) {
      this.levels = grow(this.levels, node + 1);
      this.places = grow(this.places, 3 * this.levels.length);
    }
    this.levels[node] = level;
    this.places[3 * node] = x;
    this.places[3 * node + 1] = y;
    this.places[3 * node + 2] = z;
    const old = this.table;
    if (2 * ++this.count > old.length) {
      this.table = new Int32Array(2 * old.length);
      for (const other of old) if (other !== 0) this.#put(other);
    }
    this.#put(node);
  }

  /** Removes the node of a cell from the table. */
  removeFromTable(node: number): void {
    const table = this.table;
    const mask = table.length - 1;
    let gap = this.#firstSlot(node);
    while (table[gap] !== node) gap = (gap + 1) & mask;
    for (let i = (gap + 1) & mask; table[i] !== 0; i = (i + 1) & mask) {
      // The search for a node that begins after the gap never meets it; all others would end there.
      if (((i - this.#firstSlot(table[i])) & mask) < ((i - gap) & mask)) continue;
      table[gap] = table[i];
      gap = i;
    }
    table[gap] = 0;
    this.count--;
  }

  /** Removes a cell that has become empty, and the cells above it that become empty with it. */
  prune(node: number): void {
    const { nodes } = this.#tree;
    for (let n = node; n !== ROOT; n = nodes.parent[n]) {
      const parent = nodes.parent[n];
      this.removeFromTable(n);
      if (parent === ROOT) this.roots--;
      const isOnlyChild = nodes.first[parent] === n && nodes.next[n] < 0;
      if (!isOnlyChild) break;
    }
    this.#tree.prune(node);
  }

  /** Removes all cells, and the room for more than about `nodes` of them. */
  reset(nodes: number): void {
    const wanted = Math.max(FEW_CELLS, nodes);
    this.top = this.roots = this.count = 0;
    if (this.levels.length > 2 * wanted) {
      this.levels = new Uint8Array(FEW_CELLS);
      this.places = new Float64Array(3 * FEW_CELLS);
    }
    if (this.table.length > 4 * wanted) this.table = new Int32Array(2 * FEW_CELLS);
    else this.table.fill(0);
  }

  /** The node of a cell; adds the cell and those above it if needed. */
  #at(level: number, x: number, y: number, z: number): number {
    const found = this.find(level, x, y, z);
    if (found > 0) return found;
    const isRoot = level >= this.top;
    const parent = isRoot ? ROOT : this.#at(level + 1, Math.floor(x / 2), Math.floor(y / 2), Math.floor(z / 2));
    const node = this.#tree.addNode(parent);
    this.addToTable(node, level, x, y, z);
    if (isRoot) this.roots++;
    return node;
  }

  /** Puts the cells of the top level below those of the next, which becomes the top. */
  #raise(): void {
    const { nodes } = this.#tree;
    const level = this.top++;
    const cells: number[] = [];
    for (let n = nodes.first[ROOT]; n >= 0; n = nodes.next[n]) {
      if (nodes.row[n] < 0 && this.levels[n] === level) cells.push(n);
    }
    for (const cell of cells) {
      const [x, y, z] = this.places.subarray(3 * cell, 3 * cell + 3);
      const parent = this.#at(level + 1, Math.floor(x / 2), Math.floor(y / 2), Math.floor(z / 2));
      nodes.unlink(cell);
      nodes.link(cell, parent, false);
      nodes.entries[parent] += nodes.entries[cell];
      nodes.widen(parent, nodes.box, BOX * cell);
      this.roots--;
    }
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
}

const scale = new Float64Array(1);

/**
 * Writes to `scale` the longest side of a box, or more where only larger cells can be told apart. A number returned by
 * a call that is not inlined would be allocated on the heap.
 */
function measureScale(b: ArrayLike<number>, o: number, planar: boolean): void {
  let most = 0;
  for (let c = 0; c < 3; c++) {
    if (c === 1 && planar) continue;
    const low = b[o + c];
    const high = b[o + c + 3];
    most = Math.max(most, high - low, -low * SMALLEST, high * SMALLEST);
  }
  scale[0] = most;
}

/** Mixes the bits of four numbers so that all of them affect the lowest (after Appleby, MurmurHash3, 2011). */
function hash(level: number, x: number, y: number, z: number): number {
  let h = Math.imul(fold(x) ^ level, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15) ^ fold(y), 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15) ^ fold(z), 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  return h ^ (h >>> 13);
}

/** Folds a whole number into 32 bits; the higher ones count too, or cells 2^32 apart would collide. */
function fold(n: number): number {
  return (n | 0) ^ Math.imul((n * 2 ** -32) | 0, 0x9e3779b1);
}
