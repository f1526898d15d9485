import { BOX } from '../core/box.js';

/**
 * A cell is a cube, or a square column: four numbers, centre x y z and half the edge.
 *
 * Its eight octants are numbered by three bits: 1 for the upper half in x, 2 in z, 4 in y. A planar tree keeps the
 * centre's y at +Infinity: no box is above it, so bit 4 stays clear and only four octants exist. That is the whole
 * difference between a quadtree on XZ and an octree.
 *
 * Edges are powers of two and centres multiples of a small fraction of the edge, so halving a cell is exact; cells
 * smaller than 2^-40 of their distance from the origin are not made. Doubling is exact until edges differ by 2^53;
 * beyond that borders move a little, but no answer changes: queries go by content boxes.
 */
export const CELL = 4;
const SMALLEST = 2 ** -40;
/** Smallest half edge of a cell made by `cellAround`, so that the numbers of cells a few times smaller are exact. */
const LEAST_HALF = 2 ** -900;

/** Writes a cell that holds the box with all its sides strictly inside. */
export function cellAround(box: ArrayLike<number>, planar: boolean, out: Float64Array, o: number): void {
  const extent = Math.max(box[3] - box[0], box[5] - box[2], planar ? 0 : box[4] - box[1]);
  const farthest = Math.max(...Array.from({ length: BOX }, (_, i) => (planar && i % 3 === 1 ? 0 : Math.abs(box[i]))));
  // A box without extent says nothing about the scale of later items: assume 1, the tree adapts to them.
  const size = Math.max(extent > 0 ? extent : 1, farthest * 2 ** -30);
  let half = Math.max(2 ** Math.ceil(Math.log2(size / 2)), LEAST_HALF);
  for (;;) {
    const grain = half / 8;
    const middle = (i: number): number => Math.round((box[i] / 2 + box[i + 3] / 2) / grain) * grain;
    out[o] = middle(0);
    out[o + 1] = planar ? Number.POSITIVE_INFINITY : middle(1);
    out[o + 2] = middle(2);
    out[o + 3] = half;
    if (encloses(out, o, box)) return;
    half *= 2;
  }
}

/** True when the box lies in the cell, upper borders excluded. */
export function encloses(cells: Float64Array, o: number, b: ArrayLike<number>): boolean {
  const half = cells[o + 3];
  const y = cells[o + 1];
  // biome-ignore format: aligned lines show the symmetry
  return b[0] >= cells[o] - half && b[3] < cells[o] + half
      && b[2] >= cells[o + 2] - half && b[5] < cells[o + 2] + half
      && (y === Number.POSITIVE_INFINITY || (b[1] >= y - half && b[4] < y + half));
}

/** The octant of the cell at `o` in which the point lies. */
export function octantOf(cells: Float64Array, o: number, x: number, y: number, z: number): number {
  return (x >= cells[o] ? 1 : 0) | (z >= cells[o + 2] ? 2 : 0) | (y >= cells[o + 1] ? 4 : 0);
}

/** Writes an octant of the cell at `o` as a cell of its own; source and target may be the same cell. */
export function octantCell(cells: Float64Array, o: number, octant: number, out: Float64Array, p: number): void {
  const half = cells[o + 3] / 2;
  out[p] = cells[o] + (octant & 1 ? half : -half);
  out[p + 1] = cells[o + 1] + (octant & 4 ? half : -half);
  out[p + 2] = cells[o + 2] + (octant & 2 ? half : -half);
  out[p + 3] = half;
}

/** Doubles the cell at `o`, on each axis towards the side of the point. */
export function doubleCell(cells: Float64Array, o: number, x: number, y: number, z: number): void {
  const half = cells[o + 3];
  cells[o] += x < cells[o] ? -half : half;
  cells[o + 1] += y < cells[o + 1] ? -half : half;
  cells[o + 2] += z < cells[o + 2] ? -half : half;
  cells[o + 3] = 2 * half;
}

/** True when the octants of the cell would have edges below `minCellSize`, or too small to be told apart. */
export function isSmallest(cells: Float64Array, o: number, minCellSize: number): boolean {
  const half = cells[o + 3];
  const y = cells[o + 1] === Number.POSITIVE_INFINITY ? 0 : Math.abs(cells[o + 1]);
  const distance = Math.max(Math.abs(cells[o]), y, Math.abs(cells[o + 2]));
  return half < minCellSize || half < 2 * SMALLEST * distance || half < 2 ** -1000;
}
