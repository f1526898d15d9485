import { cellsOf } from './cells.js';
import { farthest, Surface } from './distance.js';
import { type Texturing, texturingOf } from './slide.js';
import { type LevelSource, type Levels, type WeldedSource, weld } from './weld.js';

export type { Cells, LevelAttribute, LevelSource, Levels } from './weld.js';

/** The methods in use of three's `MeshoptSimplifier`, from `three/addons/libs/meshopt_simplifier.module.js`. */
export interface Simplifier {
  simplifyWithAttributes(
    index: Uint32Array,
    positions: Float32Array,
    positionStride: number,
    attributes: Float32Array,
    attributeStride: number,
    weights: number[],
    lock: null,
    targetCount: number,
    targetError: number,
    flags: string[],
  ): [index: Uint32Array, error: number];
}

interface Level {
  /** The index of welded vertices; `named` is that of the source's vertices. */
  readonly index: Uint32Array;
  readonly named: Uint32Array;
  /** The error that the simplifier states, in extents; `error` is the one to declare. */
  readonly stated: number;
  readonly error: number;
  /** The number in `FLAGS` of the flags that the level took. */
  readonly flags: number;
}

/** A level has this share of the triangles of the one before, so all have at most 1.25 times those of the geometry. */
const SHARE_LEFT = 0.55;
/** Geometries of so many triangles get coarse levels first, from the fifth on, which is made straight of the whole. */
const LARGE = 100_000;
const STRAIGHT = SHARE_LEFT ** 5;
/** The least error that matters, as a fraction of the largest extent; `COARSEST` is the largest error. */
const LEAST_ERROR = 2 ** -12;
const COARSEST = 0.5;
/** Levels with this many triangles or fewer are not simplified further. */
const LEAST_TRIANGLES = 64;
/** Flags of the simplifier: when it gets stuck, further levels may collapse hard edges as well. */
const FLAGS = [
  ['LockBorder', 'Sparse'],
  ['LockBorder', 'Sparse', 'Permissive'],
];
/** Seams of three's own geometries differ in some bits: rounding to this share of the extent closes them. */
const SEAM_SNAP = 2 ** -20;
/** Errors are so much larger than measured, as points between measured points may lie farther off. */
const SAFETY = 1.05;

/**
 * Makes levels of detail, each of the one before.
 *
 * Open borders stay where they are, so that tiles of a ground meet. Positions, normals, texture coordinates and colours
 * are weighed together (Garland and Heckbert 1998, in meshoptimizer), and the distance of a level is measured. For a
 * source that asks for cells, the levels of each cell are made.
 * @param simplifier The simplifier of meshoptimizer, ready.
 * @param take Called with the levels of a large geometry so far, the coarse ones first, while more are made.
 */
export function levelsOf(source: LevelSource, simplifier: Simplifier, take?: (levels: Levels) => void): Levels {
  if (source.inCells === true) return cellsOf(source, (cell) => levelsOf(cell, simplifier));
  const welded = weld(source);
  const extent = extentOf(welded.positions);
  const coarsen = coarsening(welded, extent, simplifier);
  const whole: Level = { index: welded.index, named: welded.index, stated: 0, error: 0, flags: 0 };
  const fine: Level[] = [];
  const coarse: Level[] = [];
  const all = (): Levels => joined([...fine, ...coarse], LEAST_ERROR * extent);
  const straight = whole.index.length >= 3 * LARGE ? coarsen(whole, STRAIGHT) : null;
  for (let level = straight; level !== null; level = coarsen(level, SHARE_LEFT)) {
    coarse.push(level);
    if (level === straight) take?.(all());
  }
  if (coarse.length > 1) take?.(all());
  // Flat surfaces need no finer levels; other surfaces get four between the geometry and the level made straight.
  const few =
    straight === null ? 0 : straight.error < LEAST_ERROR * extent ? Number.POSITIVE_INFINITY : straight.index.length;
  for (let level: Level | null = whole; level !== null && level.index.length * SHARE_LEFT ** 1.5 > few; ) {
    level = coarsen(level, SHARE_LEFT);
    if (level !== null) fine.push(level);
    if (level !== null && straight !== null) take?.(all());
  }
  return all();
}

