/** Texture coordinates, two per vertex, and how much each changes along a unit of length on average. */
export interface Texturing {
  readonly numbers: Float32Array;
  readonly densities: readonly [u: number, v: number];
}

/** A point of a triangle, a + v (b - a) + w (c - a): v, w, and the square of its distance. */
export type Foot = Float64Array;

/** A stretch of a texture counts as at most this many times the mean stretch. */
const STRETCH = 16;

/** Finds how much texture coordinates change on some triangles. */
export function texturingOf(positions: Float32Array, numbers: Float32Array, index: Uint32Array): Texturing {
  let [area, u, v] = [0, 0, 0];
  for (let t = 0; t < index.length; t += 3) {
    readTriangle(positions, numbers, index, t);
    area += Math.sqrt(on.square);
    u += Math.sqrt(on.xx);
    v += Math.sqrt(on.yy);
  }
  return { numbers, densities: [u / area, v / area] };
}

/**
 * The square of how far a texture slides at a vertex that is left out: from the nearest point of a triangle to the
 * point in its plane with the coordinates of the vertex. The slide is a length in space, so it depends neither on the
 * repeat of the texture nor on the units of the coordinates.
 * @param t Position in the index of the triangle with the nearest point.
 */
export function squaredSlide(
  { numbers, densities }: Texturing,
  vertex: number,
  positions: Float32Array,
  index: Uint32Array,
  t: number,
  foot: Foot,
): number {
  readTriangle(positions, numbers, index, t);
  const a = 2 * index[t];
  const at = 2 * vertex;
  const dx = numbers[at] - numbers[a] - foot[0] * on.xb - foot[1] * on.xc;
  const dy = numbers[at + 1] - numbers[a + 1] - foot[0] * on.yb - foot[1] * on.yc;
  // The shift s solves gx * s = dx and gy * s = dy, where gx and gy are the gradients of the coordinates in the triangle.
  const area = on.square || Number.POSITIVE_INFINITY;
  const xx = Math.max(on.xx / area, (densities[0] / STRETCH) ** 2);
  const yy = Math.max(on.yy / area, (densities[1] / STRETCH) ** 2);
  const xy = on.xy / area;
  const square = (dx * dx * yy - 2 * dx * dy * xy + dy * dy * xx) / Math.max(xx * yy - xy * xy, (xx * yy) / STRETCH);
  // If both coordinates change along one line, or one is constant, the other alone tells: 0 / 0 is the constant.
  return Math.max(square || 0, (dx * dx) / xx || 0, (dy * dy) / yy || 0);
}

/**
 * The triangle that was read last: the square of twice its area; the changes of both coordinates along its sides ab and
 * ac; the scalar products of their gradients, times that square.
 */
const on = { square: 0, xb: 0, xc: 0, yb: 0, yc: 0, xx: 0, yy: 0, xy: 0 };

function readTriangle(p: Float32Array, numbers: Float32Array, index: Uint32Array, t: number): void {
  const a = index[t];
  const b = index[t + 1];
  const c = index[t + 2];
  let bb = 0;
  let cc = 0;
  let bc = 0;
  for (let axis = 0; axis < 3; axis++) {
    const toB = p[3 * b + axis] - p[3 * a + axis];
    const toC = p[3 * c + axis] - p[3 * a + axis];
    bb += toB * toB;
    cc += toC * toC;
    bc += toB * toC;
  }
  const xb = numbers[2 * b] - numbers[2 * a];
  const xc = numbers[2 * c] - numbers[2 * a];
  const yb = numbers[2 * b + 1] - numbers[2 * a + 1];
  const yc = numbers[2 * c + 1] - numbers[2 * a + 1];
  // Rounding may take a square below 0.
  on.square = Math.max(0, bb * cc - bc * bc);
  on.xx = Math.max(0, xb * xb * cc - 2 * xb * xc * bc + xc * xc * bb);
  on.yy = Math.max(0, yb * yb * cc - 2 * yb * yc * bc + yc * yc * bb);
  on.xy = xb * yb * cc - (xb * yc + xc * yb) * bc + xc * yc * bb;
  on.xb = xb;
  on.xc = xc;
  on.yb = yb;
  on.yc = yc;
}
