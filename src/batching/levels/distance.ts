import { type Foot, squaredSlide, type Texturing } from './slide.js';

/** A texture may slide by this many times as much as the surface may be off. */
const SLIDE = 2;
/** Points of a triangle as shares of its corners: the middles of its sides, its own middle, then a grid of points. */
const SAMPLE_POINTS: [u: number, v: number, w: number][] = [
  [1 / 2, 1 / 2, 0],
  [0, 1 / 2, 1 / 2],
  [1 / 2, 0, 1 / 2],
  [1 / 3, 1 / 3, 1 / 3],
];
const MIDDLES = SAMPLE_POINTS.length;
const GRID_STEPS = 8;
for (let i = 0; i <= GRID_STEPS; i++) {
  for (let j = 0; i + j <= GRID_STEPS; j++)
    SAMPLE_POINTS.push([i / GRID_STEPS, j / GRID_STEPS, (GRID_STEPS - i - j) / GRID_STEPS]);
}
/** The grid counts as well if the square at a middle is this share of the largest: a larger one may lie beside it. */
const NEARLY = 0.6;
/** Number of sides that are remembered as measured. */
const SIDE_ENTRIES = 2 ** 12;
const NO_TEXTURES: readonly Texturing[] = [];

/**
 * Triangles in a tree of boxes, to find how far points lie from them. Node n holds the nodes 2n and 2n + 1, and node 1
 * all triangles. The last half are the triangles by their first corners, which weld.ts puts in Morton order.
 *
 * A search starts at the triangle that was found last and climbs from there, as consecutive points lie side by side.
 */
export class Surface {
  readonly positions: Float32Array;
  readonly index: Uint32Array;
  readonly point: Float64Array = new Float64Array(3);
  /** Boxes of the nodes, six numbers each: the least coordinates and the largest. */
  readonly #boxes: Float32Array;
  readonly #nodes: Uint32Array = new Uint32Array(64);
  readonly #foot: Foot = new Float64Array(3);
  /** The triangle that was found last. */
  #last = 0;

  constructor(positions: Float32Array, index: Uint32Array) {
    this.positions = positions;
    this.index = inOrder(index);
    this.#boxes = boxesOf(positions, this.index);
  }

  /**
   * The square of the distance of the point, or a square that is not larger than `enough`; infinite without triangles.
   * With textures the point is a vertex, and the larger of distance and slide counts at each triangle: beside a seam
   * two triangles are equally near, and one of them shows another part of a texture.
   */
  search(enough: number, textures: readonly Texturing[], vertex: number): number {
    // Few boxes are that near; for most points a triangle in one of these is near enough.
    const square = this.#walk(enough, enough, textures, vertex);
    return square <= enough ? square : this.#walk(enough, Number.POSITIVE_INFINITY, textures, vertex);
  }

  /** @param reach The square of the distance beyond which no box is opened. */
  #walk(enough: number, reach: number, textures: readonly Texturing[], vertex: number): number {
    const boxes = this.#boxes;
    const nodes = this.#nodes;
    const triangles = this.index.length / 3;
    const px = this.point[0];
    const py = this.point[1];
    const pz = this.point[2];
    let least = Number.POSITIVE_INFINITY;
    if (triangles > 0) least = this.#squareTo(this.#last, textures, vertex, reach);
    let far = Math.sqrt(Math.min(least, reach));
    // The search goes upwards from the triangle, through the sibling of each node.
    for (let from = triangles + this.#last; least > enough && from > 1; from >>= 1) {
      nodes[0] = from ^ 1;
      for (let top = 0; top >= 0 && least > enough; ) {
        const node = nodes[top--];
        const b = 6 * node;
        if (boxes[b] - px > far || boxes[b + 1] - py > far || boxes[b + 2] - pz > far) continue;
        if (px - boxes[b + 3] > far || py - boxes[b + 4] > far || pz - boxes[b + 5] > far) continue;
        if (node < triangles) {
          nodes[++top] = 2 * node;
          nodes[++top] = 2 * node + 1;
          continue;
        }
        const square = this.#squareTo(node - triangles, textures, vertex, Math.min(least, reach));
        if (square >= least) continue;
        least = square;
        this.#last = node - triangles;
        far = Math.sqrt(Math.min(least, reach));
      }
    }
    return least;
  }

  #squareTo(t: number, textures: readonly Texturing[], vertex: number, reach: number): number {
    squareToTriangle(this.positions, this.index, 3 * t, this.point, this.#foot);
    let square = this.#foot[2];
    for (let i = 0; i < textures.length && square <= reach; i++) {
      const slide = squaredSlide(textures[i], vertex, this.positions, this.index, 3 * t, this.#foot);
      square = Math.max(square, slide / SLIDE ** 2);
    }
    // Triangles with a corner that is NaN are nowhere.
    return square >= 0 ? square : Number.POSITIVE_INFINITY;
  }
}

/**
 * The square of how far a level and the original surface lie apart, or textures slide: the largest of all vertices that
 * the level lacks, and of the middles of its triangles and their sides; near the largest also of a grid of points.
 * @param most The result is at least this. For most points the first triangle that is nearer ends the search.
 */
