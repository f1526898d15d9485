export interface LevelAttribute {
  /** All numbers of the attribute for each vertex; two for texture coordinates. */
  readonly numbers: Float32Array;
  /** The weight of a difference of 1, relative to a distance, or slide of a texture, as large as the geometry. */
  readonly weight: number;
  /** Whether the numbers are texture coordinates. */
  readonly isTexture: boolean;
}

/** The numbers of a geometry for its levels of detail. A source can be sent to a worker. */
export interface LevelSource {
  /** Three numbers per vertex. */
  readonly positions: Float32Array;
  /** Normals, tangents, colours, and the texture coordinates in use. */
  readonly attributes: readonly LevelAttribute[];
  /** Three vertices per triangle; 0, 1, 2 and so on for a geometry without an index. */
  readonly index: Uint32Array;
  /** Whether to make levels of cells, for views in which no level of the whole is near enough. Default false. */
  readonly inCells?: boolean;
}

/** Levels of detail over the vertices of a source, without the geometry itself, from fine to coarse. */
export interface Levels {
  /** The triangles of all levels, one level after the other. */
  readonly index: Uint32Array;
  /** Numbers of the index in each level. */
  readonly counts: readonly number[];
  /** How far each level may lie from the geometry, in its units. Never less than a finer level of the same cell. */
  readonly errors: readonly number[];
  /** The cells of the levels, one cell after the other, for a source with {@link LevelSource.inCells}. */
  readonly cells?: Cells;
}

/** Parts of a source, of 2,000 to 4,000 triangles each. The first level of a cell is all of it, with an error of 0. */
export interface Cells {
  /** The number of levels of each cell. */
  readonly levels: readonly number[];
  /** The least and the largest x, y and z of each cell. */
  readonly boxes: Float32Array;
}

/** A source without equal or unused vertices, in which vertices with near numbers lie near each other. */
export interface WeldedSource extends LevelSource {
  /** The vertex of the original source for each vertex. */
  readonly vertices: Uint32Array;
}

/** Bits of each axis in a Morton code: three of these and the number of a vertex fit into a double. */
const CODE_BITS = 10;

/** Merges equal vertices, as triangles collapse along shared sides only; leaves out vertices without a triangle. */
export function weld({ positions, attributes, index }: LevelSource): WeldedSource {
  const count = Math.floor(positions.length / 3);
  const numberOf = new Uint32Array(count);
  const corners = index.slice(0, 3 * Math.floor(index.length / 3));
  for (const vertex of corners) numberOf[vertex] = 1;
  const all = [positions, ...attributes.map(({ numbers }) => numbers)];
  const first = firstOfEqual(all, numberOf);
  const order = mortonOrder(positions, first);
  const moved = new Uint32Array(order.length);
  for (let position = 0; position < order.length; position++) moved[order[position]] = position;
  for (let i = 0; i < corners.length; i++) corners[i] = moved[numberOf[corners[i]]];
  const chosen = order.map((position) => first[position]);
  const [welded, ...others] = all.map((numbers) => pick(numbers, count, chosen));
  return {
    positions: welded,
    attributes: attributes.map((attribute, i) => ({ ...attribute, numbers: others[i] })),
    index: corners,
    vertices: chosen,
  };
}

/** Vertices in the order of a curve that fills the box around them (Morton, 1966): neighbours on it are near. */
function mortonOrder(positions: Float32Array, vertices: Uint32Array): Uint32Array {
  const { length } = vertices;
  const keys = new Float64Array(length);
  const order = new Uint32Array(length);
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const vertex of vertices) {
      const x = positions[3 * vertex + axis];
      if (x < low) low = x;
      if (x > high) high = x;
    }
    const perStep = (2 ** CODE_BITS - 1) / (high - low);
    for (let i = 0; i < length; i++) {
      keys[i] += spreadBits((positions[3 * vertices[i] + axis] - low) * perStep) * 2 ** axis;
    }
  }
  for (let i = 0; i < length; i++) keys[i] = keys[i] * length + i;
  keys.sort();
  for (let i = 0; i < length; i++) order[i] = keys[i] % length;
  return order;
}

/** Puts two zero bits between the bits of a whole number; NaN gives 0. */
function spreadBits(x: number): number {
  let n = x & (2 ** CODE_BITS - 1);
  n = (n | (n << 16)) & 0x030000ff;
  n = (n | (n << 8)) & 0x0300f00f;
  n = (n | (n << 4)) & 0x030c30c3;
  return (n | (n << 2)) & 0x09249249;
}

/** @param numberOf Nonzero for each vertex in use; replaced by the number of its set of equal vertices. */
function firstOfEqual(all: readonly Float32Array[], numberOf: Uint32Array): Uint32Array {
  const columns = all.map((numbers) => ({ numbers, size: numbers.length / numberOf.length }));
  const words = all.map(({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length));
  const first = new Uint32Array(numberOf.length);
  // One more than the number of a set, at its hash or the next free element; at most half of the elements are taken.
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * numberOf.length + 1)));
  let count = 0;
  for (let vertex = 0; vertex < numberOf.length; vertex++) {
    if (numberOf[vertex] === 0) continue;
    let bucket = 0;
    for (let k = 0; k < columns.length; k++) {
      const { size } = columns[k];
      for (let i = size * vertex; i < size * (vertex + 1); i++) {
        // -0 is equal to 0.
        bucket = Math.imul(bucket ^ (words[k][i] === 0x80000000 ? 0 : words[k][i]), 0x9e3779b1);
        bucket ^= bucket >>> 15;
      }
    }
    for (bucket &= table.length - 1; table[bucket] > 0; bucket = (bucket + 1) & (table.length - 1)) {
      if (columns.every(({ numbers, size }) => isEqual(numbers, size, vertex, first[table[bucket] - 1]))) break;
    }
    if (table[bucket] === 0) {
      first[count++] = vertex;
      table[bucket] = count;
    }
    numberOf[vertex] = table[bucket] - 1;
  }
  return first.slice(0, count);
}

function isEqual(numbers: Float32Array, size: number, a: number, b: number): boolean {
  for (let i = 0; i < size; i++) if (numbers[size * a + i] !== numbers[size * b + i]) return false;
  return true;
}

/** The numbers of some of `count` vertices. */
export function pick(numbers: Float32Array, count: number, vertices: Uint32Array): Float32Array {
  const size = numbers.length / count;
  const picked = new Float32Array(size * vertices.length);
  for (let position = 0, to = 0; position < vertices.length; position++) {
    for (let from = size * vertices[position], i = 0; i < size; i++) picked[to++] = numbers[from + i];
  }
  return picked;
}
