import { type BatchedMesh, BufferAttribute, BufferGeometry, type TypedArray, type Vector3 } from 'three';
import { type BufferRange, bitsOf, makeAttribute, offsetOf, strideOf, type VertexAttribute } from './KnownBuffer.js';
import type { KnownGeometry } from './KnownGeometry.js';

/** The arrays of a batch: an attribute of each kind of its layout, in the order of their names, and an index. */
class BatchBuffers {
  attributes: readonly BufferAttribute[] = [];
  index: BufferAttribute | null = null;
  /** Vertices, and numbers of the index, that there is room for. */
  vertices = 0;
  indices = 0;
  bytes = 0;
  readonly #mesh: BatchedMesh;
  readonly #isShared: () => boolean;

  /** @param isShared Whether several renderers have drawn the batch. */
  constructor(mesh: BatchedMesh, isShared: () => boolean) {
    this.#mesh = mesh;
    this.#isShared = isShared;
  }

  /**
   * Has arrays made anew, of another size: graphics cards' buffers keep theirs.
   * @param like One of the geometries that are to lie in them.
   */
  resize(like: KnownGeometry, vertices: number, indices: number): void {
    const geometry = new BufferGeometry();
    this.attributes = like.attributes.map((attribute) => makeAttribute(attribute, vertices));
    for (const [i, name] of like.names.entries()) geometry.setAttribute(name, this.attributes[i]);
    if (like.indexBuffer !== null) {
      this.index = new BufferAttribute(new (isWide(vertices) ? Uint32Array : Uint16Array)(indices), 1);
      geometry.setIndex(this.index);
    }
    this.vertices = vertices;
    this.indices = indices;
    this.bytes = bytesFor(like, vertices, indices);
    this.#mesh.geometry.dispose();
    this.#mesh.geometry = geometry;
  }

  /** Has renderers upload a range; of several one would take the ranges from the others: they get all. */
  upload(attribute: BufferAttribute, { start, count }: BufferRange): void {
    if (count === 0) return;
    attribute.needsUpdate = true;
    const last = attribute.updateRanges.at(-1);
    if (this.#isShared()) attribute.clearUpdateRanges();
    else if (last !== undefined && last.start + last.count === start) last.count += count;
    else attribute.addUpdateRange(start, count);
  }

  /** Has renderers upload all. */
  uploadAll(): void {
    for (const attribute of [...this.attributes, this.index]) {
      // As a range, to which others may be added before it is uploaded.
      if (attribute !== null) this.upload(attribute, { start: 0, count: attribute.array.length });
    }
  }
}

/** Bytes of buffers for so many vertices of the kind of a geometry, and numbers of an index. */
function bytesFor({ attributes, indexBuffer }: KnownGeometry, vertices: number, indices: number): number {
  let bytes = indexBuffer === null ? 0 : indices * (isWide(vertices) ? 4 : 2);
  for (const { itemSize, array } of attributes) bytes += vertices * itemSize * array.BYTES_PER_ELEMENT;
  return bytes;
}

/** True for more vertices than numbers of two bytes can tell apart; the last of these begins a new strip. */
function isWide(vertices: number): boolean {
  return vertices > 65535;
}

/** How much memory the batches of a scene take, and may take: that of their buffers and textures. */
export class BatchMemory {
  readonly limit: number;
  used = 0;
  #hasWarned = false;

  /** @param limit In bytes. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** True when there are so many bytes left. */
  has(bytes: number): boolean {
    return this.used + bytes <= this.limit;
  }

  /** Takes some bytes; false, with a warning once, when there are not so many left. */
  take(bytes: number): boolean {
    if (this.has(bytes)) {
      this.used += bytes;
      return true;
    }
    if (!this.#hasWarned) {
      console.warn(`accelerate: batches may take no more than ${this.limit} bytes (maxBytes)`);
    }
    this.#hasWarned = true;
    return false;
  }

