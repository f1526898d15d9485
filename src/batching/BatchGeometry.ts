import { type BatchedMesh, BufferAttribute, BufferGeometry, type TypedArray, type Vector3 } from 'three';
import type { BufferRange } from '../scene/facts/BufferFacts.js';
import { changesSince, WHOLE_BUFFER } from '../scene/facts/uploads.js';
import { attributeOffset, strideOf, type VertexAttribute } from '../scene/objects/attributes.js';
import { keepArray } from '../scene/objects/drawnAttributes.js';
import type { BatchMemory } from './BatchMemory.js';
import { asBits, type KnownGeometry, makeAttribute } from './KnownGeometry.js';
import { type BatchIndex, copyShifted, LevelCopies } from './LevelCopies.js';
import { CUT, type LeveledPart } from './LeveledPart.js';
import type { PlacedGeometry, PlacedVertices } from './PlacedGeometry.js';
import { FEWEST_TRIANGLES } from './whyNoLevels.js';

/** Numbers of one index that may be copied in one picture. */
const INDEX_PIECE = 2.5e5;
/** Share of a buffer in use above which it grows when its end is full. Emptier buffers have gaps enough. */
const FULL_BUFFER = 3 / 4;
/** The levels of a geometry have at most this many times its triangles. */
const MOST_OF_LEVELS = 1.25;

/**
 * The buffers of a batch. They hold each geometry once, as renderers have uploaded it, however many meshes use it. A
 * lone geometry is drawn from its own vertices: only its index is copied, with room for levels of detail behind it.
 */
export class BatchGeometry implements BatchIndex {
  bytes = 0;
  /** Grows whenever a geometry, or its levels, get another place in the buffers. */
  version = 0;
  readonly copies: LevelCopies;
  /** Number of geometries with enough triangles to be drawn in cells. */
  large = 0;
  readonly #mesh: BatchedMesh;
  readonly #memory: BatchMemory;
  readonly #isShared: () => boolean;
  readonly #isLeveled: boolean;
  readonly #mayLend: () => boolean;
  readonly #placed = new Map<KnownGeometry, PlacedGeometry>();
  readonly #byPosition = new Map<VertexAttribute, PlacedVertices>();
  /** The attributes of the layout, in the order of their names, or those that a geometry of the page lends. */
  #attributes: readonly BufferAttribute[] = [];
  #maxVertices = 0;
  /** Whether a renderer has uploaded the present buffers. */
  #isDrawn = false;
  /** The page's geometry whose vertices are drawn, neither copied nor written; null when the batch has copies. */
  #lender: BufferGeometry | null = null;
  #index: BufferAttribute | null = null;
  // All is free from `#nextVertex` and `#nextIndex` on; before those, `#usedVertices` and `#usedIndices` are in use.
  #nextVertex = 0;
  #nextIndex = 0;
  #usedVertices = 0;
  #usedIndices = 0;

  /**
   * @param isShared Whether several renderers have drawn the batch.
   * @param isLeveled Whether to keep room for levels of detail.
   * @param mayLend Whether a geometry that is alone may be drawn from its own buffers.
   */
  constructor(
    mesh: BatchedMesh,
    memory: BatchMemory,
    isShared: () => boolean,
    isLeveled = false,
    mayLend: () => boolean = () => false,
  ) {
    this.#mesh = mesh;
    this.#memory = memory;
    this.#isShared = isShared;
    this.#isLeveled = isLeveled;
    this.#mayLend = mayLend;
    this.copies = new LevelCopies(this, memory);
  }

  get known(): Iterable<KnownGeometry> {
    return this.#placed.keys();
  }

