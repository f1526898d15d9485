import { type BufferAttribute, type BufferGeometry, DataUtils, MathUtils } from 'three';
import { attributeOffset, strideOf, type VertexAttribute } from '../scene/objects/attributes.js';
import { isHalfFloat } from '../scene/objects/drawnAttributes.js';
import type { DrawRange } from './KnownGeometry.js';
import type { LevelAttribute, LevelSource, Levels } from './levels/makeLevels.js';
import { UV_SETS, WEIGHED } from './whyNoLevels.js';

/** Numbers read between two yields: about a millisecond. */
const NUMBERS_A_STEP = 2 ** 18;
/** Some vertices of a geometry: a list, or without a list `count` vertices from `first` on. */
export interface NamedVertices {
  readonly first: number;
  readonly count: number;
  readonly vertices: Uint32Array | null;
}

/** The numbers of a part of a geometry, and the vertices that they belong to. */
export interface CopiedSource {
  readonly source: LevelSource;
  readonly names: NamedVertices;
}

function* steps(length: number, work: (from: number, to: number) => void): Generator<void> {
  for (let from = 0; from < length; from += NUMBERS_A_STEP) {
    work(from, Math.min(from + NUMBERS_A_STEP, length));
    yield;
  }
}

/**
 * Copies, in slices, the numbers of a part of a geometry: positions and other attributes of the vertices that it names.
 * @param sets The sets of texture coordinates that the materials look up; see `setsFor`.
 */
export function* levelSourceOf(
  geometry: BufferGeometry,
  range: DrawRange,
  sets: number,
  inCells = false,
): Generator<void, CopiedSource> {
  const [names, index] = yield* namedVertices(geometry, range);
  const { attributes } = geometry;
  const sampled = UV_SETS.filter((_, set) => (sets & (1 << set)) !== 0);
  const textured = sampled.map((name) => ({ name, size: 2, weight: 1, isTexture: true }));
  const weighed: LevelAttribute[] = [];
  for (const { name, size, weight, isTexture } of [...WEIGHED, ...textured]) {
    if (attributes[name] === undefined) continue;
    const numbers = yield* numbersOf(attributes[name] as VertexAttribute, size, names);
    weighed.push({ numbers, weight, isTexture });
  }
  const positions = yield* numbersOf(attributes.position as VertexAttribute, 3, names);
  return { source: { positions, attributes: weighed, index, inCells }, names };
}

/** The vertices that a part names, and its index by their order. Large shared buffers must not make more work. */
export function* namedVertices(
  { index: all }: BufferGeometry,
  { start, count }: DrawRange,
): Generator<void, [NamedVertices, Uint32Array]> {
  const index = new Uint32Array(count);
  if (all === null) {
    yield* steps(count, (from, to) => {
      for (let i = from; i < to; i++) index[i] = i;
    });
    return [{ first: start, count, vertices: null }, index];
  }
  const array = (all as BufferAttribute).array.subarray(start, start + count);
  let [low, high] = [Number.POSITIVE_INFINITY, -1];
  yield* steps(count, (from, to) => {
    for (let i = from; i < to; i++) {
      if (array[i] < low) low = array[i];
      if (array[i] > high) high = array[i];
    }
  });
  if (high - low < 2 * count) {
    yield* steps(count, (from, to) => {
      for (let i = from; i < to; i++) index[i] = array[i] - low;
    });
    return [{ first: low, count: high - low + 1, vertices: null }, index];
  }
  // For each vertex from `low` on, its index in `found`, plus one; 0 for none. Memory that is not read costs nothing.
  const numbers = new Uint32Array(high - low + 1);
  const found = new Uint32Array(count);
  let length = 0;
  yield* steps(count, (from, to) => {
    for (let i = from; i < to; i++) {
      const at = array[i] - low;
      if (numbers[at] === 0) {
        found[length++] = array[i];
        numbers[at] = length;
      }
      index[i] = numbers[at] - 1;
    }
  });
  return [{ first: 0, count: length, vertices: found.slice(0, length) }, index];
}

/** Numbers of some vertices as shaders read them, at most `most` for each vertex. */
function* numbersOf(
  attribute: VertexAttribute,
  most: number,
  { first, count, vertices }: NamedVertices,
): Generator<void, Float32Array> {
  const { array, normalized } = attribute;
  const isHalf = isHalfFloat(attribute);
  const [stride, offset, size] = [strideOf(attribute), attributeOffset(attribute), Math.min(most, attribute.itemSize)];
  const isPlain = array instanceof Float32Array && stride === size && !normalized && vertices === null;
  const numbers = new Float32Array(size * count);
  yield* steps(count, (from, to) => {
    if (isPlain) {
      numbers.set(array.subarray(size * (first + from), size * (first + to)), size * from);
      return;
    }
    for (let v = from, at = size * from; v < to; v++) {
      for (let i = 0, o = stride * (vertices?.[v] ?? first + v) + offset; i < size; i++, o++, at++) {
        numbers[at] = isHalf ? DataUtils.fromHalfFloat(array[o]) : array[o];
        if (normalized && !isHalf) numbers[at] = MathUtils.denormalize(array[o], array as never);
      }
    }
  });
  return numbers;
}

/**
 * Checks levels, in slices, and has their index name the vertices of the geometry.
 * @throws TypeError for levels that cannot be drawn.
 */
export function* drawableLevels(
  levels: Levels | null | undefined,
  { first, count, vertices }: NamedVertices,
  isTrusted: boolean,
): Generator<void, Levels> {
  const { index, counts, errors, cells } = levels ?? { index: [], counts: [], errors: [0] };
  const isSum = counts.reduce((sum, count) => sum + count, 0) === index.length && errors.length === counts.length;
  // Errors begin anew with each cell.
  const starts = new Set<number>();
  let length = 0;
  for (const count of cells?.levels ?? [counts.length]) {
    starts.add(length);
    length += count;
  }
  const areAll = length === counts.length && (!cells || cells.boxes.length === 6 * cells.levels.length);
  const isRising = errors.every((error, k) => error >= (starts.has(k) ? 0 : errors[k - 1]));
  const isSound = levels != null && isSum && areAll && isRising;
  const refuse = (): never => {
    throw new TypeError('accelerate.levels.make: made levels that do not fit their geometry');
  };
  if (!isSound) refuse();
  if (isTrusted && vertices === null && first === 0) return levels as Levels;
  const named = new Uint32Array(index.length);
  yield* steps(index.length, (from, to) => {
    for (let i = from; i < to; i++) {
      if (!(index[i] < count)) refuse();
      named[i] = vertices?.[index[i]] ?? first + index[i];
    }
  });
  return { ...(levels as Levels), index: named };
}
