import { type BatchedMesh, BufferAttribute, BufferGeometry, type TypedArray, type Vector3 } from 'three';
import type { BufferRange } from '../scene/facts/BufferFacts.js';
import { ALL, changesSince } from '../scene/facts/uploads.js';
import { offsetOf, strideOf, type VertexAttribute } from '../scene/objects/attributes.js';
import { keepArray } from '../scene/objects/drawnAttributes.js';
import { bitsOf, type KnownGeometry, makeAttribute } from './KnownGeometry.js';
import type { SlotLevels } from './levels/LevelChoice.js';
import type { Levels } from './levels/makeLevels.js';

/** Bytes of geometries that may be copied in one picture, so that none takes long; only the last of them exceeds it. */
const SHARE = 2e6;

/** The bytes that the batches of a scene take, and may take, for buffers and textures. */
export class BatchMemory {
  readonly limit: number;
  used = 0;
  /** What is left to be copied in this picture; at 0 or less everything waits for the next. */
  share: number = SHARE;
  #hasWarned = false;

  constructor(limit: number) {
    this.limit = limit;
  }

  has(bytes: number): boolean {
    return this.used + bytes <= this.limit;
  }

  beginPicture(): void {
    this.share = SHARE;
  }

  /** Allocates bytes; false, with one warning for the scene, when they are not left. */
  allocate(bytes: number): boolean {
    if (this.has(bytes)) {
      this.used += bytes;
      return true;
    }
    if (!this.#hasWarned)
      console.warn(
        `accelerate: batches have reached their limit of ${this.limit} bytes (batch.maxBytes); further meshes are drawn one by one`,
      );
    this.#hasWarned = true;
    return false;
  }
}

/** Vertices in the buffers: once for all geometries with the same attributes, whatever their index. */
interface PlacedVertices {
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
  /** Where its index begins in the buffers, or without one its vertices. */
  start: number;
  /** The centre by which three sorts meshes with this geometry. */
  center: Vector3;
  /** Its levels of detail; null while it has none here. */
  levels: PlacedLevels | null;
}

/** Levels of detail of a geometry in the buffers of a batch, without the geometry itself, which is the finest. */
export interface PlacedLevels extends SlotLevels {
  /** The levels of which some were copied, and the sets of texture coordinates that these are made for. */
  readonly of: Levels;
  readonly weighed: number;
  /** Where their index begins in the buffers, and its length. */
  start: number;
  readonly length: number;
}

/** Without room at their end, buffers fuller than this grow; in others there are gaps enough. */
const FULL = 3 / 4;
/** Levels of a geometry have so many times its triangles, at most. */
const MOST_OF_LEVELS = 1.3;

/** The buffers of a batch. They hold each geometry once, however many meshes use it, as renderers have uploaded it. */
export class BatchGeometry {
  bytes = 0;
  /** Grows whenever a geometry, or its levels, get another place in the buffers. */
  version = 0;
  /** How many geometries have levels here. */
  leveled = 0;
  readonly #mesh: BatchedMesh;
  readonly #memory: BatchMemory;
  readonly #isShared: () => boolean;
  readonly #placed = new Map<KnownGeometry, PlacedGeometry>();
  readonly #byPosition = new Map<VertexAttribute, PlacedVertices>();
  /** One for each attribute of the layout, in the order of their names. */
  #attributes: readonly BufferAttribute[] = [];
  #index: BufferAttribute | null = null;
  // Where the free room at the end begins, and how much before it is in use.
  #nextVertex = 0;
  #nextIndex = 0;
  #usedVertices = 0;
  #usedIndices = 0;

  /** @param isShared Whether several renderers have drawn the batch. */
  constructor(mesh: BatchedMesh, memory: BatchMemory, isShared: () => boolean) {
    this.#mesh = mesh;
    this.#memory = memory;
    this.#isShared = isShared;
  }

  get known(): Iterable<KnownGeometry> {
    return this.#placed.keys();
  }

