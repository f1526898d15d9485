import { inWords, isArrayLike } from './options.js';

/** A box is six numbers: minX minY minZ maxX maxY maxZ. Touching counts. Box i of a flat array starts at 6 * i. */
export const BOX = 6;

/** Seats in a row. A set of seats fits one integer, bit k for seat k. */
export const ROW = 16;
/** Seats in a quad. Each of the six coordinates lies side by side for the four boxes. */
export const QUAD = 4;
/** Numbers in a quad: four minX, four minY, minZ, maxX, maxY, maxZ. */
export const QUAD_BOXES: number = BOX * QUAD;
/** Numbers in a row: four quads. */
export const ROW_BOXES: number = BOX * ROW;

/** Offset in a row of the first coordinate of a seat's box; the other coordinates follow, four numbers apart. */
export function offsetOf(seat: number): number {
  return (seat >> 2) * QUAD_BOXES + (seat & 3);
}

/**
 * Boxes with larger or infinite coordinates are legal, but are kept outside the trees and tested one by one. Sums and
 * products of a few smaller coordinates cannot overflow, so comparisons of a node with its contents stay monotone.
 */
const BOUNDED: number = 2 ** 300;

/** Copies a caller's box into `out`, or throws. */
export function readBox(box: ArrayLike<number>, out: Float64Array, where: string): void {
  if (box instanceof Float64Array && box.length === BOX) copyBox(box, 0, out, 0);
  else readNumbers(box, out, where);
  checkBox(out, 0, where);
}

/** Copies the box at `o` to `p`. Unrolled: a loop would cost more than the rest of a small move. */
export function copyBox(from: ArrayLike<number>, o: number, to: Float64Array, p: number): void {
  to[p] = from[o];
  to[p + 1] = from[o + 1];
  to[p + 2] = from[o + 2];
  to[p + 3] = from[o + 3];
  to[p + 4] = from[o + 4];
  to[p + 5] = from[o + 5];
}

const EXPECTED = 'a box is [minX, minY, minZ, maxX, maxY, maxZ]';

function readNumbers(box: ArrayLike<number>, out: Float64Array, where: string): void {
  if (!isArrayLike(box)) {
    throw new TypeError(`${where}: ${EXPECTED}, got ${inWords(box)}`);
  }
  if (box.length !== BOX) throw new RangeError(`${where}: ${EXPECTED}, got ${inWords(box.length)} numbers`);
  // Read all six before writing any: a getter among them may run code that reads another box into `out`.
  const minX: unknown = box[0];
  const minY: unknown = box[1];
  const minZ: unknown = box[2];
  const maxX: unknown = box[3];
  const maxY: unknown = box[4];
  const maxZ: unknown = box[5];
  // biome-ignore format: aligned lines show the symmetry
  if (typeof minX !== 'number' || typeof minY !== 'number' || typeof minZ !== 'number'
   || typeof maxX !== 'number' || typeof maxY !== 'number' || typeof maxZ !== 'number') {
    const wrong = [minX, minY, minZ, maxX, maxY, maxZ].find((value) => typeof value !== 'number');
    throw new TypeError(`${where}: must be a number, got ${inWords(wrong)}`);
  }
  out[0] = minX;
  out[1] = minY;
  out[2] = minZ;
  out[3] = maxX;
  out[4] = maxY;
  out[5] = maxZ;
}

/**
 * Checks a flat array of boxes or, with `max`, arrays of their minima and maxima. Returns a Float64Array of boxes: the
 * array itself if it is one, else a copy.
 */
export function readBoxes(boxes: ArrayLike<number>, where: string, max?: ArrayLike<number>): Float64Array {
  const length = lengthOf(boxes, where);
  let source: Float64Array;
  if (max !== undefined) {
    const other = lengthOf(max, where);
    if (!(length % 3 === 0 && length === other)) {
      throw new RangeError(
        `${where}: needs three numbers per box in min and in max, got ${length} and ${other} numbers`,
      );
    }
    source = new Float64Array(2 * length);
    for (let o = 0; o < length; o += 3) {
      copyNumbers(boxes, o, source, 2 * o, 3, where);
      copyNumbers(max, o, source, 2 * o + 3, 3, where);
    }
  } else {
    if (length % BOX !== 0) throw new RangeError(`${where}: needs six numbers per box, got ${length} numbers`);
    source = boxes instanceof Float64Array ? boxes : new Float64Array(length);
    if (source !== boxes) copyNumbers(boxes, 0, source, 0, length, where);
  }
  for (let o = 0; o < source.length; o += BOX) checkBox(source, o, where);
  return source;
}

function lengthOf(numbers: ArrayLike<number>, where: string): number {
  if (!isArrayLike(numbers)) {
    throw new TypeError(`${where}: boxes must be a flat array of numbers, got ${inWords(numbers)}`);
  }
  const { length } = numbers;
  if (!(length >= 0)) throw new RangeError(`${where}: needs six numbers per box, got ${length} numbers`);
  return length;
}

