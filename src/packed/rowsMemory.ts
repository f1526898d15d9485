import { ROW } from '../trees/Rows.js';
import { aligned } from '../wasm/kernelMemory.js';
import type { PackedRows } from './PackedRows.js';

/** Bytes of results: an id for each slot, and two rows more, as whole rows are written at the end. */
function roomFor(rows: PackedRows): number {
  return 4 * ROW * (rows.sizes.length + 2);
}

/** The arrays that kernels work on, in the order of their addresses. */
const ARRAYS = ['boxes', 'slots', 'rows', 'ids', 'sizes', 'levels'] as const;

/** Bytes that the arrays of rows and the results take, from `start` on. */
export function bytesFor(rows: PackedRows, start: number): number {
  return ARRAYS.reduce((sum, name) => sum + aligned(rows[name].byteLength), start) + aligned(roomFor(rows));
}

/**
 * Moves the arrays of rows into a memory. Writes to `places` where each begins, where the room for results begins after
 * them, and where it ends.
 */
export function moveIn(rows: PackedRows, buffer: ArrayBuffer, start: number, places: Int32Array): void {
  let free = start;
  ARRAYS.forEach((name, i) => {
    const { byteLength } = rows[name];
    places[i] = free;
    move(rows, name, (from) => {
      const Kind = from.constructor as new (buffer: ArrayBuffer, at: number, length: number) => typeof from;
      const to = new Kind(buffer, places[i], from.length);
      to.set(from);
      return to;
    });
    free += aligned(byteLength);
  });
  places[6] = free;
  places[7] = free + roomFor(rows);
}

/** Moves the arrays of rows that lie in a memory out of it. */
export function moveOut(rows: PackedRows, buffer: ArrayBuffer): void {
  for (const name of ARRAYS) if (rows[name].buffer === buffer) move(rows, name, (from) => from.slice());
}

type Numbers = Float64Array | Float32Array | Int32Array | Uint8Array;

function move(rows: PackedRows, name: (typeof ARRAYS)[number], copy: (from: Numbers) => Numbers): void {
  (rows as unknown as { [name: string]: Numbers })[name] = copy(rows[name]);
}