  give(bytes: number): void {
    this.used -= bytes;
  }
}

/**
 * Copies the numbers of so many vertices that lie in a range of the array of an attribute, bit for bit.
 * @param at The number in `to` with which the first vertex begins there.
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
  const offset = offsetOf(from);
  const { itemSize } = from;
  const source = bitsOf(from.array);
  const target = bitsOf(to.array as TypedArray);
  const end = Math.min(start + count, source.length);
  const first = Math.min(vertices, Math.floor(start / stride));
  const last = Math.min(vertices, Math.ceil(end / stride));
  if (first >= last) return { start: at, count: 0 };
  if (stride === itemSize) target.set(source.subarray(start, Math.min(end, vertices * itemSize)), at + start);
  else {
    for (let vertex = first; vertex < last; vertex++) {
      const o = vertex * stride + offset;
      for (let i = 0; i < itemSize; i++) {
        if (o + i >= start && o + i < end) target[at + vertex * itemSize + i] = source[o + i];
      }
    }
  }
  return { start: at + first * itemSize, count: (last - first) * itemSize };
}

/**
 * Copies numbers of an index that lie in a range, for vertices that begin elsewhere.
 * @returns the range of `to` that was written; null for a number beyond the vertices.
 */
function copyIndex(
  from: BufferAttribute,
  { start, count }: BufferRange,
  length: number,
  to: BufferAttribute,
  at: number,
  firstVertex: number,
  vertices: number,
): BufferRange | null {
  const { array: source } = from;
  const { array: target } = to;
  const end = Math.min(start + count, length);
  for (let i = start; i < end; i++) {
    if (source[i] >= vertices) return null;
    target[at + i] = source[i] + firstVertex;
  }
  return { start: at + start, count: Math.max(0, end - start) };
}

/** Vertices in the buffers of a batch: once for all geometries that have the same attributes, whatever their index. */
interface Vertices {
  readonly position: VertexAttribute;
  readonly attributes: readonly VertexAttribute[];
  /** The revisions of their buffers that are there. */
  readonly revisions: number[];
  readonly count: number;
  start: number;
  users: number;
}

/** A geometry in the buffers of a batch. */
export interface Shape {
  readonly known: KnownGeometry;
  readonly geometry: BufferGeometry;
  /** How many draws of the batch use it. */
  users: number;
  /** The revision of the geometry that is there. */
  revision: number;
  /** Null when it has no place: there was no memory, or it is not known what renderers have of it. */
  vertices: Vertices | null;
  index: BufferAttribute | null;
  indexRevision: number;
  indexCount: number;
  /** Where its numbers begin: those of its index, or its vertices without one. */
  start: number;
  /** The centre by which three sorts what has this geometry. */
  center: Vector3;
}

const ALL: readonly BufferRange[] = [{ start: 0, count: Number.POSITIVE_INFINITY }];
/** Buffers as full as this grow when there is no room at their end; others are moved together. */
const FULL = 3 / 4;

/**
 * The geometries of a batch: each lies in its buffers once, however many meshes have it, while any does. What is there is
 * what renderers have uploaded of it.
 */
export class BatchShapes {
  readonly #buffers: BatchBuffers;
  readonly #memory: BatchMemory;
  readonly #shapes = new Map<KnownGeometry, Shape>();
  readonly #byPosition = new Map<VertexAttribute, Vertices>();
  /** Where the room at the end begins, and how much before it is in use. */
  #nextVertex = 0;
  #nextIndex = 0;
  #usedVertices = 0;
  #usedIndices = 0;

  /** @param isShared Whether several renderers have drawn the batch. */
  constructor(batch: BatchedMesh, memory: BatchMemory, isShared: () => boolean) {
    this.#buffers = new BatchBuffers(batch, isShared);
    this.#memory = memory;
  }

  /** Bytes of the buffers. */
  get bytes(): number {
    return this.#buffers.bytes;
  }

