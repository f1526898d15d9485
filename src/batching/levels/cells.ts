import { type LevelAttribute, type LevelSource, type Levels, pick } from './weld.js';

/** Most cells of a geometry, unless they would be too large. Small cells suit a view better, and cost more draws. */
const MOST_CELLS = 500;
/** Triangles of a cell, unless there would be too many cells. */
const LEAST_IN_CELL = 2000;
/** Most triangles of a cell, however many cells there are. */
const MOST_IN_CELL = 4000;

/**
 * Cuts a source in cells of about equally many triangles, and makes the levels of each cell.
 *
 * Triangles are divided along the axis on which they reach farthest, with half of the cells on each side, until each
 * part is a cell. Levels keep open borders, as cells have: so cells meet, by whichever levels they are drawn.
 * @param levelsOf Makes the levels of a cell.
 */
export function cellsOf(source: LevelSource, levelsOf: (cell: LevelSource) => Levels): Levels {
  const { positions, index } = source;
  const triangles = Math.floor(index.length / 3);
  const middles = middlesOf(positions, index, triangles);
  const order = Uint32Array.from({ length: triangles }, (_, i) => i);
  const pieces: Uint32Array[] = [];
  const counts: number[] = [];
  const errors: number[] = [];
  const levels: number[] = [];
  const boxes: number[] = [];
  const picker = new VertexPicker(source);
  const addCell = (from: number, to: number): void => {
    const own = new Uint32Array(3 * (to - from));
    for (let i = from, at = 0; i < to; i++) for (let k = 0; k < 3; k++) own[at++] = index[3 * order[i] + k];
    const [cell, vertices] = picker.pick(own);
    const made = levelsOf(cell);
    pieces.push(
      own,
      made.index.map((vertex) => vertices[vertex]),
    );
    counts.push(own.length, ...made.counts);
    errors.push(0, ...made.errors);
    levels.push(1 + made.counts.length);
    boxes.push(...boxAround(cell.positions));
  };
  const cut = (from: number, to: number, cells: number): void => {
    if (cells <= 1) {
      addCell(from, to);
      return;
    }
    const first = cells >> 1;
    const middle = from + Math.round(((to - from) * first) / cells);
    selectTriangles(order, middles, longestAxisOfCell(order, middles, from, to), from, to - 1, middle);
    cut(from, middle, first);
    cut(middle, to, cells - first);
  };
  if (triangles > 0)
    cut(0, triangles, Math.ceil(triangles / Math.min(MOST_IN_CELL, Math.max(LEAST_IN_CELL, triangles / MOST_CELLS))));
  const all = new Uint32Array(counts.reduce((sum, count) => sum + count, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return {
    index: all,
    counts,
    errors,
    cells: { levels, boxes: Float32Array.from(boxes) },
  };
}

/** The middle of each triangle, times three. */
function middlesOf(positions: Float32Array, index: Uint32Array, triangles: number): Float32Array {
  const middles = new Float32Array(3 * triangles);
  for (let corner = 0; corner < 3 * triangles; corner++) {
    const [to, from] = [corner - (corner % 3), 3 * index[corner]];
    for (let axis = 0; axis < 3; axis++) middles[to + axis] += positions[from + axis];
  }
  return middles;
}

function longestAxisOfCell(order: Uint32Array, middles: Float32Array, from: number, to: number): number {
  let [axis, longest] = [0, Number.NEGATIVE_INFINITY];
  for (let a = 0; a < 3; a++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = from; i < to; i++) {
      const x = middles[3 * order[i] + a];
      if (x < low) low = x;
      if (x > high) high = x;
    }
    if (high - low > longest) [axis, longest] = [a, high - low];
  }
  return axis;
}

/** Partitions triangles so that `wanted` of them come first along an axis (Hoare, Algorithm 65: Find, 1961). */
function selectTriangles(
  order: Uint32Array,
  middles: Float32Array,
  axis: number,
  first: number,
  last: number,
  wanted: number,
): void {
  let [low, high] = [first, last];
  while (low < high) {
    const pivot = middles[3 * order[(low + high) >> 1] + axis];
    let [i, j] = [low, high];
    while (i <= j) {
      while (middles[3 * order[i] + axis] < pivot) i++;
      while (middles[3 * order[j] + axis] > pivot) j--;
      if (i > j) break;
      const other = order[i];
      order[i++] = order[j];
      order[j--] = other;
    }
    if (wanted <= j) high = j;
    else if (wanted >= i) low = i;
    else return;
  }
}

/** Makes sources of some triangles of a source. */
class VertexPicker {
  readonly #source: LevelSource;
  /** One more than the new number of each vertex in the source that is being made; 0 for none. */
  readonly #numbers: Uint32Array;

  constructor(source: LevelSource) {
    this.#source = source;
    this.#numbers = new Uint32Array(source.positions.length / 3);
  }

  /** @returns the source, and the original vertex for each of its vertices. */
  pick(corners: Uint32Array): [source: LevelSource, vertices: Uint32Array] {
    const { positions, attributes } = this.#source;
    const numbers = this.#numbers;
    const found: number[] = [];
    const index = corners.map((vertex) => {
      if (numbers[vertex] === 0) numbers[vertex] = found.push(vertex);
      return numbers[vertex] - 1;
    });
    for (const vertex of found) numbers[vertex] = 0;
    const vertices = Uint32Array.from(found);
    const numbersOf = (all: Float32Array): Float32Array => pick(all, numbers.length, vertices);
    const picked = attributes.map((one): LevelAttribute => ({ ...one, numbers: numbersOf(one.numbers) }));
    return [{ positions: numbersOf(positions), attributes: picked, index }, vertices];
  }
}

function boxAround(positions: Float32Array): number[] {
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = low.map((x) => -x);
  for (let i = 0; i < positions.length; i++) {
    // A cell with NaN has no box, and is drawn everywhere.
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return [...low, ...high];
}
