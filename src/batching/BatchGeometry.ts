import { type BatchedMesh, BufferAttribute, BufferGeometry, type TypedArray, type Vector3 } from 'three';
import type { BufferRange } from '../scene/facts/BufferFacts.js';
import { ALL, changesSince } from '../scene/facts/uploads.js';
import { offsetOf, strideOf, type VertexAttribute } from '../scene/objects/attributes.js';
import { keepArray } from '../scene/objects/drawnAttributes.js';
import { bitsOf, type DrawRange, type KnownGeometry, makeAttribute } from './KnownGeometry.js';
import type { LeveledPart } from './LeveledPart.js';
import type { Levels } from './levels/makeLevels.js';
import { FEWEST_TRIANGLES } from './whyNoLevels.js';

/** Bytes of geometries that may be copied in one picture, so that none takes long; only vertices of the last exceed it. */
const SHARE = 2e6;
/** Numbers of one index that may be. */
const PIECE = 2.5e5;
/**
 * Bytes of levels of detail that may be, as these come while a page is in use, and that are uploaded together: a driver may
 * copy the whole of a buffer that is in use for each upload of a part.
 */
const LEVELS_SHARE = 5e5;
const UPLOAD = 4e6;

/** The bytes that the batches of a scene take, and may take, for buffers and textures. */
export class BatchMemory {
  readonly limit: number;
  used = 0;
  /** The bytes left to be copied in this picture; at 0 or less everything waits for the next. */
  share: number = SHARE;
  /** Batches with levels of detail that have yet to be copied. */
  readonly copying: Set<BatchGeometry> = new Set();
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