  /** Makes room for geometries at once, where there is memory for all. */
  reserve(geometries: readonly KnownGeometry[]): void {
    const placed = new Set<unknown>(this.#byPosition.keys());
    let [vertices, indices] = [0, 0];
    for (const known of new Set(geometries)) {
      if (this.#placed.has(known)) continue;
      const { index, attributes } = known.geometry;
      if (!placed.has(attributes.position)) vertices += known.vertices;
      placed.add(attributes.position);
      indices += index?.count ?? 0;
    }
    this.#makeRoom(geometries[0], vertices, indices);
  }

  /** Adds a user of a geometry; null when it cannot have a place, or not yet. */
  use(known: KnownGeometry): PlacedGeometry | null {
    let placed = this.#placed.get(known);
    if (placed === undefined) {
      const nowhere = { vertices: null, index: null, indexStamp: -1, indexCount: 0, start: 0, levels: null };
      placed = { known, users: 0, revision: known.revision, ...nowhere, center: centerOf(known.geometry) };
      if (!this.#place(placed)) return null;
      this.#placed.set(known, placed);
      this.addLevels(known);
    } else if (!this.update(placed)) return null;
    placed.users++;
    return placed;
  }

  /** Gives a geometry that lies here the levels that are known of it: every other one where memory is short, or none. */
  addLevels(known: KnownGeometry): void {
    const placed = this.#placed.get(known);
    if (!placed?.vertices || placed.levels?.of === known.levels) return;
    this.#dropLevels(placed);
    if (known.levels === null) return;
    for (let step = 1; step <= known.levels.counts.length; step *= 2) {
      if (this.#placeLevels(placed, placed.vertices, known.levels, step)) return;
    }
  }

  drop(placed: PlacedGeometry): void {
    if (--placed.users > 0) return;
    this.#placed.delete(placed.known);
    this.#release(placed);
  }

  /** Copies the changes of a geometry whose layout is the same; false when it cannot have a place any more. */
  update(placed: PlacedGeometry): boolean {
    const { known, vertices } = placed;
    if (placed.revision === known.revision) return vertices !== null;
    placed.revision = known.revision;
    if (vertices === null) return false;
    this.#dropLevels(placed);
    const { index } = known.geometry;
    const hasIndex = index === placed.index && (index?.count ?? 0) === placed.indexCount;
    if (hasIndex && hasVerticesOf(vertices, known) && this.#copyChanges(placed, vertices)) {
      placed.center = centerOf(known.geometry);
      return true;
    }
    this.#release(placed);
    return this.#place(placed);
  }

  #place(placed: PlacedGeometry): boolean {
    const { known } = placed;
    const { index, attributes } = known.geometry;
    const indexCount = index?.count ?? 0;
    let vertices = this.#byPosition.get(attributes.position as VertexAttribute) ?? null;
    if (vertices !== null && !hasVerticesOf(vertices, known)) vertices = null;
    const added = vertices === null ? known.vertices : 0;
    // Room that is not used serves the next one.
    if (!this.#makeRoom(known, added, indexCount)) return false;
    this.#memory.share -= bytesFor(known, added, indexCount);
    vertices ??= this.#addVertices(known);
    vertices.users++;
    const start = index === null ? vertices.start : this.#nextIndex;
    this.version++;
    Object.assign(placed, { vertices, index, indexCount, start, center: centerOf(known.geometry), indexStamp: -1 });
    this.#nextIndex += indexCount;
    this.#usedIndices += indexCount;
    if (this.#copyChanges(placed, vertices)) return true;
    known.refuse('indexRange');
    this.#release(placed);
    return false;
  }

  #addVertices({ attributes, vertices: count, geometry }: KnownGeometry): PlacedVertices {
    const position = geometry.attributes.position as VertexAttribute;
    const stamps = attributes.map(() => -1);
    const added = { position, attributes, stamps, count, start: this.#nextVertex, users: 0 };
    if (!this.#byPosition.has(position)) this.#byPosition.set(position, added);
    this.#nextVertex += count;
    this.#usedVertices += count;
    return added;
  }

  /** @param step One in so many levels is placed, the coarser ones. */
  #placeLevels(placed: PlacedGeometry, vertices: PlacedVertices, levels: Levels, step: number): boolean {
    const isKept = (_: unknown, k: number): boolean => (k + 1) % step === 0;
    const [counts, errors] = [levels.counts.filter(isKept), levels.errors.filter(isKept)];
    const length = counts.reduce((sum, count) => sum + count, 0);
    const { weighed } = placed.known;
    const makeRoom = (count: number): boolean => this.#makeRoom(placed.known, 0, count, true);
    // At once for those of all others that may come.
    let more = length;
    for (const other of this.#placed.values()) {
      if (other !== placed && other.levels === null) more += MOST_OF_LEVELS * other.indexCount;
    }
    const isFull = this.#nextIndex + length > (this.#index as BufferAttribute).count;
    if (isFull && !makeRoom(Math.ceil(more)) && !makeRoom(length)) return false;
    this.#memory.share -= 4 * length;
    const start = this.#nextIndex;
    const offsets: number[] = [];
    let from = 0;
    for (const [k, count] of levels.counts.entries()) {
      if (isKept(count, k)) {
        offsets.push(this.#nextIndex - start);
        // Making room may have moved the vertices.
        this.#addIndex(levels.index, from, count, vertices.start);
      }
      from += count;
    }
    this.#usedIndices += length;
    this.#upload(this.#index as BufferAttribute, { start, count: length });
    const least = Float64Array.from(errors, (error) => 1 / error);
    placed.levels = { of: levels, weighed, start, length, offsets, counts, errors, least };
    this.leveled++;
    return true;
  }

  #dropLevels(placed: PlacedGeometry): void {
    if (placed.levels === null) return;
    this.leveled--;
    this.#usedIndices -= placed.levels.length;
    placed.levels = null;
  }

  #release(placed: PlacedGeometry): void {
    const { vertices, indexCount } = placed;
    if (vertices === null) return;
    this.#dropLevels(placed);
    placed.vertices = null;
    this.#usedIndices -= indexCount;
    if (--vertices.users > 0) return;
    if (this.#byPosition.get(vertices.position) === vertices) this.#byPosition.delete(vertices.position);
    this.#usedVertices -= vertices.count;
  }

  /** Copies what has changed; false when the index goes beyond the vertices. */
  #copyChanges(placed: PlacedGeometry, vertices: PlacedVertices): boolean {
    const { start, count, stamps, attributes } = vertices;
    const { buffers, indexBuffer } = placed.known;
    for (const [i, buffer] of buffers.entries()) {
      if (stamps[i] === buffer.stamp) continue;
      const changes = changesSince(stamps[i], buffer);
      stamps[i] = buffer.stamp;
      const to = this.#attributes[i];
      for (const range of changes) {
        this.#upload(to, copyVertices(attributes[i], range, count, to, start * to.itemSize));
      }
    }
    if (indexBuffer === null || placed.indexStamp === indexBuffer.stamp) return true;
    const changes = placed.indexStamp < 0 ? ALL : changesSince(placed.indexStamp, indexBuffer);
    placed.indexStamp = indexBuffer.stamp;
    return changes.every((range) => this.#copyIndex(placed, range, vertices));
  }

  /** Copies a range of an index for vertices that begin elsewhere; false for a number beyond them. */
  #copyIndex(placed: PlacedGeometry, { start, count }: BufferRange, vertices: PlacedVertices): boolean {
    const { index, start: at, indexCount } = placed;
    const end = Math.min(start + count, indexCount);
    if (start >= end) return true;
    const numbers = (index as BufferAttribute).array.subarray(start, end);
    const highest = copyShifted(numbers, this.#index as BufferAttribute, at + start, vertices.start);
    this.#upload(this.#index as BufferAttribute, { start: at + start, count: end - start });
    return highest < vertices.start + vertices.count;
  }

  /** Has a range uploaded; by several renderers everything, because the first one clears the ranges. */
  #upload(attribute: BufferAttribute, { start, count }: BufferRange): void {
    if (count === 0) return;
    attribute.needsUpdate = true;
    const last = attribute.updateRanges.at(-1);
    if (this.#isShared()) attribute.clearUpdateRanges();
    else if (last !== undefined && last.start + last.count === start) last.count += count;
    else attribute.addUpdateRange(start, count);
  }

  /**
   * Makes room at the end, in new buffers, which are larger if the present ones are nearly full.
   * @param isSpare Whether it is for what can be done without.
   */
  #makeRoom(known: KnownGeometry, vertices: number, indices: number, isSpare = false): boolean {
    const [maxVertices, maxIndices] = [this.#attributes[0]?.count ?? 0, this.#index?.count ?? 0];
    if (this.#nextVertex + vertices <= maxVertices && this.#nextIndex + indices <= maxIndices) return true;
    // Twice the size if there is memory for it, else as little as is needed.
    for (const factor of isSpare ? [1] : [2, 1]) {
      const newVertices = roomFor(vertices, this.#nextVertex, this.#usedVertices, maxVertices, factor);
      const newIndices = roomFor(indices, this.#nextIndex, this.#usedIndices, maxIndices, factor);
      const more = bytesFor(known, newVertices, newIndices) - this.bytes;
      if ((factor > 1 || isSpare) && !this.#memory.has(more)) continue;
      if (!this.#memory.allocate(more)) return false;
      this.#move(known, newVertices, newIndices);
      return true;
    }
    return false;
  }

  /** Moves everything to the beginning of new buffers. */
  #move(like: KnownGeometry, maxVertices: number, maxIndices: number): void {
    const [attributes, index] = [this.#attributes, this.#index];
    this.#replace(like, maxVertices, maxIndices);
    const shifts = new Map<PlacedVertices, number>();
    this.#nextVertex = this.#nextIndex = 0;
    for (const placed of this.#placed.values()) {
      const { vertices: block, start, indexCount, levels } = placed;
      if (block === null) continue;
      if (!shifts.has(block)) {
        shifts.set(block, this.#nextVertex - block.start);
        for (const [i, { array, itemSize }] of attributes.entries()) {
          const moved = array.subarray(itemSize * block.start, itemSize * (block.start + block.count));
          this.#attributes[i].array.set(moved, itemSize * this.#nextVertex);
        }
        block.start = this.#nextVertex;
        this.#nextVertex += block.count;
      }
      if (index === null) placed.start = block.start;
      else {
        const shift = shifts.get(block) as number;
        placed.start = this.#addIndex(index.array, start, indexCount, shift);
        if (levels !== null) levels.start = this.#addIndex(index.array, levels.start, levels.length, shift);
      }
    }
  }

  /** Copies a part of an index to where the free room begins, each number increased by `shift`; returns that place. */
  #addIndex(from: TypedArray, start: number, count: number, shift: number): number {
    const at = this.#nextIndex;
    copyShifted(from.subarray(start, start + count), this.#index as BufferAttribute, at, shift);
    this.#nextIndex += count;
    return at;
  }

  /** Makes new arrays in a new geometry: GPU buffers cannot be resized. */
  #replace(like: KnownGeometry, vertices: number, indices: number): void {
    const geometry = new BufferGeometry();
    this.#attributes = like.attributes.map((attribute) => makeAttribute(attribute, vertices));
    for (const [i, name] of like.names.entries()) geometry.setAttribute(name, this.#attributes[i]);
    if (like.indexBuffer !== null) {
      this.#index = keepArray(new BufferAttribute(new Uint32Array(indices), 1));
      geometry.setIndex(this.#index);
    }
    this.version++;
    this.bytes = bytesFor(like, vertices, indices);
    this.#mesh.geometry.dispose();
    this.#mesh.geometry = geometry;
  }
}

/** Copies numbers of an index, each increased by `shift`; returns the highest of the sums. */
function copyShifted(from: TypedArray, { array: to }: BufferAttribute, at: number, shift: number): number {
  to.set(from, at);
  const end = at + from.length;
  let highest = 0;
  for (let i = at; i < end; i++) {
    to[i] += shift;
    if (to[i] > highest) highest = to[i];
  }
  return highest;
}

/**
 * Copies a range of an array to the vertices of a batch, bit for bit.
 * @param vertices Vertices of the geometry.
 * @param at Index in `to` at which the first of them begins.
 * @returns the range of `to` that was written.
 */
function copyVertices(
  from: VertexAttribute,
  { start, count }: BufferRange,
  vertices: number,
  to: BufferAttribute,
  at: number,
): BufferRange {
  const stride = strideOf(from);
  const { itemSize } = from;
  const end = Math.min(start + count, vertices * stride, from.array.length);
  if (start >= end) return { start: at, count: 0 };
  if (stride === itemSize) {
    to.array.set(from.array.subarray(start, end), at + start);
    return { start: at + start, count: end - start };
  }
  const offset = offsetOf(from);
  const source = bitsOf(from.array);
  const target = bitsOf(to.array as TypedArray);
  const first = Math.floor(start / stride);
  const last = Math.ceil(end / stride);
  for (let vertex = first; vertex < last; vertex++) {
    const o = vertex * stride + offset;
    for (let i = 0; i < itemSize; i++) {
      if (o + i >= start && o + i < end) target[at + vertex * itemSize + i] = source[o + i];
    }
  }
  return { start: at + first * itemSize, count: (last - first) * itemSize };
}

/** Indices have 32 bits, however few the vertices are: all are copied by the same machine code. */
function bytesFor({ attributes, indexBuffer }: KnownGeometry, vertices: number, indices: number): number {
  let bytes = indexBuffer === null ? 0 : 4 * indices;
  for (const { itemSize, array } of attributes) bytes += vertices * itemSize * array.BYTES_PER_ELEMENT;
  return bytes;
}

/** The size an array needs for `count` more numbers, when it uses `used` of those before `next`. */
function roomFor(count: number, next: number, used: number, size: number, factor: number): number {
  if (next + count <= size || used + count <= FULL * size) return size;
  return Math.max(factor * size, used + count);
}

function centerOf(geometry: BufferGeometry): Vector3 {
  // Renderers compute it in the same way, and keep it.
  if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
  return (geometry.boundingSphere as NonNullable<BufferGeometry['boundingSphere']>).center;
}

/** True while a geometry has the attributes, of the same length, that these vertices were copied of. */
function hasVerticesOf({ attributes, count }: PlacedVertices, known: KnownGeometry): boolean {
  return count === known.vertices && attributes.every((attribute, i) => attribute === known.attributes[i]);
}
