/** Coordinates of rows go up to this size; boxes that reach farther are kept outside of the rows. */
export const REACH: number = 2 ** 10;
/** Share and amount by which sides are moved outwards before they are rounded; rounding moves them by half as much. */
export const SHARE: number = 2 ** -23;
export const AMOUNT: number = 2 ** -100;
/** Scales stay within these, so that they can be inverted, and products with bounded coordinates are finite. */
const MOST_SCALE = 2 ** 300;

/**
 * Maps the coordinates of the world to those of rows, which are in single precision: they count from the middle of the
 * world, in units of about half its size.
 *
 * The map is monotone, also in floating point: differences, products with a power of two, what is added or subtracted
 * here, and rounding all are. So of two numbers of the world the larger never has the smaller image; if the images
 * differ, so do the numbers, in the same direction. Sides of boxes are moved outwards by more than rounding takes back,
 * so in exact arithmetic the image of a box in rows holds the box.
 */
export class Frame {
  readonly origin: Float64Array = new Float64Array(3);
  scale = 1;

  /** Puts the origin in the middle of a box, with coordinates up to about 1 in it. */
  fit(box: Float64Array): void {
    let half = 0;
    for (let c = 0; c < 3; c++) {
      this.origin[c] = box[c] / 2 + box[c + 3] / 2;
      half = Math.max(half, box[c + 3] / 2 - box[c] / 2);
    }
    const scale = half > 0 ? 2 ** -Math.ceil(Math.log2(half)) : 1;
    this.scale = Math.min(Math.max(scale, 1 / MOST_SCALE), MOST_SCALE);
  }

  /** Moves the origin. */
  shift(x: number, y: number, z: number): void {
    this.origin[0] += x;
    this.origin[1] += y;
    this.origin[2] += z;
  }

  /** A coordinate of the world on axis `c`, as rows count it, not rounded. */
  map(x: number, c: number): number {
    return (x - this.origin[c]) * this.scale;
  }

  /** True when rows can hold the box at `o`, see `toRows`. */
  reaches(boxes: Float64Array, o: number): boolean {
    const { origin, scale } = this;
    // biome-ignore format: aligned lines show the symmetry
    return (boxes[o] - origin[0]) * scale >= -REACH && (boxes[o + 3] - origin[0]) * scale <= REACH
        && (boxes[o + 1] - origin[1]) * scale >= -REACH && (boxes[o + 4] - origin[1]) * scale <= REACH
        && (boxes[o + 2] - origin[2]) * scale >= -REACH && (boxes[o + 5] - origin[2]) * scale <= REACH;
  }

  /** Writes the box at `o`, as rows hold it; false if it is unbounded or reaches too far for them. */
  toRows(boxes: Float64Array, o: number, out: Float32Array): boolean {
    const { origin, scale } = this;
    const x0 = (boxes[o] - origin[0]) * scale;
    const y0 = (boxes[o + 1] - origin[1]) * scale;
    const z0 = (boxes[o + 2] - origin[2]) * scale;
    const x1 = (boxes[o + 3] - origin[0]) * scale;
    const y1 = (boxes[o + 4] - origin[1]) * scale;
    const z1 = (boxes[o + 5] - origin[2]) * scale;
    out[0] = x0 - (Math.abs(x0) * SHARE + AMOUNT);
    out[1] = y0 - (Math.abs(y0) * SHARE + AMOUNT);
    out[2] = z0 - (Math.abs(z0) * SHARE + AMOUNT);
    out[3] = x1 + (Math.abs(x1) * SHARE + AMOUNT);
    out[4] = y1 + (Math.abs(y1) * SHARE + AMOUNT);
    out[5] = z1 + (Math.abs(z1) * SHARE + AMOUNT);
    // biome-ignore format: aligned lines show the symmetry
    return x0 >= -REACH && y0 >= -REACH && z0 >= -REACH
        && x1 <= REACH && y1 <= REACH && z1 <= REACH;
  }
}
