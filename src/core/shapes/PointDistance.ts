import { ROW } from '../box.js';
import { checkReach } from './vectors.js';

/** The count that stands for all items, in no particular order. */
export const ALL_ITEMS: number = Number.POSITIVE_INFINITY;
/** Index of the distance of a single box in `distances`, after the distances of a row. */
export const NODE_ENTRY: number = ROW;

/**
 * A query that gives boxes a distance, along a ray or from a point. Results go to typed arrays: a number returned by a
 * call that is not inlined is allocated on the heap.
 *
 * The distance of a box is at most that of any box within it, in floating point as in theory, as both come from one
 * expression, monotone in each coordinate.
 */
export interface DistanceQuery {
  /** Nearest and farthest distance that count; a search for the nearest items lowers the farthest as it goes. */
  readonly interval: Float64Array;
  /** Distances of the boxes tested last: by seat for a row of a tree; at NODE_ENTRY for the box given to `meets`. */
  readonly distances: Float64Array;
  /** Tests the box at `o`; true when it is within the interval. */
  meets(boxes: Float64Array, o: number): boolean;
}

/** Distances from a point to boxes, 0 for a box around the point. */
export class PointDistance implements DistanceQuery {
  readonly interval: Float64Array = new Float64Array(2);
  readonly distances: Float64Array = new Float64Array(ROW + 1);
  readonly point: Float64Array = new Float64Array(3);

  /** Checks a caller's point, and the largest distance that counts. */
  set(x: number, y: number, z: number, maxDistance: number, where: string): void {
    checkReach(x, y, z, maxDistance, where, 'point', 'distance');
    this.point[0] = x;
    this.point[1] = y;
    this.point[2] = z;
    this.interval[1] = maxDistance;
  }

  meets(b: Float64Array, o: number): boolean {
    const x = this.point[0];
    const y = this.point[1];
    const z = this.point[2];
    const dx = Math.max(b[o] - x, x - b[o + 3], 0);
    const dy = Math.max(b[o + 1] - y, y - b[o + 4], 0);
    const dz = Math.max(b[o + 2] - z, z - b[o + 5], 0);
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    this.distances[NODE_ENTRY] = distance;
    return distance <= this.interval[1];
  }
}