/** Copies numbers; throws if an element is not a number. */
export function copyNumbers(
  from: ArrayLike<number>,
  o: number,
  to: Float64Array,
  p: number,
  count: number,
  where: string,
): void {
  // Elements of a typed array are always numbers.
  if (from instanceof Float64Array || from instanceof Float32Array) {
    for (let i = 0; i < count; i++) to[p + i] = from[o + i];
    return;
  }
  for (let i = 0; i < count; i++) {
    const value: unknown = from[o + i];
    if (typeof value !== 'number') throw new TypeError(`${where}: must be a number, got ${inWords(value)}`);
    to[p + i] = value;
  }
}

/** True for six numbers at `o` whose minima do not exceed their maxima; false with NaN among them. */
export function isBox(b: Float64Array, o: number): boolean {
  return b[o] <= b[o + 3] && b[o + 1] <= b[o + 4] && b[o + 2] <= b[o + 5];
}

/** Throws unless the six numbers at `o` are a box. */
export function checkBox(b: Float64Array, o: number, where: string): void {
  if (isBox(b, o)) return;
  const text = Array.from(b.subarray(o, o + BOX)).join(' ');
  throw new RangeError(`${where}: min must not exceed max, and none may be NaN, got ${text}`);
}

/** True when all coordinates are within {@link BOUNDED}, so that the box can be placed by its position. */
export function isBounded(b: ArrayLike<number>, o = 0): boolean {
  // No minimum exceeds its maximum, so these comparisons bound all six coordinates from both sides.
  // biome-ignore format: aligned lines show the symmetry
  return b[o] >= -BOUNDED && b[o + 1] >= -BOUNDED && b[o + 2] >= -BOUNDED
      && b[o + 3] <= BOUNDED && b[o + 4] <= BOUNDED && b[o + 5] <= BOUNDED;
}

/** True when box b at p lies within box a at o; equal sides count as within. */
export function contains(a: ArrayLike<number>, o: number, b: ArrayLike<number>, p: number): boolean {
  // biome-ignore format: aligned lines show the symmetry
  return a[o] <= b[p] && b[p + 3] <= a[o + 3]
      && a[o + 1] <= b[p + 1] && b[p + 4] <= a[o + 4]
      && a[o + 2] <= b[p + 2] && b[p + 5] <= a[o + 5];
}

/** True when box a at o and box b at p touch. */
export function boxesTouch(a: ArrayLike<number>, o: number, b: ArrayLike<number>, p: number): boolean {
  // biome-ignore format: aligned lines show the symmetry
  return a[o] <= b[p + 3] && b[p] <= a[o + 3]
      && a[o + 2] <= b[p + 5] && b[p + 2] <= a[o + 5]
      && a[o + 1] <= b[p + 4] && b[p + 1] <= a[o + 4];
}

/** Makes the box at o empty, the neutral element of {@link unite}. */
export function makeEmpty(a: Float64Array, o: number): void {
  a[o] = a[o + 1] = a[o + 2] = Number.POSITIVE_INFINITY;
  a[o + 3] = a[o + 4] = a[o + 5] = Number.NEGATIVE_INFINITY;
}

/** Widens box a at o so that it holds box b at p. */
export function unite(a: Float64Array, o: number, b: ArrayLike<number>, p: number): void {
  if (b[p] < a[o]) a[o] = b[p];
  if (b[p + 1] < a[o + 1]) a[o + 1] = b[p + 1];
  if (b[p + 2] < a[o + 2]) a[o + 2] = b[p + 2];
  if (b[p + 3] > a[o + 3]) a[o + 3] = b[p + 3];
  if (b[p + 4] > a[o + 4]) a[o + 4] = b[p + 4];
  if (b[p + 5] > a[o + 5]) a[o + 5] = b[p + 5];
}

/**
 * Adds x, y and z to both ends of boxes. Infinite sides stay as they are.
 * @throws TypeError or RangeError unless the three are finite numbers, and if a finite side would overflow.
 */
export function shiftBoxes(boxes: Float64Array, x: number, y: number, z: number, where: string): void {
  const by = [x, y, z];
  if (by.some((c) => typeof c !== 'number')) {
    throw new TypeError(`${where}: x, y and z must be numbers, got ${by.map(inWords).join(' ')}`);
  }
  if (!by.every(Number.isFinite)) throw new RangeError(`${where}: must be finite, got ${by.join(' ')}`);
  for (let i = 0; i < boxes.length; i++) {
    const side = boxes[i] + by[i % 3];
    if (Number.isFinite(boxes[i]) && !Number.isFinite(side)) {
      throw new RangeError(`${where}: ${boxes[i]} cannot be moved by ${by[i % 3]}`);
    }
    boxes[i] = side;
  }
}
