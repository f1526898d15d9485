/** By this share of its coordinates the box around a shape is widened, so that rounding does not cut the shape. */
export const ROUNDING: number = 2 ** -48;

/**
 * A region of space that tells of one box at a time whether it touches it. Queries ask it about candidates that a walk
 * with a simpler {@link Volume} around it has found.
 */
export interface Shape {
  /** True when the box touches the region. */
  touches(box: Float64Array): boolean;
}