  /** Upper bound of the draws of all geometries in cells: each user may draw each cell. */
  get cellDraws(): number {
    let sum = 0;
    if (this.large === 0) return 0;
    for (const { cells, users } of this.#placed.values()) for (const { firsts } of cells) sum += users * firsts.length;
    return sum;
  }

  /** Makes room for several geometries at once, if there is memory for all of them. */
  reserve(geometries: readonly KnownGeometry[]): void {
    const placed = new Set<unknown>(this.#byPosition.keys());
    const added = [...new Set(geometries)].filter((known) => !this.#placed.has(known));
    if (added.length < 2) return;
    let [vertices, indices] = [0, 0];
    for (const known of added) {
      const { position } = known.geometry.attributes;
      if (!placed.has(position)) vertices += known.vertices;
      placed.add(position);
      indices += known.indexCount + this.#roomForLevels(known);
    }
    this.#makeRoom(added[0], vertices, indices, true, false);
  }

  /** Adds a user of a geometry; returns null when the geometry cannot have a place, or not yet. */
  use(known: KnownGeometry): PlacedGeometry | null {
    let placed = this.#placed.get(known);
    if (placed === undefined) {
      const nowhere = {
        vertices: null,
        index: null,
        indexStamp: -1,
        indexCount: 0,
        copied: 0,
        start: 0,
        room: 0,
        taken: 0,
      };
      placed = {
        known,
        users: 0,
        revision: known.revision,
        ...nowhere,
        levels: [],
        cells: [],
        center: centerOf(known.geometry),
      };
      if (!this.#place(placed)) return null;
      this.#placed.set(known, placed);
    } else if (!this.update(placed)) return null;
    if (!this.#copyRest(placed, false)) return null;
    placed.users++;
    return placed;
  }

  /** Copies the rest of an index, a long index in pieces, one per picture; false while the index is incomplete. */
  #copyRest(placed: PlacedGeometry, isDue: boolean): boolean {
    while (placed.copied < placed.indexCount) {
      if (this.#memory.share <= 0 && !isDue) return false;
      const left = placed.indexCount - placed.copied;
      const count = isDue ? left : Math.min(left, INDEX_PIECE);
      this.#memory.share = count < left ? 0 : this.#memory.share - 4 * count;
      if (!this.#copyIndex(placed, { start: placed.copied, count }, placed.vertices as PlacedVertices)) {
        placed.known.refuse('indexRange');
        this.#release(placed);
        if (placed.users === 0) this.#placed.delete(placed.known);
        return false;
      }
      placed.copied += count;
    }
    return true;
  }

  /** Queues levels of a part, or of its cells, for {@link copyLevels}, if its geometry has room for them here. */
  addLevels(part: LeveledPart): void {
    const placed = this.#placed.get(part.known);
    if (placed?.vertices && this.copies.add(part, placed)) this.#memory.copying.add(this);
  }

  /** Copies levels as far as the share of this picture goes. */
  copyLevels(): void {
    if (this.copies.copy()) this.#memory.copying.delete(this);
  }

  drop(placed: PlacedGeometry): void {
    if (--placed.users > 0) return;
    this.#placed.delete(placed.known);
    this.#release(placed);
  }

  /** Copies the changes of a geometry whose layout is the same; false when the geometry can no longer have a place. */
  update(placed: PlacedGeometry): boolean {
    const { known, vertices } = placed;
    if (placed.revision === known.revision) return vertices !== null;
    placed.revision = known.revision;
    if (vertices === null) return false;
    this.copies.drop(placed);
    const hasIndex = known.geometry.index === placed.index && known.indexCount === placed.indexCount;
    if (hasIndex && hasVerticesOf(vertices, known) && this.#copyRanges(placed, vertices)) {
      placed.center = centerOf(known.geometry);
      return true;
    }
    this.#release(placed);
    return this.#place(placed) && this.#copyRest(placed, true);
  }

  #place(placed: PlacedGeometry): boolean {
    const { known } = placed;
    const { index, attributes } = known.geometry;
    const { indexCount } = known;
    let vertices = this.#byPosition.get(attributes.position as VertexAttribute) ?? null;
    if (vertices !== null && !hasVerticesOf(vertices, known)) vertices = null;
    const added = vertices === null ? known.vertices : 0;
    let room = this.#roomForLevels(known);
    // Unused room serves the next geometry. When memory is short, a geometry gets no room for levels.
    if (room === 0 || !this.#makeRoom(known, added, indexCount + room, true)) {
      room = 0;
      if (!this.#makeRoom(known, added, indexCount)) return false;
    }
    this.#memory.share -= bytesFor(known, this.#lender ? 0 : added, 0);
    vertices ??= this.#addVertices(known);
    vertices.users++;
    const start = known.isIndexed ? this.#nextIndex : vertices.start;
    this.version++;
    const center = centerOf(known.geometry);
    Object.assign(placed, { vertices, index, indexCount, copied: 0, start, room, taken: 0, center, indexStamp: -1 });
    this.#nextIndex += indexCount + room;
    this.#usedIndices += indexCount + room;
    this.large += Number(this.#isLarge(placed));
    return this.#copyRanges(placed, vertices);
  }

  get index(): BufferAttribute {
    return this.#index as BufferAttribute;
  }

  uploadIndex(range: BufferRange): void {
    this.#upload(this.index, range);
  }

  takeRoom({ known }: PlacedGeometry, count: number): number {
    if (!this.#makeRoom(known, 0, count, true)) return -1;
    this.#nextIndex += count;
    this.#usedIndices += count;
    return this.#nextIndex - count;
  }

  freeRoom(count: number): void {
    this.#usedIndices -= count;
  }

  #roomForLevels({ isIndexed, indexCount }: KnownGeometry): number {
    return this.#isLeveled && isIndexed && indexCount >= 3 * FEWEST_TRIANGLES
      ? Math.ceil(MOST_OF_LEVELS * indexCount)
      : 0;
  }

  #isLarge({ indexCount }: PlacedGeometry): boolean {
    return this.#isLeveled && indexCount >= 3 * CUT;
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

  #release(placed: PlacedGeometry): void {
    const { vertices, indexCount, room } = placed;
    if (vertices === null) return;
    this.copies.drop(placed);
    placed.vertices = null;
    this.large -= Number(this.#isLarge(placed));
    this.#usedIndices -= indexCount + room;
    if (--vertices.users > 0) return;
    if (this.#byPosition.get(vertices.position) === vertices) this.#byPosition.delete(vertices.position);
    this.#usedVertices -= vertices.count;
  }

  /** Copies changed vertices and numbers of the index; false when the index goes beyond the vertices. */
  #copyRanges(placed: PlacedGeometry, vertices: PlacedVertices): boolean {
    const { start, count, stamps, attributes } = vertices;
    const { buffers, indexBuffer } = placed.known;
    for (const [i, buffer] of buffers.entries()) {
      if (stamps[i] === buffer.stamp) continue;
      const changes = changesSince(stamps[i], buffer);
      stamps[i] = buffer.stamp;
      const to = this.#attributes[i];
      if (this.#lender !== null) continue;
      for (const range of changes) {
        this.#upload(to, copyVertices(attributes[i], range, count, to, start * to.itemSize));
      }
    }
    const stamp = indexBuffer?.stamp ?? 0;
    if (!placed.known.isIndexed || placed.indexStamp === stamp) return true;
    const changes = indexBuffer === null ? WHOLE_BUFFER : changesSince(placed.indexStamp, indexBuffer);
    placed.indexStamp = stamp;
    if (placed.copied < placed.indexCount) {
      placed.copied = 0;
      return true;
    }
    return changes.every((range) => this.#copyIndex(placed, range, vertices));
  }

  /** Copies a range of an index, shifted to the start of its vertices; false for a number beyond the vertices. */
  #copyIndex(placed: PlacedGeometry, { start, count }: BufferRange, vertices: PlacedVertices): boolean {
    const { index, start: at, indexCount } = placed;
    const end = Math.min(start + count, indexCount);
    if (start >= end) return true;
    const to = this.#index as BufferAttribute;
    this.#upload(to, { start: at + start, count: end - start });
    if (index !== null)
      return (
        copyShifted(index.array.subarray(start, end), to, at + start, vertices.start) < vertices.start + vertices.count
      );
    for (let i = start; i < end; i++) to.array[at + i] = vertices.start + i;
    return true;
  }

  /** Uploads a range of an attribute, or all of it to several renderers, as the first one clears the ranges. */
  #upload(attribute: BufferAttribute, { start, count }: BufferRange): void {
    if (count === 0) return;
    attribute.needsUpdate = true;
    // New buffers are uploaded as a whole.
    if (!this.#isDrawn) return;
    const last = attribute.updateRanges.at(-1);
    if (this.#isShared()) attribute.clearUpdateRanges();
    else if (last !== undefined && last.start + last.count === start) last.count += count;
    else attribute.addUpdateRange(start, count);
  }

  /**
   * Makes room at the end, in new buffers, which are larger if the present ones are nearly full.
   * @param isSpare Whether the batch can do without the room.
   * @param mayLend Whether the room is for one geometry, which may lend its vertices if the batch has no others.
   */
  #makeRoom(
    known: KnownGeometry,
    vertices: number,
    indices: number,
    isSpare = false,
    mayLend: boolean = this.#mayLend(),
  ): boolean {
    const [maxVertices, maxIndices] = [this.#maxVertices, this.#index?.count ?? 0];
    if (this.#nextVertex + vertices <= maxVertices && this.#nextIndex + indices <= maxIndices) return true;
    // A geometry that is alone goes on lending its vertices when only its index grows.
    const isKept = this.#lender === known.geometry && vertices === 0;
    const isLent = isKept || (mayLend && this.#usedVertices === 0 && vertices === known.vertices);
    // Buffers grow to twice their size if there is memory for that, else only as far as needed.
    for (const factor of [2, 1]) {
      const newVertices = isLent
        ? known.vertices
        : roomInArray(vertices, this.#nextVertex, this.#usedVertices, maxVertices, factor);
      const newIndices = roomInArray(indices, this.#nextIndex, this.#usedIndices, maxIndices, factor);
      const bytes = bytesFor(known, isLent ? 0 : newVertices, newIndices);
      const more = bytes - this.bytes;
      if ((factor > 1 || isSpare) && !this.#memory.has(more)) continue;
      if (!this.#memory.allocate(more)) return false;
      this.bytes = bytes;
      this.#move(known, newVertices, newIndices, isLent);
      return true;
    }
    return false;
  }

  /** Moves all vertices and indices to the beginning of new buffers. */
  #move(like: KnownGeometry, maxVertices: number, maxIndices: number, isLent: boolean): void {
    const [attributes, index, wasLent] = [this.#attributes, this.#index, this.#lender !== null];
    const moveIndex = (from: number, count: number, shift: number): number => {
      const moved = (index as BufferAttribute).array.subarray(from, from + count);
      if (shift === 0) this.index.array.set(moved, this.#nextIndex);
      else copyShifted(moved, this.index, this.#nextIndex, shift);
      this.#nextIndex += count;
      return this.#nextIndex - count;
    };
    this.#replace(like, maxVertices, maxIndices, isLent);
    const shifts = new Map<PlacedVertices, number>();
    this.#nextVertex = this.#nextIndex = 0;
    for (const placed of this.#placed.values()) {
      const { vertices: block, start, indexCount, room } = placed;
      if (block === null) continue;
      if (!shifts.has(block)) {
        shifts.set(block, this.#nextVertex - block.start);
        for (const [i, { array, itemSize }] of isLent ? [] : attributes.entries()) {
          const [to, at] = [this.#attributes[i], itemSize * this.#nextVertex];
          if (wasLent) copyVertices(block.attributes[i], WHOLE_BUFFER[0], block.count, to, at);
          else to.array.set(array.subarray(itemSize * block.start, itemSize * (block.start + block.count)), at);
        }
        block.start = this.#nextVertex;
        this.#nextVertex += block.count;
      }
      const shift = shifts.get(block) as number;
      placed.start = index === null ? block.start : moveIndex(start, indexCount + room, shift);
      for (const cells of placed.cells) cells.place = moveIndex(cells.place, cells.of.index.length, shift);
    }
  }

  /**
   * Makes new arrays in a new geometry: GPU buffers cannot be resized.
   * @param isLent Whether the batch draws the vertices of `like` from that geometry's own buffers.
   */
  #replace(like: KnownGeometry, vertices: number, indices: number, isLent: boolean): void {
    const geometry = new BufferGeometry();
    this.#attributes = isLent
      ? (like.attributes as readonly BufferAttribute[])
      : like.attributes.map((attribute) => makeAttribute(attribute, vertices));
    for (const [i, name] of like.names.entries()) geometry.setAttribute(name, this.#attributes[i]);
    if (like.isIndexed) {
      this.#index = keepArray(new BufferAttribute(new Uint32Array(indices), 1));
      geometry.setIndex(this.#index);
    }
    this.#maxVertices = vertices;
    this.copies.moved();
    this.#put(geometry, isLent ? like.geometry : null);
  }

  /** @param lender The geometry of the page that lends its attributes; null when the batch has copies. */
  #put(geometry: BufferGeometry, lender: BufferGeometry | null): void {
    this.version++;
    this.#isDrawn = false;
    this.#giveBack();
    this.#lender = lender;
    lender?.addEventListener('dispose', this.#renew);
    this.#mesh.geometry.dispose();
    this.#mesh.geometry = geometry;
  }

  /** Called when the page has freed the lent buffers, which the vertex arrays of renderers still refer to. */
  readonly #renew = (): void => {
    const { attributes, index } = this.#mesh.geometry;
    const geometry = new BufferGeometry().setIndex(index);
    for (const name in attributes) geometry.setAttribute(name, attributes[name]);
    this.#put(geometry, this.#lender);
  };

  /** To be called when a renderer has uploaded the buffers. */
  drawn(): void {
    this.#isDrawn = true;
  }

  /** To be called before the mesh is disposed of. */
  dispose(): void {
    this.#memory.used -= this.bytes;
    this.#memory.copying.delete(this);
    this.#giveBack();
  }

  /** Has renderers keep the buffers of the page when the geometry of the batch is disposed of. */
  #giveBack(): void {
    const { geometry } = this.#mesh;
    if (this.#lender === null) return;
    this.#lender.removeEventListener('dispose', this.#renew);
    for (const name of Object.keys(geometry.attributes)) geometry.deleteAttribute(name);
  }
}

/**
 * Copies a range of an array to the vertices of a batch, bit for bit.
 * @param vertices Number of vertices of the geometry.
 * @param at Index in `to` at which the first vertex begins.
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
  const offset = attributeOffset(from);
  const source = asBits(from.array);
  const target = asBits(to.array as TypedArray);
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

/** Bytes of buffers. Indices have 32 bits, however few the vertices: all are copied by the same machine code. */
function bytesFor({ attributes, isIndexed }: KnownGeometry, vertices: number, indices: number): number {
  let bytes = isIndexed ? 4 * indices : 0;
  for (const { itemSize, array } of attributes) bytes += vertices * itemSize * array.BYTES_PER_ELEMENT;
  return bytes;
}

/** The size an array needs for `count` more numbers, when `used` of its numbers before `next` are in use. */
function roomInArray(count: number, next: number, used: number, size: number, factor: number): number {
  if (next + count <= size || used + count <= FULL_BUFFER * size) return size;
  return Math.max(factor * size, used + count);
}

function centerOf(geometry: BufferGeometry): Vector3 {
  // Renderers compute the bounding sphere in the same way, and keep it.
  if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
  return (geometry.boundingSphere as NonNullable<BufferGeometry['boundingSphere']>).center;
}

/** True while a geometry has the attributes that these vertices were copied from, at the same length. */
function hasVerticesOf({ attributes, count }: PlacedVertices, known: KnownGeometry): boolean {
  return count === known.vertices && attributes.every((attribute, i) => attribute === known.attributes[i]);
}