export function farthest(original: Surface, level: Surface, textures: readonly Texturing[], most: number): number {
  const { positions: p } = original;
  const isKept = new Uint8Array(p.length / 3);
  for (const vertex of level.index) isKept[vertex] = 1;
  for (let vertex = 0; vertex < isKept.length; vertex++) {
    if (isKept[vertex] === 1) continue;
    for (let axis = 0; axis < 3; axis++) level.point[axis] = p[3 * vertex + axis];
    most = Math.max(most, level.search(most, textures, vertex));
  }
  const { index } = level;
  const { point } = original;
  // Most sides belong to two triangles, of which the second mostly comes soon.
  const sides = new Float64Array(SIDE_ENTRIES);
  for (let t = 0; t < index.length && most < Number.POSITIVE_INFINITY; t += 3) {
    for (let k = 0, end = MIDDLES; k < end; k++) {
      if (k < 3) {
        const [from, to] = [index[t + k], index[t + ((k + 1) % 3)]];
        const side = Math.min(from, to) * isKept.length + Math.max(from, to);
        if (sides[side % SIDE_ENTRIES] === side) continue;
        sides[side % SIDE_ENTRIES] = side;
      }
      for (let axis = 0; axis < 3; axis++) {
        point[axis] = 0;
        for (let i = 0; i < 3; i++) point[axis] += SAMPLE_POINTS[k][i] * p[3 * index[t + i] + axis];
      }
      const square = original.search(NEARLY * most, NO_TEXTURES, 0);
      if (square > NEARLY * most) end = SAMPLE_POINTS.length;
      most = Math.max(most, square);
    }
  }
  return most;
}

/** Triangles in the order of their first corners. */
function inOrder(index: Uint32Array): Uint32Array {
  const count = index.length / 3;
  const keys = new Float64Array(count);
  for (let t = 0; t < count; t++) keys[t] = index[3 * t] * count + t;
  keys.sort();
  const sorted = new Uint32Array(index.length);
  for (let i = 0; i < count; i++) {
    const t = keys[i] % count;
    for (let k = 0; k < 3; k++) sorted[3 * i + k] = index[3 * t + k];
  }
  return sorted;
}

/** Boxes of triangles, and from these upwards the boxes of all other nodes. */
function boxesOf(p: Float32Array, index: Uint32Array): Float32Array {
  const boxes = new Float32Array(4 * index.length);
  for (let t = 0, b = 2 * index.length; t < index.length; t += 3, b += 6) {
    for (let axis = 0; axis < 3; axis++) {
      const x = p[3 * index[t] + axis];
      const y = p[3 * index[t + 1] + axis];
      const z = p[3 * index[t + 2] + axis];
      boxes[b + axis] = Math.min(x, y, z);
      boxes[b + 3 + axis] = Math.max(x, y, z);
    }
  }
  for (let node = index.length / 3 - 1; node > 0; node--) {
    const b = 6 * node;
    const left = 2 * b;
    for (let axis = 0; axis < 3; axis++) {
      boxes[b + axis] = Math.min(boxes[left + axis], boxes[left + 6 + axis]);
      boxes[b + 3 + axis] = Math.max(boxes[left + 3 + axis], boxes[left + 9 + axis]);
    }
  }
  return boxes;
}

/** The squared distance of a point from a triangle (Ericson, Real-Time Collision Detection, 5.1.5), and its foot. */
function squareToTriangle(p: Float32Array, index: Uint32Array, t: number, point: Float64Array, foot: Foot): void {
  const a = 3 * index[t];
  const b = 3 * index[t + 1];
  const c = 3 * index[t + 2];
  const abx = p[b] - p[a];
  const aby = p[b + 1] - p[a + 1];
  const abz = p[b + 2] - p[a + 2];
  const acx = p[c] - p[a];
  const acy = p[c + 1] - p[a + 1];
  const acz = p[c + 2] - p[a + 2];
  const apx = point[0] - p[a];
  const apy = point[1] - p[a + 1];
  const apz = point[2] - p[a + 2];
  const ab = abx * abx + aby * aby + abz * abz;
  const ac = acx * acx + acy * acy + acz * acz;
  const abac = abx * acx + aby * acy + abz * acz;
  const d1 = abx * apx + aby * apy + abz * apz;
  const d2 = acx * apx + acy * apy + acz * apz;
  // The products from b and c: with d1 and d2 they tell all regions around the triangle apart.
  const d3 = d1 - ab;
  const d4 = d2 - abac;
  const d5 = d1 - abac;
  const d6 = d2 - ac;
  const toA = d3 * d6 - d5 * d4;
  const toB = d5 * d2 - d1 * d6;
  const toC = d1 * d4 - d3 * d2;
  let v = 0;
  let w = 0;
  if (d1 > 0 || d2 > 0) {
    if (d3 >= 0 && d4 <= d3) v = 1;
    else if (d6 >= 0 && d5 <= d6) w = 1;
    else if (toC <= 0 && d1 >= 0 && d3 <= 0) v = d1 / ab;
    else if (toB <= 0 && d2 >= 0 && d6 <= 0) w = d2 / ac;
    else if (toA <= 0 && d4 >= d3 && d5 >= d6) {
      w = (d4 - d3) / (d4 - d3 + d5 - d6);
      v = 1 - w;
    } else {
      v = toB / (toA + toB + toC);
      w = toC / (toA + toB + toC);
    }
    // Rounding may leave a thin triangle: another point on it is farther, which does no harm.
    v = v > 0 ? Math.min(v, 1) : 0;
    w = w > 0 ? Math.min(w, 1 - v) : 0;
  }
  const x = apx - v * abx - w * acx;
  const y = apy - v * aby - w * acy;
  const z = apz - v * abz - w * acz;
  foot[0] = v;
  foot[1] = w;
  foot[2] = x * x + y * y + z * z;
}
