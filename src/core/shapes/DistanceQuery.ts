/** Siblings looked at by one call of {@link DistanceQuery.siblings}. */
export const SIBLINGS = 16;

/**
 * What puts boxes at a distance: a ray that meets them on its way, or a point near them. Numbers go out by typed arrays,
 * as the result of a call that is not inlined each would be an object.
 *
 * The distance of a box is no more than that of any box within it, in floating point as in theory, as both come from one
 * expression that is monotone in each coordinate.
 */
export interface DistanceQuery {
  /** Nearest and farthest distance that count; a search for the nearest items lowers the latter as it goes. */
  readonly interval: Float64Array;
  /** Distances of those of the boxes tested last that count: by slot, or by place among the siblings. */
  readonly distances: Float64Array;
  /**
   * Looks at a node, `from`, and those that follow it in its list, {@link SIBLINGS} at most. Those at a distance that
   * counts come into `near`, at the places of their `distances`, and where to go on into `after`; returns their number.
   */
  siblings(boxes: Float64Array, next: Int32Array, from: number): number;
  /** What `siblings` found. */
  readonly near: Int32Array;
  /** The first of the siblings that were not looked at, or -1, and how many were. */
  readonly after: Int32Array;
  /** The slots, as bits, of those of the first `size` boxes of the row at `o` that are at a distance that counts. */
  row(boxes: Float64Array, o: number, size: number): number;
}