  copyLevels(): void {
    this.share = Math.min(this.share, LEVELS_SHARE);
    for (const geometry of this.copying) geometry.copyLevels();
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

/** Without room at their end, buffers fuller than this grow; in others there are gaps enough. */
const FULL = 3 / 4;
/** Levels of a geometry have so many times its triangles, at most. */
const MOST_OF_LEVELS = 1.25;

/**
 * The buffers of a batch. They hold each geometry once, however many meshes use it, as renderers have uploaded it. A single
 * geometry is drawn from its own vertices, and only its index is copied, with room for levels of detail behind it.
 */
export class BatchGeometry {
  bytes = 0;
  /** Grows whenever a geometry, or its levels, get another place in the buffers. */
  version = 0;
  /** How many geometries have levels here. */
  leveled = 0;
  readonly #mesh: BatchedMesh;
  readonly #memory: BatchMemory;
  readonly #isShared: () => boolean;
  readonly #isLeveled: boolean;
  readonly #mayLend: () => boolean;
  /** Geometries with levels that have yet to be copied, and levels that have yet to be uploaded. */
  readonly #toCopy = new Set<PlacedGeometry>();
  readonly #toShow = new Set<PlacedLevels>();
  /** Where numbers were copied that are not uploaded, and how many. */
  readonly #ranges: BufferRange[] = [];
  #copied = 0;
  readonly #placed = new Map<KnownGeometry, PlacedGeometry>();
  readonly #byPosition = new Map<VertexAttribute, PlacedVertices>();
  /** One for each attribute of the layout, in the order of their names; those of the page while it has lent them. */
  #attributes: readonly BufferAttribute[] = [];
  #maxVertices = 0;
  /** A renderer has uploaded the present buffers. */
  #isDrawn = false;
  /** The one geometry that is drawn, whose vertices are neither copied nor written; null where there are copies. */
  #lender: BufferGeometry | null = null;
  #index: BufferAttribute | null = null;
  // Where the free room at the end begins, and how much before it is in use.
  #nextVertex = 0;
  #nextIndex = 0;
  #usedVertices = 0;
  #usedIndices = 0;

  /**
   * @param isShared Whether several renderers have drawn the batch.
   * @param isLeveled Whether there is to be room for levels of detail.
   * @param mayLend Whether a geometry by itself may be drawn from its own buffers.
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
  }

  get known(): Iterable<KnownGeometry> {
    return this.#placed.keys();
  }

  /** Makes room for several geometries at once, where there is memory for all. */
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

  /** Adds a user of a geometry; null when it cannot have a place, or not yet. */
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
      placed = { known, users: 0, revision: known.revision, ...nowhere, levels: [], center: centerOf(known.geometry) };
      if (!this.#place(placed)) return null;
      this.#placed.set(known, placed);
    } else if (!this.update(placed)) return null;
    if (!this.#copyRest(placed, false)) return null;
    placed.users++;
    return placed;
  }

  /** Copies what is left of an index, or of a long one a piece in each picture; false when it is not there. */
  #copyRest(placed: PlacedGeometry, isDue: boolean): boolean {
    while (placed.copied < placed.indexCount) {
      if (this.#memory.share <= 0 && !isDue) return false;
      const left = placed.indexCount - placed.copied;
      const count = isDue ? left : Math.min(left, PIECE);
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

  /** Has the levels of a part copied where its geometry lies here and has room for them; see {@link copyLevels}. */
  addLevels(part: LeveledPart): void {
    const placed = this.#placed.get(part.known);
    const { levels } = part;
    if (!placed?.vertices || levels === null || part.isOld || placed.revision !== part.revision) return;
    const before = placed.levels.find((one) => one.part === part);
    if (before?.of === levels) return;
    if (before === undefined) placed.levels.push(newLevels(part, levels));
    else if (hasAllOf(levels, before)) Object.assign(before, { of: levels, copied: 0 });
    else {
      const parts = placed.levels.map((one) => one.part);
      this.#dropLevels(placed);
      for (const one of parts) placed.levels.push(newLevels(one, one.levels as Levels));
    }
    this.#toCopy.add(placed);
    this.#memory.copying.add(this);
  }

  /** True while levels of a geometry wait to be copied or uploaded. */
  isCopying(placed: PlacedGeometry): boolean {
    return this.#toCopy.has(placed) || placed.levels.some((levels) => this.#toShow.has(levels));
  }

  /** Copies levels, the coarse ones first, as far as the share of this picture goes. */
  copyLevels(): void {
    for (const placed of this.#toCopy) {
      for (const levels of placed.levels) while (this.#memory.share > 0 && this.#copyNext(placed, levels));
      if (this.#memory.share <= 0) break;
      this.#toCopy.delete(placed);
    }
    if (this.#toCopy.size === 0 || 4 * this.#copied >= UPLOAD) this.#showLevels();
    if (this.#toCopy.size === 0) this.#memory.copying.delete(this);
  }

  /** Copies the next of some levels, or a piece of it; false when all are there that there is room for. */
  #copyNext(placed: PlacedGeometry, levels: PlacedLevels): boolean {
    const { counts, index: all } = levels.of;
    const next = counts.length - 1 - levels.places.length;
    if (next < 0 || placed.taken + counts[next] > placed.room) return false;
    let from = levels.copied;
    for (let k = 0; k < next; k++) from += counts[k];
    const place = placed.indexCount + placed.taken;
    const left = counts[next] - levels.copied;
    const length = Math.min(left, Math.ceil(this.#memory.share / 4));
    const start = placed.start + place + levels.copied;
    const { start: shift } = placed.vertices as PlacedVertices;
    copyShifted(all.subarray(from, from + length), this.#index as BufferAttribute, start, shift);
    this.#memory.share -= 4 * length;
    this.#copied += length;
    this.#ranges.push({ start, count: length });
    levels.copied = length < left ? levels.copied + length : 0;
    if (length < left) return true;
    placed.taken += counts[next];
    levels.places.push(place);
    this.#toShow.add(levels);
    return true;
  }

  /** Has what was copied uploaded, and drawn from now on. */
  #showLevels(): void {
    for (const range of this.#ranges.splice(0)) this.#upload(this.#index as BufferAttribute, range);
    this.#copied = 0;
    for (const levels of this.#toShow) {
      const { of, places } = levels;
      if (levels.counts.length === 0) this.leveled++;
      levels.counts = of.counts.slice(-places.length);
      levels.errors = of.errors.slice(-places.length);
      levels.offsets = [...places].reverse();
      levels.least = Float64Array.from(levels.errors, (error) => 1 / error);
    }
    this.#toShow.clear();
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
    const hasIndex = known.geometry.index === placed.index && known.indexCount === placed.indexCount;
    if (hasIndex && hasVerticesOf(vertices, known) && this.#copyChanges(placed, vertices)) {
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
    // Room that is not used serves the next one. Where memory is short there are no levels.
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
    return this.#copyChanges(placed, vertices);
  }

  #roomForLevels({ isIndexed, indexCount }: KnownGeometry): number {
    return this.#isLeveled && isIndexed && indexCount >= 3 * FEWEST_TRIANGLES
      ? Math.ceil(MOST_OF_LEVELS * indexCount)
      : 0;
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

  #dropLevels(placed: PlacedGeometry): void {
    for (const levels of placed.levels) {
      this.#toShow.delete(levels);
      if (levels.counts.length > 0) this.leveled--;
    }
    placed.levels.length = placed.taken = 0;
    this.#toCopy.delete(placed);
  }

  #release(placed: PlacedGeometry): void {
    const { vertices, indexCount, room } = placed;
    if (vertices === null) return;
    this.#dropLevels(placed);
    placed.vertices = null;
    this.#usedIndices -= indexCount + room;
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
      if (this.#lender !== null) continue;
      for (const range of changes) {
        this.#upload(to, copyVertices(attributes[i], range, count, to, start * to.itemSize));
      }
    }
    const stamp = indexBuffer?.stamp ?? 0;
    if (!placed.known.isIndexed || placed.indexStamp === stamp) return true;
    const changes = indexBuffer === null ? ALL : changesSince(placed.indexStamp, indexBuffer);
    placed.indexStamp = stamp;
    if (placed.copied < placed.indexCount) {
      placed.copied = 0;
      return true;
    }
    return changes.every((range) => this.#copyIndex(placed, range, vertices));
  }

  /** Copies a range of an index for vertices that begin elsewhere; false for a number beyond them. */
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

  /** Has a range uploaded; by several renderers everything, because the first one clears the ranges. */
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
   * @param isSpare Whether it is for what can be done without.
   * @param mayLend Whether it is for one geometry, which may lend its vertices if there are no others.
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
    const isLent = mayLend && this.#usedVertices === 0 && vertices === known.vertices;
    // Twice the size if there is memory for it, else as little as is needed.
    for (const factor of [2, 1]) {
      const newVertices = isLent
        ? vertices
        : roomFor(vertices, this.#nextVertex, this.#usedVertices, maxVertices, factor);
      const newIndices = roomFor(indices, this.#nextIndex, this.#usedIndices, maxIndices, factor);
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

  /** Moves everything to the beginning of new buffers. */
  #move(like: KnownGeometry, maxVertices: number, maxIndices: number, isLent: boolean): void {
    const [attributes, index, wasLent] = [this.#attributes, this.#index, this.#lender !== null];
    this.#replace(like, maxVertices, maxIndices, isLent);
    const shifts = new Map<PlacedVertices, number>();
    this.#nextVertex = this.#nextIndex = 0;
    for (const placed of this.#placed.values()) {
      const { vertices: block, start, indexCount, room } = placed;
      if (block === null) continue;
      if (!shifts.has(block)) {
        shifts.set(block, this.#nextVertex - block.start);
        for (const [i, { array, itemSize }] of attributes.entries()) {
          const [to, at] = [this.#attributes[i], itemSize * this.#nextVertex];
          if (wasLent) copyVertices(block.attributes[i], ALL[0], block.count, to, at);
          else to.array.set(array.subarray(itemSize * block.start, itemSize * (block.start + block.count)), at);
        }
        block.start = this.#nextVertex;
        this.#nextVertex += block.count;
      }
      if (index === null) placed.start = block.start;
      else {
        placed.start = this.#nextIndex;
        const moved = index.array.subarray(start, start + indexCount + room);
        copyShifted(moved, this.#index as BufferAttribute, this.#nextIndex, shifts.get(block) as number);
        this.#nextIndex += moved.length;
      }
    }
  }

  /**
   * Makes new arrays in a new geometry: GPU buffers cannot be resized.
   * @param isLent Whether all vertices are those of `like`, which its own buffers hold.
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
    this.#ranges.length = 0;
    this.#put(geometry, isLent ? like.geometry : null);
  }

  /** @param lender The geometry of the page whose attributes it has; null for its own. */
  #put(geometry: BufferGeometry, lender: BufferGeometry | null): void {
    this.version++;
    this.#isDrawn = false;
    this.#giveBack();
    this.#lender = lender;
    lender?.addEventListener('dispose', this.#renew);
    this.#mesh.geometry.dispose();
    this.#mesh.geometry = geometry;
  }

  /** To be called when the page has freed what it lent: vertex arrays of renderers have the buffers of before. */
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

/** Levels of which none have been copied. */
function newLevels(part: LeveledPart, of: Levels): PlacedLevels {
  const { weighed, range } = part;
  return {
    ...range,
    part,
    of,
    weighed,
    copied: 0,
    places: [],
    errors: [],
    counts: [],
    offsets: [],
    least: new Float64Array(0),
  };
}

/** True for levels of which some have been copied already, the coarse ones. */
function hasAllOf(levels: Levels, { part, weighed, of, places }: PlacedLevels): boolean {
  const isSame = (_: unknown, k: number): boolean =>
    of.counts.at(-1 - k) === levels.counts.at(-1 - k) && of.errors.at(-1 - k) === levels.errors.at(-1 - k);
  return weighed === part.weighed && places.every(isSame);
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
function bytesFor({ attributes, isIndexed }: KnownGeometry, vertices: number, indices: number): number {
  let bytes = isIndexed ? 4 * indices : 0;
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
