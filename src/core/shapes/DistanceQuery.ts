/** Most siblings tested by one call of {@link DistanceQuery.siblings}. */
export const SIBLINGS = 16;

/**
 * A query that gives boxes a distance: along a ray that meets them, or from a point. Results are written to typed
 * arrays, because a number returned by a call that is not inlined is allocated on the heap.
 *
 * The distance of a box is at most that of any box within it, in floating point as in theory, as both come from one
 * expression that is monotone in each coordinate.
 */
export interface DistanceQuery {
  /** Nearest and farthest distance that count; a search for the nearest items lowers the farthest as it goes. */
  readonly interval: Float64Array;
  /**
   * Distances, within the interval, of the boxes tested last: by slot after `row`, by place in `near` after `siblings`.
   */
  readonly distances: Float64Array;
  /**
   * Tests the node `from` and the siblings after it, {@link SIBLINGS} at most. Writes those within the interval to
   * `near`, their distances to the same places of `distances`, and where to continue to `after`; returns the number of
   * nodes in `near`.
   */
  siblings(boxes: Float64Array, next: Int32Array, from: number): number;
  /** The nodes found by `siblings`. */
  readonly near: Int32Array;
  /** The first sibling that was not tested, or -1, and how many were. */
  readonly after: Int32Array;
  /** Tests the first `size` boxes of the row at `o`; returns the slots, as bits, of those within the interval. */
  row(boxes: Float64Array, o: number, size: number): number;
}
