import { grow } from '../core/arrays.js';

/**
 * What the buffer knows of a geometry, made once: its triangles over vertices welded by equal positions, and its edges.
 *
 * Vertices of equal position are one, because the same program makes the same clip position of the same three numbers: so
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
  /** The largest coordinate on each axis, without sign; NaN or infinite for vertices that are. */
  readonly reach: Float64Array = new Float64Array(3);

  /**
   * Reads vertices `start` to `start + count - 1`, or so many entries of `index`: three a triangle.
   * @param positions Three numbers for each vertex, as programs get them: rounded to single precision here.
   */
  constructor(
    positions: ArrayLike<number>,
    index: ArrayLike<number> | null = null,
    start: number = 0,
    count: number = Number.POSITIVE_INFINITY,
  ) {
    const end = Math.min(start + count, index === null ? Math.floor(positions.length / 3) : index.length);
    const vertices = new Welder(3);
    const edges = new Welder(2);
    const most = Math.max(0, 3 * Math.floor((end - start) / 3));
    const triangles = new Int32Array(most);
    const triangleEdges = new Int32Array(most);
    const xyz = new Float32Array(3);
    const bits = new Int32Array(xyz.buffer);
    const weld = (place: number): number => {
      const vertex = index === null ? place : index[place];
      // The sum makes 0 of -0, which is equal.
      for (let c = 0; c < 3; c++) xyz[c] = positions[3 * vertex + c] + 0;
      return vertices.add(bits[0], bits[1], bits[2]);
    };
    const edge = (a: number, b: number): number => (a < b ? 2 * edges.add(a, b, 0) : 2 * edges.add(b, a, 0) + 1);
    let n = 0;
    for (let place = start; place + 2 < end; place += 3) {
      const a = weld(place);
      const b = weld(place + 1);
      const c = weld(place + 2);
      // A triangle without area is never drawn; the edges that it joins stay borders.
      if (a === b || b === c || c === a) continue;
      triangles[n] = a;
      triangles[n + 1] = b;
      triangles[n + 2] = c;
      triangleEdges[n] = edge(a, b);
      triangleEdges[n + 1] = edge(b, c);
      triangleEdges[n + 2] = edge(c, a);
      n += 3;
    }
    this.triangles = triangles.slice(0, n);
    this.triangleEdges = triangleEdges.slice(0, n);
    this.edges = edges.words.slice(0, 2 * edges.count);
    this.positions = Float64Array.from(new Float32Array(vertices.words.buffer, 0, 3 * vertices.count));
    // `Math.max` keeps NaN.
    for (let i = 0; i < this.positions.length; i++) {
      this.reach[i % 3] = Math.max(this.reach[i % 3], Math.abs(this.positions[i]));
    }
  }

  get vertexCount(): number {
    return this.positions.length / 3;
  }

  get triangleCount(): number {
    return this.triangles.length / 3;
  }

  get edgeCount(): number {
    return this.edges.length / 2;
  }
}

/** Numbers tuples of two or three integers: equal ones get the same number. */
class Welder {
  readonly #size: number;
  words: Int32Array = new Int32Array(96);
  count = 0;
  /** Numbers by hash, plus one; 0 is free. At most half are taken. */
  #table = new Int32Array(64);

  constructor(size: number) {
    this.#size = size;
  }

  add(a: number, b: number, c: number): number {
    const size = this.#size;
    if (2 * this.count >= this.#table.length) this.#enlarge();
    const { words } = this;
    const mask = this.#table.length - 1;
    let slot = hashOf(a, b, c) & mask;
    for (; this.#table[slot] !== 0; slot = (slot + 1) & mask) {
      const at = size * (this.#table[slot] - 1);
      if (words[at] === a && words[at + 1] === b && (size === 2 || words[at + 2] === c)) return this.#table[slot] - 1;
    }
    this.#table[slot] = ++this.count;
    const at = size * (this.count - 1);
    if (at + size > words.length) this.words = grow(words, at + size);
    this.words[at] = a;
    this.words[at + 1] = b;
    if (size === 3) this.words[at + 2] = c;
    return this.count - 1;
  }

  #enlarge(): void {
    this.#table = new Int32Array(2 * this.#table.length);
    const mask = this.#table.length - 1;
    const { words } = this;
    for (let i = 0; i < this.count; i++) {
      const at = this.#size * i;
      let slot = hashOf(words[at], words[at + 1], this.#size === 3 ? words[at + 2] : 0) & mask;
      while (this.#table[slot] !== 0) slot = (slot + 1) & mask;
      this.#table[slot] = i + 1;
    }
  }
}

function hashOf(a: number, b: number, c: number): number {
  const h = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  return Math.imul(h ^ (h >>> 15), 0x2c1b3c6d) >>> 7;
}