  /** One more draw uses a geometry; null when it cannot have a place. */
  use(known: KnownGeometry): Shape | null {
    let shape = this.#shapes.get(known);
    if (shape === undefined) {
      shape = makeShape(known);
      if (!this.#place(shape)) return null;
      this.#shapes.set(known, shape);
    } else if (!this.follow(shape)) return null;
    shape.users++;
    return shape;
  }

  /** One draw less uses it. */
  drop(shape: Shape): void {
    if (--shape.users > 0) return;
    this.#shapes.delete(shape.known);
    this.#release(shape);
  }

  /** Takes account of changes of a geometry, whose layout is the same; false when it cannot have a place any more. */
  follow(shape: Shape): boolean {
    const { known } = shape;
    if (shape.revision === known.revision) return shape.vertices !== null;
    shape.revision = known.revision;
    if (shape.vertices === null) return false;
    if (fitsIn(shape) && this.#update(shape, shape.vertices)) {
      shape.center = centerOf(known.geometry);
      return true;
    }
    this.#release(shape);
    return this.#place(shape);
  }

  #place(shape: Shape): boolean {
    const { known } = shape;
    if (!known.isAsUploaded()) return false;
    const { index } = known.geometry;
    const indexCount = index?.count ?? 0;
    const shared = this.#byPosition.get(known.geometry.attributes.position as VertexAttribute);
    const isShared = shared !== undefined && areVerticesOf(shared, known);
    if (!this.#makeRoom(known, isShared ? 0 : known.vertices, indexCount)) return false;
    const vertices = isShared ? shared : this.#add(known);
    vertices.users++;
    const start = index === null ? vertices.start : this.#nextIndex;
    Object.assign(shape, { vertices, index, indexCount, start, center: centerOf(known.geometry), indexRevision: -1 });
    this.#nextIndex += indexCount;
    this.#usedIndices += indexCount;
    if (this.#update(shape, vertices)) return true;
    known.refuse('its index goes beyond its vertices');
    this.#release(shape);
    return false;
  }

  /** Takes room for the vertices of a geometry. */
  #add({ attributes, vertices: count, geometry }: KnownGeometry): Vertices {
    const position = geometry.attributes.position as VertexAttribute;
    const revisions = attributes.map(() => -1);
    const added = { position, attributes, revisions, count, start: this.#nextVertex, users: 0 };
    if (!this.#byPosition.has(position)) this.#byPosition.set(position, added);
    this.#nextVertex += count;
    this.#usedVertices += count;
    return added;
  }

  /** Copies what has changed; false when it is not known what renderers have of it. */
  #update(shape: Shape, { start, count, revisions, attributes }: Vertices): boolean {
    const { buffers, indexBuffer, frame } = shape.known;
    for (const [i, buffer] of buffers.entries()) {
      if (revisions[i] === buffer.revision) continue;
      const changes = buffer.changesSince(revisions[i], frame);
      if (changes === null) return false;
      revisions[i] = buffer.revision;
      const to = this.#buffers.attributes[i];
      for (const range of changes) {
        this.#buffers.upload(to, copyVertices(attributes[i], range, count, to, start * to.itemSize));
      }
    }
    if (indexBuffer === null || shape.indexRevision === indexBuffer.revision) return true;
    const changes = shape.indexRevision < 0 ? ALL : indexBuffer.changesSince(shape.indexRevision, frame);
    shape.indexRevision = indexBuffer.revision;
    return changes?.every((range) => this.#copyIndex(shape, range, start, count)) === true;
  }

  #copyIndex({ index, start, indexCount }: Shape, range: BufferRange, firstVertex: number, vertices: number): boolean {
    const to = this.#buffers.index as BufferAttribute;
    const written = copyIndex(index as BufferAttribute, range, indexCount, to, start, firstVertex, vertices);
    if (written !== null) this.#buffers.upload(to, written);
    return written !== null;
  }

  #release(shape: Shape): void {
    const { vertices, indexCount } = shape;
    if (vertices === null) return;
    shape.vertices = null;
    this.#usedIndices -= indexCount;
    if (--vertices.users > 0) return;
    if (this.#byPosition.get(vertices.position) === vertices) this.#byPosition.delete(vertices.position);
    this.#usedVertices -= vertices.count;
  }

  /** Makes room at the end: moves what is there together, or makes the buffers larger. */
  #makeRoom(known: KnownGeometry, vertices: number, indices: number): boolean {
    const { vertices: allVertices, indices: allIndices, bytes } = this.#buffers;
    if (this.#nextVertex + vertices <= allVertices && this.#nextIndex + indices <= allIndices) return true;
    for (let factor = 2; factor > 0; factor--) {
      const newVertices = roomFor(vertices, this.#nextVertex, this.#usedVertices, allVertices, factor);
      const newIndices = roomFor(indices, this.#nextIndex, this.#usedIndices, allIndices, factor);
      const more = bytesFor(known, newVertices, newIndices) - bytes;
      // Of the least that there has to be it is told when there is no memory for it.
      if (factor > 1 && !this.#memory.has(more)) continue;
      if (!this.#memory.take(more)) return false;
      this.#arrange(known, newVertices, newIndices);
      return true;
    }
    return false;
  }

  /** Moves what is there together, to the beginning of the buffers; these are made anew if they are to be larger. */
  #arrange(like: KnownGeometry, vertices: number, indices: number): void {
    const buffers = this.#buffers;
    const { attributes, index } = buffers;
    const isLarger = vertices > buffers.vertices || indices > buffers.indices;
    if (isLarger) buffers.resize(like, vertices, indices);
    const placed = [...this.#shapes.values()].filter((shape) => shape.vertices !== null);
    const shifts = new Map<Vertices, number>();
    this.#nextVertex = 0;
    for (const one of inOrder(placed.map((shape) => shape.vertices as Vertices))) {
      if (shifts.has(one)) continue;
      shifts.set(one, this.#nextVertex - one.start);
      for (const [i, { array, itemSize }] of attributes.entries()) {
        const moved = array.subarray(itemSize * one.start, itemSize * (one.start + one.count));
        buffers.attributes[i].array.set(moved, itemSize * this.#nextVertex);
      }
      one.start = this.#nextVertex;
      this.#nextVertex += one.count;
    }
    this.#nextIndex = 0;
    for (const shape of inOrder(placed)) {
      const block = shape.vertices as Vertices;
      if (index !== null) this.#moveIndex(shape, index, shifts.get(block) as number);
      else shape.start = block.start;
    }
    if (!isLarger) buffers.uploadAll();
  }

  #moveIndex(shape: Shape, from: BufferAttribute, shift: number): void {
    const { array } = this.#buffers.index as BufferAttribute;
    const end = this.#nextIndex + shape.indexCount;
    array.set(from.array.subarray(shape.start, shape.start + shape.indexCount), this.#nextIndex);
    for (let i = this.#nextIndex; i < end; i++) array[i] += shift;
    shape.start = this.#nextIndex;
    this.#nextIndex = end;
  }
}

/**
 * How large an array has to be.
 * @param count Numbers that are to come.
 * @param next Where the room at its end begins.
 * @param used Numbers that are in use.
 * @param factor By how much it grows.
 */
function roomFor(count: number, next: number, used: number, size: number, factor: number): number {
  if (next + count <= size || used + count <= FULL * size) return size;
  return Math.max(factor * size, used + count);
}

function inOrder<T extends { start: number }>(places: T[]): T[] {
  return places.sort((a, b) => a.start - b.start);
}

function makeShape(known: KnownGeometry): Shape {
  const { revision, geometry } = known;
  const center = centerOf(geometry);
  const index = { index: null, indexRevision: -1, indexCount: 0 };
  return { known, geometry, users: 0, revision, vertices: null, ...index, start: 0, center };
}

function centerOf(geometry: BufferGeometry): Vector3 {
  // As renderers do, which keep it.
  if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
  return (geometry.boundingSphere as NonNullable<BufferGeometry['boundingSphere']>).center;
}

/** True while a geometry has the attributes and the index, and as many of each, that it had when its place was made. */
function fitsIn({ vertices, index, indexCount, known }: Shape): boolean {
  const { geometry } = known;
  const isSameIndex = geometry.index === index && (index?.count ?? 0) === indexCount;
  return isSameIndex && vertices !== null && areVerticesOf(vertices, known);
}

function areVerticesOf({ attributes, count }: Vertices, known: KnownGeometry): boolean {
  return count === known.vertices && attributes.every((attribute, i) => attribute === known.attributes[i]);
}
