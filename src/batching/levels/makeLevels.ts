import { farthest } from './distance.js';

/** What is used of three's `MeshoptSimplifier`, `three/addons/libs/meshopt_simplifier.module.js`. */
export interface Simplifier {
  /** Resolved when it may be called. */
  readonly ready: Promise<void>;
  getScale(positions: Float32Array, stride: number): number;
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

/** The numbers of a geometry of which levels of detail are made. They can be sent to a worker. */
export interface LevelSource {
  /** Three numbers a vertex. */
  readonly positions: Float32Array;
  /** Normals, texture coordinates and colours, and what a difference in them counts for beside one of the geometry's size. */
  readonly attributes: readonly { readonly numbers: Float32Array; readonly weight: number }[];
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

/** The first error that is tried, in parts of the largest extent, and the last. From one to the next it doubles. */
const FINEST = 2 ** -12;
const COARSEST = 0.5;
/** A level has at most this share of the triangles of the one before, so all have 1.3 times those of the geometry at most. */
const SHARE = 0.56;
/** No level is made of fewer triangles than this. */
const LEAST = 64;
/** Seams of three's own geometries do not meet bit by bit, and would be borders: positions are rounded to this, in extents. */
const SNAP = 2 ** -20;
/** The simplifier states a mean error. So the distance of some vertices is measured, of which this many times is declared. */
const SAMPLES = 512;
const SAFETY = 2;

/**
 * Makes levels of detail, each of the one before, in steps: the simplifier is called once in each, and takes some 4 ms for
 * 12,000 triangles.
 *
 * Open borders stay where they are, so that tiles of a ground meet. Positions, normals, texture coordinates and colours
 * are weighed together (Garland and Heckbert 1998, in meshoptimizer). Errors of levels add up.
 */
export function* makeLevels(source: LevelSource, simplifier: Simplifier): Generator<void, Levels> {
  const { positions } = source;
  const extent = simplifier.getScale(positions, 3);
  const grid = SNAP * extent;
  const snapped = grid > 0 ? positions.map((x) => Math.round(x / grid) * grid) : positions;
  const [attributes, weights] = interleaved(source);
  const levels: Uint32Array[] = [];
  const errors: number[] = [];
  let { index } = source;
  let stated = 0;
  let measured = 0;
  yield;
  for (let error = FINEST; error < COARSEST && index.length > 3 * LEAST; error *= 2) {
    if (error <= stated) continue;
    const stride = weights.length;
    const flags = ['LockBorder', 'Sparse'];
    const [coarser, added] = simplifier.simplifyWithAttributes(
      ...([index, snapped, 3, attributes, stride, weights, null, 0, error - stated, flags] as const),
    );
    yield;
    if (coarser.length === 0) break;
    if (coarser.length > SHARE * index.length) continue;
    index = coarser;
    stated += added;
    measured = Math.max(measured, yield* farthest(positions, index, SAMPLES));
    levels.push(index);
    errors.push(Math.max(stated * extent, SAFETY * measured));
  }
  const all = new Uint32Array(levels.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const level of levels) {
    all.set(level, at);
    at += level.length;
  }
  return { index: all, counts: levels.map(({ length }) => length), errors };
}

/** All attributes side by side, vertex by vertex, and the weight of each number. */
function interleaved({ positions, attributes }: LevelSource): [numbers: Float32Array, weights: number[]] {
  const count = positions.length / 3;
  const sizes = attributes.map(({ numbers }) => numbers.length / count);
  const weights = attributes.flatMap(({ weight }, a) => Array<number>(sizes[a]).fill(weight));
  const all = new Float32Array(weights.length * count);
  let first = 0;
  for (const [a, { numbers }] of attributes.entries()) {
    const size = sizes[a];
    for (let i = 0; i < numbers.length; i++) {
      all[Math.floor(i / size) * weights.length + first + (i % size)] = numbers[i];
    }
    first += size;
  }
  return [all, weights];
}
