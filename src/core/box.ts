/**
 * A box is six numbers: minX minY minZ maxX maxY maxZ, closed on all sides (touching counts).
 * Box i of a flat array starts at 6 * i.
 */
export const BOX = 6;

/**
 * Coordinates up to this size take part in the trees. Sums and products of a few of them cannot overflow, so distances
 * stay finite and comparisons between a node and what it holds stay monotone. Larger or infinite boxes are legal; they
 * are kept in a list of their own and tested one by one.
 */
const BOUNDED = 2 ** 300;

/** Copies a caller's box into `out`, or throws before anything else has happened. */
export function readBox(box: ArrayLike<number>, out: Float64Array, where: string): Float64Array {
  if (box === null || typeof box !== 'object' || typeof box.length !== 'number') {
    throw new TypeError(`${where}: a box is six numbers, got ${String(box)}`);
  }
  if (box.length !== BOX) throw new RangeError(`${where}: a box is six numbers, got ${box.length}`);
  checkBox(box, 0, where);
  for (let i = 0; i < BOX; i++) out[i] = box[i];
  return out;
}

/** Throws unless the six numbers at `o` are a box; written so that NaN fails as well. */
export function checkBox(boxes: ArrayLike<number>, o: number, where: string): void {
  for (let i = o; i < o + BOX; i++) {
    if (typeof boxes[i] !== 'number') throw new TypeError(`${where}: a box is six numbers, got ${String(boxes[i])}`);
  }
  if (!(boxes[o] <= boxes[o + 3] && boxes[o + 1] <= boxes[o + 4] && boxes[o + 2] <= boxes[o + 5])) {
    const text = Array.prototype.slice.call(boxes, o, o + BOX).join(' ');
    throw new RangeError(`${where}: min must not exceed max and nothing may be NaN, got ${text}`);
  }
}

/** True when the box can be filed by its position. */
export function isBounded(b: ArrayLike<number>, o = 0): boolean {
  for (let i = o; i < o + BOX; i++) if (!(Math.abs(b[i]) <= BOUNDED)) return false;
  return true;
}

/** True when box b at p lies within box a at o; equal sides count as within. */
export function contains(a: ArrayLike<number>, o: number, b: ArrayLike<number>, p: number): boolean {
  // biome-ignore format: aligned lines show the symmetry
  return a[o] <= b[p] && b[p + 3] <= a[o + 3]
      && a[o + 1] <= b[p + 1] && b[p + 4] <= a[o + 4]
      && a[o + 2] <= b[p + 2] && b[p + 5] <= a[o + 5];
}

/** Makes the box at o the empty box, the neutral element of {@link unite}. */
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