/** Makes a function that simplifies a level to a share of its triangles: null if that fails, or is too far off. */
function coarsening(
  source: WeldedSource,
  extent: number,
  simplifier: Simplifier,
): (from: Level, share: number) => Level | null {
  const { positions } = source;
  const grid = SEAM_SNAP * extent;
  const snapped = grid > 0 ? positions.map((x) => Math.round(x / grid) * grid) : positions;
  const textured = source.attributes.filter(({ isTexture }) => isTexture);
  const textures = textured.map(({ numbers }) => texturingOf(positions, numbers, source.index));
  const [attributes, weights] = interleaved(source, textures, extent);
  const original = new Surface(positions, source.index);
  return (from, share) => {
    if (from.index.length <= 3 * LEAST_TRIANGLES) return null;
    const target = 3 * Math.floor((share * from.index.length) / 3);
    const simplify = (flags: number): [index: Uint32Array, error: number, flags: number] => {
      const numbers = [attributes, weights.length, weights, null] as const;
      const goal = [target, COARSEST, FLAGS[flags]] as const;
      const [index, error] = simplifier.simplifyWithAttributes(from.index, snapped, 3, ...numbers, ...goal);
      return index.length > target && flags + 1 < FLAGS.length ? simplify(flags + 1) : [index, error, flags];
    };
    const [index, added, flags] = simplify(from.flags);
    if (index.length === 0 || index.length > target) return null;
    // Stated errors are means of squares, and add up as such.
    const stated = Math.hypot(from.stated, added);
    const least = Math.max(from.error, stated * extent) / SAFETY;
    const error = SAFETY * Math.sqrt(farthest(original, new Surface(positions, index), textures, least * least));
    // No mesh is drawn by a level that is farther off, nor by coarser levels.
    if (!(error <= extent && extent < Number.POSITIVE_INFINITY)) return null;
    return { index, named: index.map((vertex) => source.vertices[vertex]), stated, error, flags };
  };
}

function joined(levels: readonly Level[], finest: number): Levels {
  // Flat surfaces lose most of their triangles without error: only one of their exact levels is kept.
  const kept = levels.filter((_, i) => !(levels[i + 1]?.error < finest));
  const index = new Uint32Array(kept.reduce((sum, level) => sum + level.index.length, 0));
  const errors: number[] = [];
  let at = 0;
  for (const level of kept) {
    index.set(level.named, at);
    at += level.named.length;
    errors.push(Math.max(level.error, errors.at(-1) ?? 0));
  }
  return { index, counts: kept.map((level) => level.index.length), errors };
}

/** The largest side of the box around some points: the unit of the simplifier's errors. */
function extentOf(positions: Float32Array): number {
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = low.map((x) => -x);
  for (let i = 0; i < positions.length; i++) {
    if (positions[i] < low[i % 3]) low[i % 3] = positions[i];
    if (positions[i] > high[i % 3]) high[i % 3] = positions[i];
  }
  return Math.max(0, ...high.map((x, axis) => x - low[axis]));
}

/**
 * All attributes side by side, vertex by vertex, and the weight of each number. A texture coordinate weighs as much as
 * the slide, in extents, that changes it by one.
 */
function interleaved(source: WeldedSource, textures: Texturing[], extent: number): [Float32Array, number[]] {
  const { positions, attributes } = source;
  const count = positions.length / 3;
  const columns = attributes.flatMap(({ numbers, weight, isTexture }) => {
    const densities = isTexture ? textures.find((texture) => texture.numbers === numbers)?.densities : undefined;
    const size = numbers.length / count;
    return Array.from({ length: size }, (_, at) => {
      // Texture coordinates are given from the first vertex's: far from 0 they would lose digits in the simplifier.
      const from = densities ? numbers[at] : 0;
      return { numbers, size, at, from, weight: weight / (densities ? extent * densities[at] || 1 : 1) };
    });
  });
  const stride = columns.length;
  const all = new Float32Array(stride * count);
  for (const [column, { numbers, size, at, from }] of columns.entries()) {
    for (let vertex = 0; vertex < count; vertex++) all[stride * vertex + column] = numbers[size * vertex + at] - from;
  }
  return [all, columns.map(({ weight }) => weight)];
}
