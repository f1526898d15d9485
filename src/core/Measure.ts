/**
 * What puts boxes at a distance: a ray that meets them on its way, or a point near them. Numbers go out by typed arrays,
 * as the result of a call that is not inlined each would be an object.
 *
 * The distance of a box is no more than that of any box within it, in floating point as in theory, as both come from one
 * expression that is monotone in each coordinate.
 */
export interface Measure {
  /** Nearest and farthest distance that count; a search for the nearest items lowers the latter as it goes. */
  readonly interval: Float64Array;
  /** Distances of the boxes tested last that count: by slot, and at NODE_ENTRY that of a single one. */
  readonly distances: Float64Array;
  /** True when the box at `o` is at a distance that counts; it is in `distances[NODE_ENTRY]`. */
  meets(boxes: Float64Array, o: number): boolean;
  /** The slots, as bits, of those of the first `size` boxes of the row at `o` that are at a distance that counts. */
  row(boxes: Float64Array, o: number, size: number): number;
}
