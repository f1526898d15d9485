import type { BufferAttribute, Vector3 } from 'three';
import type { VertexAttribute } from '../scene/objects/attributes.js';
import type { DrawRange, KnownGeometry } from './KnownGeometry.js';
import type { LeveledPart } from './LeveledPart.js';
import type { Levels } from './levels/makeLevels.js';

/** Vertices in the buffers of a batch: once for all geometries with the same attributes, whatever their index. */
export interface PlacedVertices {
  readonly position: VertexAttribute;
  readonly attributes: readonly VertexAttribute[];
  /** The stamps of the buffers at the last copy. */
  readonly stamps: number[];
  readonly count: number;
  start: number;
  users: number;
}

export interface PlacedGeometry {
  readonly known: KnownGeometry;
  users: number;
  revision: number;
  /** The vertices; null while the geometry has no place, as memory ran out. */
  vertices: PlacedVertices | null;
  index: BufferAttribute | null;
  indexStamp: number;
  indexCount: number;
  /** How many numbers of the index have been copied. */
  copied: number;
  /** The start of the index in the buffers, or of the vertices without an index. */
  start: number;
  /** The room for levels behind the index, in numbers; `taken` counts those in use. */
  room: number;
  taken: number;
  /** The centre by which three sorts meshes with this geometry. */
  center: Vector3;
  /** The copied levels of each part of the geometry that has some. */
  readonly levels: PlacedLevels[];
  /** The cells of each part that is drawn in cells. */
  readonly cells: PlacedCells[];
}

/** Levels of detail of a part of a geometry in the buffers of a batch. */
export interface PlacedLevels extends DrawRange {
  readonly part: LeveledPart;
  /** The levels that are being copied, the coarsest first; `copied` counts the copied numbers of the next level. */
  of: Levels;
  copied: number;
  /** Starts of the copied levels, counted from the start of the geometry. */
  readonly places: number[];
  /** The sets of texture coordinates that the levels are made for. */
  weighed: number;
  /** Errors of the levels in use, from fine to coarse; `counts` and `offsets` are the ranges of the index they have. */
  errors: readonly number[];
  counts: readonly number[];
  offsets: readonly number[];
  /** One divided by each error: the size of a unit on the screen from which the next finer level is drawn. */
  least: Float64Array;
}

/** The cells of a part of a geometry, with their levels, in the buffers of a batch. */
export interface PlacedCells extends DrawRange {
  readonly part: LeveledPart;
  readonly weighed: number;
  readonly of: Levels;
  /** The start of the cells in the index; `copied` counts the copied numbers. */
  place: number;
  copied: number;
  isShown: boolean;
  /** Boxes of the cells, six numbers each. */
  readonly boxes: Float32Array;
  /** For each cell: one divided by each error but the first, which is 0. */
  readonly least: readonly Float64Array[];
  /** The first level of each cell; `offsets` has the start of each level, counted from `place`. */
  readonly firsts: readonly number[];
  readonly offsets: readonly number[];
}
