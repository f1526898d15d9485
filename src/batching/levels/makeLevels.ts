import { farthest } from './distance.js';
import { type Texturing, texturingOf } from './slide.js';

/** What is used of three's `MeshoptSimplifier`, `three/addons/libs/meshopt_simplifier.module.js`. */
export interface Simplifier {
  /** Resolved when it may be called. */
  readonly ready: Promise<void>;
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

export interface LevelAttribute {
  /** As many numbers a vertex as the attribute has; two of texture coordinates. */
  readonly numbers: Float32Array;
  /** The weight of a difference of 1 beside a distance as large as the geometry; of textures, beside a slide that far. */
  readonly weight: number;
  /** Whether the numbers are texture coordinates. */
  readonly isTexture: boolean;
}

/** The numbers of a geometry of which levels of detail are made. They can be sent to a worker. */
export interface LevelSource {
  /** Three numbers a vertex. */
  readonly positions: Float32Array;
  /** Normals, tangents, colours, and the texture coordinates that are used. */
  readonly attributes: readonly LevelAttribute[];
  readonly index: Uint32Array;
}

/** Levels of detail over the vertices of a geometry, without the geometry itself, from fine to coarse. */
export interface Levels {
  /** The triangles of all of them, one level after the other. */
  readonly index: Uint32Array;
  /** Numbers of the index that each has. */
  readonly counts: readonly number[];
  /** How far each may lie from the geometry, in its own units. Never less than in the level before. */
  readonly errors: readonly number[];
}

/** A level has this share of the triangles of the one before, so all have 1.3 times those of the geometry at most. */
const SHARE = 0.55;
/** The least error that matters, and the largest, in parts of the largest extent. */
const FINEST = 2 ** -12;
const COARSEST = 0.5;
/** No level is made of this many triangles or fewer. */
const LEAST = 64;
/** Seams of three's own geometries do not meet bit by bit, and would be borders: positions are rounded to this, in extents. */
const SNAP = 2 ** -20;
/** The simplifier states a mean error. So the distance of some vertices is measured, of which this many times is declared. */
const SAMPLES = 512;
const SAFETY = 2;
/** A texture may slide by this many times as much as the surface may be off. */
const SLIDE = 2;

/**
 * Makes levels of detail, each of the one before, in steps: the simplifier is called once in each, and takes some 4 ms for
 * 12,000 triangles.
 *
 * Open borders stay where they are, so that tiles of a ground meet. Positions, normals, texture coordinates and colours
 * are weighed together (Garland and Heckbert 1998, in meshoptimizer). Errors of levels add up.
 */
export function* makeLevels(source: LevelSource, simplifier: Simplifier): Generator<void, Levels> {
  const { positions } = source;
  const extent = extentOf(positions, source.index);
  const grid = SNAP * extent;
  const snapped = grid > 0 ? positions.map((x) => Math.round(x / grid) * grid) : positions;
  const textured = source.attributes.filter(({ isTexture }) => isTexture);
  const textures = textured.map(({ numbers }) => texturingOf(positions, numbers, source.index));
  const [attributes, weights] = interleaved(source, textures, extent);
  const levels: Uint32Array[] = [];
  const errors: number[] = [];
  let { index } = source;
  let stated = 0;
  let measured = 0;
  yield;
  while (index.length > 3 * LEAST) {
    const target = 3 * Math.floor((SHARE * index.length) / 3);
    const stride = weights.length;
    const flags = ['LockBorder', 'Sparse'];
    const [coarser, added] = simplifier.simplifyWithAttributes(
      ...([index, snapped, 3, attributes, stride, weights, null, target, COARSEST - stated, flags] as const),
    );
    yield;
    if (coarser.length === 0 || coarser.length > target) break;
    index = coarser;
    stated += added;
    measured = Math.max(measured, yield* farthest(positions, textures, index, SAMPLES, SLIDE));
    const error = Math.max(stated * extent, SAFETY * measured);
    // No mesh is drawn by such a level, nor by coarser ones.
    if (!(error <= extent)) break;
    // What is flat loses most of its triangles for nothing: one level of them does.
    if (error < FINEST * extent) levels.length = errors.length = 0;
    levels.push(index);
    errors.push(error);
  }
  const all = new Uint32Array(levels.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const level of levels) {
    all.set(level, at);
    at += level.length;
  }
  return { index: all, counts: levels.map(({ length }) => length), errors };
}

/** The largest side of a box around some triangles, to which the simplifier's errors are relative. */
function extentOf(positions: Float32Array, index: Uint32Array): number {
  let most = 0;
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const vertex of index) {
      const x = positions[3 * vertex + axis];
      if (x < low) low = x;
      if (x > high) high = x;
    }
    most = Math.max(most, high - low);
  }
  return most;
}

/**
 * All attributes side by side, vertex by vertex, and the weight of each number. A texture coordinate weighs as much as the
 * slide, in extents, that changes it by one.
 */
function interleaved(source: LevelSource, textures: Texturing[], extent: number): [Float32Array, number[]] {
  const { positions, attributes } = source;
  const count = positions.length / 3;
  const columns = attributes.flatMap(({ numbers, weight, isTexture }) => {
    const densities = isTexture ? textures.find((texture) => texture.numbers === numbers)?.densities : undefined;
    const size = numbers.length / count;
    return Array.from({ length: size }, (_, at) => {
      // Textures repeat: far from 0 the simplifier would lose the last digits of coordinates.
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
