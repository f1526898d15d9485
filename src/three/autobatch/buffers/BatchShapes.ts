import type { BatchedMesh, BufferAttribute, BufferGeometry, Vector3 } from 'three';
import type { KnownGeometry } from '../looks/KnownGeometry.js';
import type { BatchMemory } from './BatchMemory.js';

/** A geometry in the buffers of a batch. */
export interface Shape {
  readonly geometry: BufferGeometry;
  /** The number by which three knows it there. */
  id: number;
  revision: number;
  /** It was edited since it came: renderers have not been given the changes of the geometry itself. */
  isBehind: boolean;
  /** How many draws of the batch use it. */
  users: number;
  /** Where its numbers begin: those of its index, or its vertices without one. */
  start: number;
  /** The centre by which three sorts what has this geometry. */
  center: Vector3;
}

type Place = Pick<Shape, 'geometry' | 'id' | 'start' | 'center'>;

interface Ranges {
  readonly _geometryInfo: readonly { start: number; reservedVertexCount: number; reservedIndexCount: number }[];
  readonly _maxVertexCount: number;
  readonly _maxIndexCount: number;
}

/** The geometries of a batch: each lies in its buffers once, however many meshes have it, while any does. */
export class BatchShapes {
  readonly #batch: BatchedMesh & Ranges;
  readonly #memory: BatchMemory;
  readonly #isShared: () => boolean;
  #bytes = 0;
  readonly #shapes = new Map<BufferGeometry, Shape>();
  /** Vertices, and numbers of the index, that nobody uses before the end of what is in use. */
  #unused = 0;
  #unusedIndex = 0;

  /** @param isShared Whether several renderers have drawn the batch. */
  constructor(batch: BatchedMesh, memory: BatchMemory, isShared: () => boolean) {
    this.#isShared = isShared;
    this.#batch = batch as BatchedMesh & Ranges;
    this.#memory = memory;
  }

  /** Bytes of the buffers. */
  get bytes(): number {
    return this.#bytes;
  }

  /** One more draw uses a geometry; null when there is no memory for it. */
  use(known: KnownGeometry): Shape | null {
    let shape = this.#shapes.get(known.geometry);
    if (shape === undefined) {
      const place = this.#place(known.geometry);
      if (place === null) return null;
      shape = { ...place, revision: known.revision, users: 0, isBehind: false };
      this.#shapes.set(known.geometry, shape);
    } else if (!this.follow(shape, known)) return null;
    shape.users++;
    return shape;
  }

  /** One draw less uses it. */
  drop(shape: Shape): void {
    if (--shape.users > 0) return;
    this.#shapes.delete(shape.geometry);
    if (shape.isBehind) forgetRanges(shape.geometry, true);
    if (shape.id >= 0) this.#free(shape.id);
  }

  /** Copies a geometry anew that has changed since, and its layout has not; false when there is no memory for it. */
  follow(shape: Shape, known: KnownGeometry): boolean {
    if (shape.revision === known.revision) return shape.id >= 0;
    shape.revision = known.revision;
    shape.isBehind = true;
    const { geometry } = known;
    forgetRanges(geometry, false);
    if (shape.id < 0) return false;
    const range = this.#batch._geometryInfo[shape.id];
    const isRoomy =
      geometry.attributes.position.count <= range.reservedVertexCount &&
      (geometry.index?.count ?? -1) <= range.reservedIndexCount;
    if (isRoomy) {
      this.#batch.setGeometryAt(shape.id, geometry);
      this.#settle();
      shape.center = centerOf(geometry);
      return true;
    }
    this.#free(shape.id);
    // Its draws leave the batch where there is none.
    const place = this.#place(geometry);
    Object.assign(shape, place ?? { id: -1 });
    return place !== null;
  }

  #place(geometry: BufferGeometry): Place | null {
    const center = centerOf(geometry);
    if (!this.#makeRoom(geometry)) return null;
    const id = this.#batch.addGeometry(geometry);
    this.#settle();
    return { geometry, id, start: this.#batch._geometryInfo[id].start, center };
  }

  #free(id: number): void {
    const { reservedVertexCount, reservedIndexCount } = this.#batch._geometryInfo[id];
    this.#unused += reservedVertexCount;
    this.#unusedIndex += Math.max(0, reservedIndexCount);
    this.#batch.deleteGeometry(id);
  }

  /** Moves what is there together, where that is enough, or makes the buffers twice as large, or as large as needed. */
  #makeRoom(geometry: BufferGeometry): boolean {
    const batch = this.#batch;
    const vertices = geometry.attributes.position.count;
    const indices = geometry.index?.count ?? 0;
    const isEnough = (): boolean => batch.unusedVertexCount >= vertices && batch.unusedIndexCount >= indices;
    if (isEnough()) return true;
    if (this.#unused > 0 || this.#unusedIndex > 0) this.#compact();
    if (isEnough()) return true;
    const { _maxVertexCount, _maxIndexCount } = batch;
    const needed = [
      Math.max(_maxVertexCount, _maxVertexCount - batch.unusedVertexCount + vertices),
      Math.max(_maxIndexCount, _maxIndexCount - batch.unusedIndexCount + indices),
    ] as const;
    const twice = [Math.max(2 * _maxVertexCount, needed[0]), Math.max(2 * _maxIndexCount, needed[1])] as const;
    const growth = (counts: readonly [number, number]): number => bytesFor(geometry, ...counts) - this.#bytes;
    const counts = this.#memory.has(growth(twice)) ? twice : needed;
    const more = growth(counts);
    if (!this.#memory.take(more)) return false;
    this.#bytes += more;
    batch.setGeometrySize(...counts);
    return true;
  }

  /** Of several renderers one would take the ranges of changes from the others: they get all. */
  #settle(): void {
    if (!this.#isShared()) return;
    const { attributes, index } = this.#batch.geometry;
    for (const attribute of [...Object.values(attributes), index])
      (attribute as BufferAttribute | null)?.clearUpdateRanges();
  }

  #compact(): void {
    this.#batch.optimize();
    this.#settle();
    this.#unused = this.#unusedIndex = 0;
    for (const shape of this.#shapes.values()) shape.start = this.#batch._geometryInfo[shape.id].start;
  }
}

function centerOf(geometry: BufferGeometry): Vector3 {
  // As renderers do, which keep it.
  if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
  return (geometry.boundingSphere as NonNullable<BufferGeometry['boundingSphere']>).center;
}

/** Bytes of buffers for so many vertices of the kind of a geometry. */
function bytesFor({ attributes, index }: BufferGeometry, vertices: number, indices: number): number {
  let bytes = index === null ? 0 : indices * (vertices > 65535 ? 4 : 2);
  for (const { itemSize, array } of Object.values(attributes) as BufferAttribute[]) {
    bytes += vertices * itemSize * array.BYTES_PER_ELEMENT;
  }
  return bytes;
}

/**
 * Forgets which ranges of a geometry have changed, as nobody uploads these.
 * @param isLost Whether all is to be uploaded once the geometry is drawn itself.
 */
function forgetRanges({ attributes, index }: BufferGeometry, isLost: boolean): void {
  for (const attribute of [...Object.values(attributes), index] as (BufferAttribute | null)[]) {
    attribute?.clearUpdateRanges?.();
    if (isLost && attribute) attribute.needsUpdate = true;
  }
}
