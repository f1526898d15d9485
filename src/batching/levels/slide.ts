import type { LevelSource } from './makeLevels.js';

/** Texture coordinates, two a vertex, and by how much each changes along a unit of length on the mean. */
export interface Texturing {
  readonly numbers: Float32Array;
  readonly densities: readonly [u: number, v: number];
}

/** A point of a triangle, a + v (b - a) + w (c - a). */
export interface Foot {
  v: number;
  w: number;
}

/** A texture that is stretched by more than this beyond its mean counts as stretched by so much. */
const STRETCH = 16;

/** Of each set of texture coordinates. */
export function texturingsOf({ positions, attributes, index }: LevelSource): Texturing[] {
  return attributes.flatMap(({ numbers, isTexture }) => {
    if (!isTexture) return [];
    let [area, u, v] = [0, 0, 0];
    for (let t = 0; t < index.length; t += 3) {
      const sides = sidesOf(positions, index, t);
      area += Math.sqrt(sides.square);
      const [x, y] = [alongSides(numbers, index, t, 0), alongSides(numbers, index, t, 1)];
      // Rounding may take a square below 0.
      u += Math.sqrt(Math.max(0, product(sides, x, x)));
      v += Math.sqrt(Math.max(0, product(sides, y, y)));
    }
    return [{ numbers, densities: [u / area, v / area] }];
  });
}

/**
 * How far a texture slides over a surface at a vertex that is left out: from the point nearest to the vertex to where the
 * coordinates of the vertex lie, if they go on as they do there. A length in space, it depends neither on the repeat of the
 * texture nor on the units of the coordinates.
 * @param t The place in the index of the triangle with that point.
 */
export function slideAt(
  { numbers, densities }: Texturing,
  vertex: number,
  positions: Float32Array,
  index: Uint32Array,
  t: number,
  { v, w }: Foot,
): number {
  const sides = sidesOf(positions, index, t);
  const [x, y] = [alongSides(numbers, index, t, 0), alongSides(numbers, index, t, 1)];
  const [a, at] = [2 * index[t], 2 * vertex];
  const dx = numbers[at] - numbers[a] - v * x[0] - w * x[1];
  const dy = numbers[at + 1] - numbers[a + 1] - v * y[0] - w * y[1];
  if (dx === 0 && dy === 0) return 0;
  // The shift s solves gx * s = dx and gy * s = dy, where gx and gy are the gradients of the coordinates in the triangle.
  const area = sides.square || Number.POSITIVE_INFINITY;
  const xx = Math.max(product(sides, x, x) / area, (densities[0] / STRETCH) ** 2);
  const yy = Math.max(product(sides, y, y) / area, (densities[1] / STRETCH) ** 2);
  const xy = product(sides, x, y) / area;
  return Math.sqrt((dx * dx * yy - 2 * dx * dy * xy + dy * dy * xx) / Math.max(xx * yy - xy * xy, (xx * yy) / STRETCH));
}

/** Squares of two sides of a triangle, their product, and the square of twice its area. */
interface Sides {
  readonly ab: number;
  readonly ac: number;
  readonly abac: number;
  readonly square: number;
}

function sidesOf(p: Float32Array, index: Uint32Array, t: number): Sides {
  let [ab, ac, abac] = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    const from = p[3 * index[t] + axis];
    const toB = p[3 * index[t + 1] + axis] - from;
    const toC = p[3 * index[t + 2] + axis] - from;
    ab += toB * toB;
    ac += toC * toC;
    abac += toB * toC;
  }
  return { ab, ac, abac, square: Math.max(0, ab * ac - abac * abac) };
}

/** By how much a coordinate changes along these sides. */
type Changes = readonly [ab: number, ac: number];

function alongSides(numbers: Float32Array, index: Uint32Array, t: number, axis: number): Changes {
  const from = numbers[2 * index[t] + axis];
  return [numbers[2 * index[t + 1] + axis] - from, numbers[2 * index[t + 2] + axis] - from];
}

/** The scalar product of the gradients of two coordinates, times the square of twice the area. */
function product({ ab, ac, abac }: Sides, x: Changes, y: Changes): number {
  return x[0] * y[0] * ac - (x[0] * y[1] + x[1] * y[0]) * abac + x[1] * y[1] * ab;
}
