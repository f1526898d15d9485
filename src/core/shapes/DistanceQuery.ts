import { ROW } from '../../trees/Rows.js';

/** Place of the distance of a single box in `distances`, after those of a row. */
export const NODE_ENTRY: number = ROW;

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
  /** Distances, within the interval, of the boxes tested last: by slot after `row`, at NODE_ENTRY after `meets`. */
  readonly distances: Float64Array;
  /** Tests the box at `o`; true when it is within the interval. */
  meets(boxes: Float64Array, o: number): boolean;
  /** Tests the first `size` boxes of the row at `o`; returns the slots, as bits, of those within the interval. */
  row(boxes: Float64Array, o: number, size: number): number;
}
