import { sortByKey } from '../core/arrays.js';
import { BOX, isBounded, makeEmpty, unite } from '../core/box.js';
import { CELL, cellAround } from './cells.js';

/** Bits for each axis; three axes make a key of 24 bits. */
const BITS = 8;
const STEPS = 2 ** BITS;
/** The key of unbounded boxes: after all others. */
const NOWHERE = 2 ** (3 * BITS);

/** The group of items that stay in the cell itself, after those of its eight octants. */
export const STAY = 8;

/** The items of a cell, group by group. */
export interface Groups {
  order: Int32Array;
  /** Where each group begins in `order`, and one more: where the last ends. */
  starts: Int32Array;
}

/**
 * Boxes in Morton order (Morton, 1966), by their centres. Building in this order reads memory sequentially and takes a
 * third of the time. The curve fills a cell that holds all boxes, and a key is the path down to a small cell: three bits
 * a level, the octants of cells.ts. Keys are exact, so a tree of such cells can divide by keys alone.
 */
export class MortonOrder {
  /** The cell that holds all bounded boxes; of size 0 if there are none. */
  readonly cell: Float64Array = new Float64Array(CELL);
  /** Positions of the boxes in the order of their keys, unbounded ones last. */
  readonly order: Int32Array;
  /** Keys in that order. */
  readonly keys: Int32Array;
  /** The number of bounded boxes. */
  readonly bounded: number;
  readonly #planar: boolean;

  constructor(boxes: Float64Array, planar: boolean) {
    this.#planar = planar;
    const world = new Float64Array(BOX);
    makeEmpty(world, 0);
    let bounded = 0;
    for (let o = 0; o < boxes.length; o += BOX) {
      if (!isBounded(boxes, o)) continue;
      bounded++;
      unite(world, 0, boxes, o);
    }
    this.bounded = bounded;
    if (bounded > 0) cellAround(world, planar, this.cell, 0);
    this.keys = keysOf(boxes, this.cell, planar);
    this.order = new Int32Array(this.keys.length);
    for (let i = 0; i < this.order.length; i++) this.order[i] = i;
    sortByKey(this.keys, this.order);
  }

  /** The longest edge of the boxes order[from] to order[to - 1]; a planar order ignores heights. */
  longestOf(boxes: Float64Array, order: Int32Array, from: number, to: number): number {
    let longest = 0;
    for (let i = from; i < to; i++) {
      const o = BOX * order[i];
      longest = Math.max(longest, boxes[o + 3] - boxes[o], boxes[o + 5] - boxes[o + 2]);
      if (!this.#planar) longest = Math.max(longest, boxes[o + 4] - boxes[o + 1]);
    }
    return longest;
  }

  /** The level of a cell with this half edge; 0 for the cell of the whole order. Keys give octants for 0 to 7. */
  levelOf(half: number): number {
    return Math.round(Math.log2(this.cell[3] / half));
  }

  /**
   * Groups items in Morton order, order[from] to order[to - 1] of a cell of that level, by its octants; null where keys
   * do not give them.
   */
  divide(level: number, order: Int32Array, from: number, to: number): Groups | null {
    if (level < 0 || level >= BITS) return null;
    const shift = 3 * (BITS - 1 - level);
    const { keys } = this;
    const starts = new Int32Array(STAY + 2).fill(to);
    starts[0] = from;
    for (let octant = 0; octant < STAY - 1; octant++) {
      let low = starts[octant];
      let high = to;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (((keys[order[middle]] >> shift) & 7) <= octant) low = middle + 1;
        else high = middle;
      }
      starts[octant + 1] = low;
    }
    return { order, starts };
  }
}

function keysOf(boxes: Float64Array, cell: Float64Array, planar: boolean): Int32Array {
  const half = cell[3];
  const step = (2 * half) / STEPS;
  const perStep = 1 / step;
  const lowX = cell[0] - half;
  const lowY = cell[1] - half;
  const lowZ = cell[2] - half;
  const keys = new Int32Array(boxes.length / BOX);
  for (let i = 0, o = 0; i < keys.length; i++, o += BOX) {
    if (!isBounded(boxes, o)) {
      keys[i] = NOWHERE;
      continue;
    }
    const x = stepOf(boxes[o] / 2 + boxes[o + 3] / 2, lowX, step, perStep);
    const z = stepOf(boxes[o + 2] / 2 + boxes[o + 5] / 2, lowZ, step, perStep);
    const y = planar ? 0 : stepOf(boxes[o + 1] / 2 + boxes[o + 4] / 2, lowY, step, perStep);
    keys[i] = spread(x) | (spread(z) << 1) | (spread(y) << 2);
  }
  return keys;
}

/** The step in which a number lies. Borders are exact, but the difference may be rounded up to one, never beyond it. */
function stepOf(value: number, low: number, step: number, perStep: number): number {
  const n = ((value - low) * perStep) | 0;
  return value < low + n * step ? n - 1 : n;
}

/** Puts two zero bits between the bits of a number of eight bits. */
function spread(n: number): number {
  n = (n | (n << 8)) & 0x0000f00f;
  n = (n | (n << 4)) & 0x000c30c3;
  return (n | (n << 2)) & 0x00249249;
}
