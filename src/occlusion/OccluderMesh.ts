import { getOrMake } from '../core/arrays.js';

/**
 * A geometry as the buffer draws it, made once: triangles over vertices welded by equal positions, and edges.
 *
 * Vertices of equal position are one, because a program makes the same clip position of the same three numbers: so
 * triangles that share an edge leave no crack between them. Nearly equal positions promise nothing and are not welded.
 */
export class OccluderMesh {
  /** Three numbers for each vertex. */
  readonly positions: Float64Array;
  /** Three vertices for each triangle. */
  readonly triangles: Int32Array;
  /** Three edges for each triangle, doubled, plus one when the triangle passes the edge from its second vertex. */
  readonly triangleEdges: Int32Array;
  /** Two vertices for each edge. */
  readonly edges: Int32Array;
  /** The largest coordinate on each axis, without sign; NaN or infinite if a vertex is. */
  readonly reach: Float64Array = new Float64Array(3);

  /**
   * Reads vertices `start` to `start + count - 1`, or these elements of `index`: three for each triangle.
   * @param positions Three numbers for each vertex, as programs get them: rounded to single precision here.
   */
  constructor(
    positions: ArrayLike<number>,
    index: ArrayLike<number> | null = null,
    start: number = 0,
    count: number = Number.POSITIVE_INFINITY,
  ) {
    const end = Math.min(start + count, index === null ? Math.floor(positions.length / 3) : index.length);
    const most = Math.max(0, 3 * Math.floor((end - start) / 3));
    const triangles = new Int32Array(most);
    const triangleEdges = new Int32Array(most);
    const vertices: number[] = [];
    const edges: number[] = [];
    const [numbers, pairs, welded, sides] = Array.from({ length: 4 }, () => new Map<number, number>());
    const weld = (corner: number): number => {
      const o = 3 * (index === null ? corner : index[corner]);
      // The sum makes 0 of -0, which is equal.
      const [x, y, z] = [0, 1, 2].map((c) => Math.fround(positions[o + c]) + 0);
      const pair = numberOf(pairs, numberOf(numbers, x), numberOf(numbers, y));
      const vertex = numberOf(welded, pair, numberOf(numbers, z));
      if (3 * vertex === vertices.length) vertices.push(x, y, z);
      return vertex;
    };
    const edge = (a: number, b: number): number => {
      const number = numberOf(sides, Math.min(a, b), Math.max(a, b));
      if (2 * number === edges.length) edges.push(Math.min(a, b), Math.max(a, b));
      return 2 * number + (a < b ? 0 : 1);
    };
    let n = 0;
    for (let corner = start; corner + 2 < end; corner += 3) {
      const a = weld(corner);
      const b = weld(corner + 1);
      const c = weld(corner + 2);
      // A triangle without area is never drawn; the edges that it joins stay borders.
      if (a === b || b === c || c === a) continue;
      triangles.set([a, b, c], n);
      triangleEdges.set([edge(a, b), edge(b, c), edge(c, a)], n);
      n += 3;
    }
    this.triangles = triangles.slice(0, n);
    this.triangleEdges = triangleEdges.slice(0, n);
    this.edges = Int32Array.from(edges);
    this.positions = Float64Array.from(vertices);
    // `Math.max` keeps NaN.
    for (let i = 0; i < this.positions.length; i++) {
      this.reach[i % 3] = Math.max(this.reach[i % 3], Math.abs(this.positions[i]));
    }
  }

  get triangleCount(): number {
    return this.triangles.length / 3;
  }
}

/** More than the number of keys in any map here. */
const PAIR_BASE = 2 ** 26;

/** The number of a key, from 0 on: equal keys share it. A key is a number, or a pair with a whole first number. */
function numberOf(known: Map<number, number>, a: number, b: number = 0): number {
  return getOrMake(known, a * PAIR_BASE + b, () => known.size);
}
