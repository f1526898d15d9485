import type { BatchedMesh, BufferGeometry, Vector3 } from 'three';
import type { KnownGeometry } from './KnownGeometry.js';

/** A geometry in the buffers of a batch. */
export interface Shape {
  readonly geometry: BufferGeometry;
  /** The number by which three knows it there. */
  id: number;
  revision: number;
  /** How many draws of the batch use it. */
  users: number;
  /** Where its numbers begin: those of its index, or its vertices without one. */
  start: number;
  /** The centre by which three sorts what has this geometry. */
  center: Vector3;
}

interface Ranges {
  readonly _geometryInfo: readonly { start: number; reservedVertexCount: number; reservedIndexCount: number }[];
  readonly _maxVertexCount: number;
  readonly _maxIndexCount: number;
}

/** The geometries of a batch: each lies in its buffers once, however many meshes have it, while any does. */
export class BatchShapes {
  readonly #batch: BatchedMesh & Ranges;
  readonly #shapes = new Map<BufferGeometry, Shape>();
  /** Vertices, and numbers of the index, that nobody uses before the end of what is in use. */
  #unused = 0;
  #unusedIndex = 0;

  constructor(batch: BatchedMesh) {
    this.#batch = batch as BatchedMesh & Ranges;
  }

  /** One more draw uses a geometry. */
  use(known: KnownGeometry): Shape {
    let shape = this.#shapes.get(known.geometry);
    if (shape === undefined) {
      shape = { ...this.#place(known.geometry), revision: known.revision, users: 0 };
      this.#shapes.set(known.geometry, shape);
    }
    shape.users++;
    return shape;
  }

  /** One draw less uses it. */
  drop(shape: Shape): void {
    if (--shape.users > 0) return;
    this.#shapes.delete(shape.geometry);
    this.#free(shape.id);
  }

  /** Copies a geometry anew that has changed since; its layout has not. */
  follow(shape: Shape, known: KnownGeometry): void {
    if (shape.revision === known.revision) return;
    shape.revision = known.revision;
    const { geometry } = known;
    const range = this.#batch._geometryInfo[shape.id];
    const isRoomy =
      geometry.attributes.position.count <= range.reservedVertexCount &&
      (geometry.index?.count ?? -1) <= range.reservedIndexCount;
    if (isRoomy) {
      this.#batch.setGeometryAt(shape.id, geometry);
      shape.center = centerOf(geometry);
    } else {
      this.#free(shape.id);
      Object.assign(shape, this.#place(geometry));
    }
  }

  #place(geometry: BufferGeometry): { geometry: BufferGeometry; id: number; start: number; center: Vector3 } {
    const center = centerOf(geometry);
    this.#makeRoom(geometry.attributes.position.count, geometry.index?.count ?? 0);
    const id = this.#batch.addGeometry(geometry);
    return { geometry, id, start: this.#batch._geometryInfo[id].start, center };
  }

  #free(id: number): void {
    const { reservedVertexCount, reservedIndexCount } = this.#batch._geometryInfo[id];
    this.#unused += reservedVertexCount;
    this.#unusedIndex += Math.max(0, reservedIndexCount);
    this.#batch.deleteGeometry(id);
  }

  /** Moves what is there together, where that is enough, or doubles the buffers. */
  #makeRoom(vertices: number, indices: number): void {
    const batch = this.#batch;
    if (batch.unusedVertexCount >= vertices && batch.unusedIndexCount >= indices) return;
    if (this.#unused > 0) this.#compact();
    if (batch.unusedVertexCount >= vertices && batch.unusedIndexCount >= indices) return;
    const { _maxVertexCount, _maxIndexCount } = batch;
    batch.setGeometrySize(
      Math.max(2 * _maxVertexCount, _maxVertexCount - batch.unusedVertexCount + vertices),
      Math.max(2 * _maxIndexCount, _maxIndexCount - batch.unusedIndexCount + indices),
    );
  }

  #compact(): void {
    this.#batch.optimize();
    this.#unused = this.#unusedIndex = 0;
    for (const shape of this.#shapes.values()) shape.start = this.#batch._geometryInfo[shape.id].start;
  }
}

function centerOf(geometry: BufferGeometry): Vector3 {
  // As renderers do, which keep it.
  if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
  return (geometry.boundingSphere as NonNullable<BufferGeometry['boundingSphere']>).center;
}
