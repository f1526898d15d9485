import type { BufferAttribute, Vector3 } from 'three';
import type { VertexAttribute } from '../scene/objects/attributes.js';
import type { DrawRange, KnownGeometry } from './KnownGeometry.js';
import type { LeveledPart } from './LeveledPart.js';
import type { Levels } from './levels/makeLevels.js';

/** Vertices in the buffers: once for all geometries with the same attributes, whatever their index. */
export interface PlacedVertices {
  readonly position: VertexAttribute;
  readonly attributes: readonly VertexAttribute[];
  /** The stamps with which their buffers were copied. */
  readonly stamps: number[];
  readonly count: number;
  start: number;
  users: number;
}

export interface PlacedGeometry {
  readonly known: KnownGeometry;
  users: number;
  revision: number;
  /** Null while it has no place, as memory ran out. */
  vertices: PlacedVertices | null;
  index: BufferAttribute | null;
  indexStamp: number;
  indexCount: number;
  /** How much of its index has been copied. */
  copied: number;
  /** Where its index begins in the buffers, or without one its vertices. */
  start: number;
  /** How many numbers there is room for behind its index, for levels, and how many of these are taken. */
  room: number;
  taken: number;
  /** The centre by which three sorts meshes with this geometry. */
  center: Vector3;
  /** Levels of detail, one for each of its parts that have some here. */
  readonly levels: PlacedLevels[];
  /** The cells of parts that are drawn in such. */
  readonly cells: PlacedCells[];
}

/** Levels of detail of a part of a geometry in the buffers of a batch. */
export interface PlacedLevels extends DrawRange {
  readonly part: LeveledPart;
  /** The levels of which these are copied, the coarsest first, and how much of the next one is there. */
  of: Levels;
  copied: number;
  /** Where those begin that have been copied, behind the start of the geometry. */
  readonly places: number[];
  /** The sets of texture coordinates that they are made for. */
  weighed: number;
  /** Those that are drawn, from fine to coarse: how far each is off, its numbers of the index, and where they begin. */
  errors: readonly number[];
  counts: readonly number[];
  offsets: readonly number[];
  /** One divided by each error: from this size of a unit on the next finer one is drawn. */
  least: Float64Array;
}

/** The cells of a part of a geometry, with their levels, in the buffers of a batch. */
export interface PlacedCells extends DrawRange {
  readonly part: LeveledPart;
  readonly weighed: number;
  readonly of: Levels;
  /** Where they lie in the index, and how much of them is there. */
  place: number;
  copied: number;
  isShown: boolean;
  /** Six numbers a cell. */
  readonly boxes: Float32Array;
  /** By cell: one divided by each error but the first, which is 0. */
  readonly least: readonly Float64Array[];
  /** The first level of each cell; and where each level begins, from `place` on. */
  readonly firsts: readonly number[];
  readonly offsets: readonly number[];
}
