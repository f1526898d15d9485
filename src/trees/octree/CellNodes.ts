import { grow } from '../../core/arrays.js';
import { BOX, ROW } from '../../core/box.js';
import { CELL, octantOf } from '../cells.js';
import { ROOT } from '../Nodes.js';
import type { Tree } from '../Tree.js';

/** The limit of a divided node. */
export const DIVIDED = -1;

/** Nodes that stand for cells, with their data. The root is no cell: below it are unbounded items and the top cell. */
export class CellNodes {
  readonly #tree: Tree;
  readonly isPlanar: boolean;
  /** Cell of node n at 4 * n. Adding a cell may replace this array. */
  cells: Float64Array = new Float64Array(16 * CELL);
  /** Number of copies beyond which a node tries to divide; DIVIDED for a divided node. */
  limits: Int32Array = new Int32Array(16);
  /** Upper bounds of the depth of cells below each node; removals do not lower them. */
  heights: Int32Array = new Int32Array(16);

  constructor(tree: Tree, planar: boolean) {
    this.#tree = tree;
    this.isPlanar = planar;
  }

  /** The top cell, or -1: the child of the root that is not a row, always the last. */
  get top(): number {
    const { first, prev, row } = this.#tree.nodes;
    const head = first[ROOT];
    return head < 0 || row[prev[head]] >= 0 ? -1 : prev[head];
  }

  get height(): number {
    return this.top < 0 ? 0 : this.heights[this.top];
  }

  /** Drops all cells, and the room for more than about `nodes` of them. */
  reset(nodes: number): void {
    if (this.limits.length <= 2 * Math.max(16, nodes)) return;
    this.limits = new Int32Array(16);
    this.heights = new Int32Array(16);
    this.cells = new Float64Array(16 * CELL);
  }

  isDivided(node: number): boolean {
    return this.limits[node] === DIVIDED;
  }

  /** Adds a new node below `parent`, with a copy of a cell. */
  add(parent: number, cell: Float64Array, limit: number): number {
    const node = this.#tree.addNode(parent);
    if (node >= this.limits.length) {
      this.limits = grow(this.limits, node + 1);
      this.heights = grow(this.heights, this.limits.length);
      this.cells = grow(this.cells, CELL * this.limits.length);
    }
    for (let i = 0; i < CELL; i++) this.cells[CELL * node + i] = cell[i];
    this.limits[node] = limit;
    this.heights[node] = 0;
    this.#raise(parent, 1);
    return node;
  }

  /** Puts a new, divided node between `child` and its parent; `cell` must hold the cell of the child. */
  putAbove(child: number, cell: Float64Array): number {
    const { nodes } = this.#tree;
    const node = this.add(nodes.parent[child], cell, DIVIDED);
    nodes.link(child, node, false);
    nodes.copies[node] = nodes.copies[child];
    nodes.setBox(node, nodes.box.subarray(BOX * child, BOX * child + BOX));
    this.#raise(node, this.heights[child] + 1);
    return node;
  }

  /** Computes the depth of cells below a node from the depths below its children. */
  measure(node: number): void {
    const { next } = this.#tree.nodes;
    let height = 0;
    for (let child = this.firstCell(node); child >= 0; child = next[child]) {
      height = Math.max(height, this.heights[child] + 1);
    }
    this.heights[node] = height;
  }

  /** The first child of a node that is not a row; -1 for none. */
  firstCell(node: number): number {
    const { first, next, row } = this.#tree.nodes;
    let child = first[node];
    while (child >= 0 && row[child] >= 0) child = next[child];
    return child;
  }

  /** The child of `node` that lies in an octant of its cell; -1 for none. */
  childIn(node: number, octant: number): number {
    const { first, prev, row } = this.#tree.nodes;
    const head = first[node];
    // The search begins at the end, with the cells; rows come first.
    let child = head < 0 ? -1 : prev[head];
    while (child >= 0 && row[child] < 0) {
      if (this.octantIn(node, child) === octant) return child;
      if (child === head) return -1;
      child = prev[child];
    }
    return -1;
  }

  /** The octant of the cell of `node` in which its child lies. */
  octantIn(node: number, child: number): number {
    const o = CELL * child;
    // In a planar tree both centres are at +Infinity in y; any finite y gives the lower half, the only half there is.
    return octantOf(this.cells, CELL * node, this.cells[o], this.isPlanar ? 0 : this.cells[o + 1], this.cells[o + 2]);
  }

  #raise(node: number, height: number): void {
    const { parent } = this.#tree.nodes;
    for (let n = node, h = height; n > ROOT && this.heights[n] < h; n = parent[n], h++) this.heights[n] = h;
  }
}

/**
 * Brings a tree of cells back to a depth of `maxDepth` below its top: a cell at that depth takes over the rows of the
 * cells below it, and these are removed. Moving a row changes only a few links, so even thousands of items cost little.
 */
export function liftCells(tree: Tree, cells: CellNodes, maxDepth: number, capacity: number): void {
  const { nodes } = tree;
  // Known heights are upper bounds: a cell that is not too deep by them is not too deep.
  const visited = [cells.top];
  const depths = [0];
  for (let i = 0; i < visited.length; i++) {
    const node = visited[i];
    if (depths[i] === maxDepth) {
      takeOver(tree, cells, node);
      cells.limits[node] = Math.max(capacity, 2 * nodes.copies[node]);
      continue;
    }
    const depth = depths[i] + 1;
    for (let child = cells.firstCell(node); child >= 0; child = nodes.next[child]) {
      if (depth + cells.heights[child] <= maxDepth) continue;
      visited.push(child);
      depths.push(depth);
    }
  }
  for (let i = visited.length - 1; i >= 0; i--) cells.measure(visited[i]);
}

/** Moves all rows below a cell directly under it, and removes the cells they were in. */
function takeOver(tree: Tree, cells: CellNodes, node: number): void {
  const { nodes } = tree;
  const below: number[] = [];
  for (let cell = node, i = 0; cell !== undefined; cell = below[i++]) {
    for (let child = cells.firstCell(cell); child >= 0; child = nodes.next[child]) below.push(child);
  }
  for (const cell of below) {
    for (let child = nodes.first[cell]; child >= 0 && nodes.row[child] >= 0; child = nodes.first[cell]) {
      nodes.link(child, node, true);
    }
  }
  for (let i = below.length - 1; i >= 0; i--) nodes.free(below[i]);
  for (let child = nodes.first[node], next = -1; child >= 0; child = next) {
    next = nodes.next[child];
    tree.rows.dirty[nodes.row[child]] = 1;
    if (tree.multiple) dropRepeated(tree, child);
  }
}

/** Removes the copies of a row whose items have another copy under the same node. */
function dropRepeated(tree: Tree, child: number): void {
  const { nodes, rows } = tree;
  const row = nodes.row[child];
  const node = nodes.parent[child];
  const before = rows.sizes[row];
  const start = ROW * row;
  // Copies are removed from the end: the last copy takes the seat of a removed copy.
  for (let seat = start + before - 1; seat >= start; seat--) {
    const { nextSeat } = rows;
    let other = nextSeat[seat];
    while (other >= 0 && other !== seat && tree.nodeOf(other) !== node) other = nextSeat[other];
    if (other >= 0 && other !== seat) rows.remove(seat);
  }
  if (rows.sizes[row] === before) return;
  nodes.countUp(child, rows.sizes[row] - before);
  if (rows.sizes[row] > 0) tree.tightenRow(row);
  else tree.dropRow(child);
}
