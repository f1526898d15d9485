import { BOX } from '../core/box.js';
import { ROW, ROW_BOXES } from '../core/storage/Rows.js';
import type { Tree } from '../core/storage/Tree.js';
import { aligned } from './kernelMemory.js';

/** Least bytes for results, and for nodes that wait during a search. */
const LEAST_ROOM = 4096;
/** Bytes of results for each row: an id of four bytes for each slot. */
const ROOM = 4 * ROW;

/**
 * Byte lengths of the arrays of a tree that kernels read, in the order of their addresses, and of the room for results.
 */
function lengths({ nodes, rows }: Tree): number[] {
  const n = nodes.capacity;
  const r = rows.sizes.length;
  return [8 * BOX * n, 4 * n, 4 * n, 4 * n, 8 * n, 8 * ROW_BOXES * r, ROOM * r, r, Math.max(LEAST_ROOM, ROOM * r)];
}

/** Bytes that the arrays of a tree and the results take, from `start` on. */
export function bytesFor(tree: Tree, start: number): number {
  return lengths(tree).reduce((sum, length) => sum + aligned(length), start);
}

/**
 * Moves the arrays of a tree into a memory. Writes to `places` where each begins, where the room for results begins
 * after them, and where it ends.
 */
export function moveIn(tree: Tree, buffer: ArrayBuffer, start: number, places: Int32Array): void {
  let free = start;
  lengths(tree).forEach((length, i) => {
    places[i] = free;
    free += aligned(length);
  });
  places[9] = free;
  const { nodes, rows } = tree;
  nodes.box = copy(nodes.box, new Float64Array(buffer, places[0], nodes.box.length));
  nodes.first = copy(nodes.first, new Int32Array(buffer, places[1], nodes.first.length));
  nodes.next = copy(nodes.next, new Int32Array(buffer, places[2], nodes.next.length));
  nodes.row = copy(nodes.row, new Int32Array(buffer, places[3], nodes.row.length));
  nodes.runs = copy(nodes.runs, new Int32Array(buffer, places[4], nodes.runs.length));
  rows.boxes = copy(rows.boxes, new Float64Array(buffer, places[5], rows.boxes.length));
  rows.ids = copy(rows.ids, new Int32Array(buffer, places[6], rows.ids.length));
  rows.sizes = copy(rows.sizes, new Uint8Array(buffer, places[7], rows.sizes.length));
}

/** Moves the arrays of a tree that lie in a memory out of it. */
export function moveOut(tree: Tree, buffer: ArrayBuffer): void {
  const { nodes, rows } = tree;
  if (nodes.box.buffer === buffer) {
    nodes.box = nodes.box.slice();
    nodes.first = nodes.first.slice();
    nodes.next = nodes.next.slice();
    nodes.row = nodes.row.slice();
    nodes.runs = nodes.runs.slice();
  }
  if (rows.boxes.buffer === buffer) {
    rows.boxes = rows.boxes.slice();
    rows.ids = rows.ids.slice();
    rows.sizes = rows.sizes.slice();
  }
}

function copy<T extends Float64Array | Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
