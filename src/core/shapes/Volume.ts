/**
 * A region of space that a query asks about, as traversals see it.
 *
 * A *mask* names the conditions still in doubt for a box: bit i set means that condition i (a plane, say) may
 * cut it. Boxes inside a box inherit the conditions that the whole box fulfils, so a mask only loses bits on the way
 * down, and at mask 0 everything below belongs to the region without a further test.
 *
 * All tests evaluate one expression that is monotone in each coordinate, in floating point as in theory (rounding is
 * monotone). So no test of a node contradicts the same test of an item in it: traversals return exactly the items that
 * a test of every item returns.
 */
export interface Volume {
  /** The number by which kernels know the kind of region. */
  readonly kind: number;
  /** The mask with all conditions in doubt. */
  readonly all: number;
  /** -1 when the box at `o` is outside, else the conditions of `mask` that the box does not fulfil as a whole. */
  node(boxes: Float64Array, o: number, mask: number): number;
}

export const BOX_VOLUME = 1;
export const SPHERE_VOLUME = 2;
export const PLANES_VOLUME = 3;

/** Most planes a region can have: one bit each in a mask that stays positive. */
export const MAX_PLANES = 30;
