/**
 * A region of space that a query asks about, as the walks see it.
 *
 * A *mask* names the conditions that are still in doubt for a box: bit i set means that condition i (a plane, say) may
 * cut it. Whatever lies inside a box inherits the conditions that the box as a whole fulfils, so a mask only ever loses
 * bits on the way down, and mask 0 means that everything below belongs to the region without a further test.
 *
 * All tests evaluate one expression that is monotone in each coordinate, in floating point as in theory (rounding is
 * monotone). So a node is never dropped, and never taken whole, against what the same test says of an item in it: the
 * walks return exactly what testing every item returns.
 */
export interface Volume {
  /** The number by which kernels know its kind. */
  readonly kind: number;
  /** The mask with all conditions in doubt. */
  readonly all: number;
  /** -1 when the box at `o` is outside, else those conditions of `mask` that it does not fulfil as a whole. */
  node(boxes: Float64Array, o: number, mask: number): number;
  /** The slots, as bits, of the first `size` boxes of the row at `o` (see Rows) that meet all conditions of `mask`. */
  row(boxes: Float64Array, o: number, size: number, mask: number): number;
}

/** Kinds of volumes, as kernels know them. */
export const BOX_VOLUME = 1;
export const SPHERE_VOLUME = 2;
export const PLANES_VOLUME = 3;
