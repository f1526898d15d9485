import {
  BufferAttribute,
  type BufferGeometry,
  DynamicDrawUsage,
  Float16BufferAttribute,
  FloatType,
  Plane,
  Triangle,
  type TypedArray,
} from 'three';
import { type BufferFacts, bufferFacts, stampOf } from '../scene/facts/BufferFacts.js';
import { type DrawFacts, drawFacts } from '../scene/facts/DrawFacts.js';
import { firstBroken } from '../scene/facts/factRules.js';
import { rememberRanges } from '../scene/facts/uploads.js';
import { isInMemory, sourceOf, type VertexAttribute } from '../scene/objects/attributes.js';
import { isHalfFloat, isInstanced, keepArray } from '../scene/objects/drawnAttributes.js';
import type { AloneReason, BatchRule, PartReason } from './whyNotBatched.js';

const positionIds = new WeakMap<VertexAttribute, { readonly stamp: number; readonly id: number }>();
const corner = new Float32Array(3);
const bits = new Int32Array(corner.buffer);

/** A number for positions, equal for an attribute and its copies: a hash of the count and some of the positions. */
export function positionsId(position: VertexAttribute): number {
  const stamp = stampOf(position);
  const known = positionIds.get(position);
  if (known?.stamp === stamp) return known.id;
  const { count } = position;
  let id = count | 0;
  const samples = isInMemory(position) ? [0, count >> 1, count - 1] : [];
  for (const i of samples) {
    corner.set([position.getX(i), position.getY(i), position.getZ(i)]);
    for (const word of bits) id = Math.imul(id ^ word, 0x5bd1e995) ^ (id >>> 13);
  }
  positionIds.set(position, { stamp, id });
  return id;
}

/** Number of vertices of a geometry, rounded up: the last vertex of an interleaved buffer may lack its padding. */
export function verticesOf({ attributes }: BufferGeometry): number {
  return Math.ceil(attributes.position.count);
}

/** The kind of an attribute as shaders see it, wherever its numbers lie. */
export function arrayKindOf(attribute: VertexAttribute): string {
  const { itemSize, normalized, array } = attribute;
  const { gpuType } = attribute as BufferAttribute;
  return `${itemSize}${typeOf(array).name}${normalized ? 'n' : ''}${isHalfFloat(attribute) ? 'h' : ''}${gpuType ?? FloatType}`;
}

/** An attribute of the same kind with room for so many vertices, not interleaved. */
export function makeAttribute(like: VertexAttribute, vertices: number): BufferAttribute {
  const Numbers = typeOf(like.array);
  const Kind = isHalfFloat(like) ? Float16BufferAttribute : BufferAttribute;
  const made = keepArray(new Kind(new Numbers(vertices * like.itemSize) as never, like.itemSize, like.normalized));
  made.gpuType = (like as BufferAttribute).gpuType ?? FloatType;
  return made;
}

/** Floats as integers of the same bits, so that a NaN is copied as it is. */
export function asBits(array: TypedArray): TypedArray {
  const { buffer, byteOffset, length, BYTES_PER_ELEMENT: size } = array;
  if (!array.constructor.name.startsWith('Float')) return array;
  return size === 4 ? new Uint32Array(buffer, byteOffset, length) : new Uint16Array(buffer, byteOffset, length);
}

/** The kind of array for copies of an array: graphics cards read clamped bytes as bytes. */
function typeOf(array: TypedArray): new (length: number) => TypedArray {
  return array instanceof Uint8ClampedArray ? Uint8Array : (array.constructor as new (length: number) => TypedArray);
}

/** The part of a geometry that a draw uses: a range of the index, or of the vertices without an index. */
export interface DrawRange {
  readonly start: number;
  readonly count: number;
}

/** The last known state of a geometry, refreshed once a frame, however many meshes use the geometry. */
export class KnownGeometry {
  readonly geometry: BufferGeometry;
  /** Why the meshes of the geometry are drawn alone; null when they need not be. */
  reason: AloneReason | null = null;
  /** Names and kinds of the attributes: geometries of one layout can lie in the same buffers. */
  layout = '';
  /** The stamp of the geometry's draws: a new number after each change of its data. */
  revision = 0;
  frame = -1;
  vertices = 0;
  positions = 0;
  /** Names of the attributes, in order; `attributes` and the `buffers` with their numbers are in the same order. */
  names: readonly string[] = [];
  attributes: readonly VertexAttribute[] = [];
  buffers: readonly BufferFacts[] = [];
  indexBuffer: BufferFacts | null = null;
  /** Whether some attributes are uploaded by WebGPURenderer for each picture, changed or not. */
  isDynamic = false;
  /** The time of the last change that was found, in milliseconds. */
  changedAt: number = Number.NEGATIVE_INFINITY;
  /** A bit for each renderer that has drawn a mesh of it; `#toUpload`: each of these that has not since a change. */
  #drawnBy = 0;
  #toUpload = 0;
  /** The newest stamp of the buffers. */
  #newest = 0;
  #isFlat = false;
  #flatRevision = -1;
  readonly #facts: DrawFacts;
  readonly #mayGetIndex: boolean;

  /** @param mayGetIndex Whether batches draw a geometry without an index by one, as levels of detail need. */
  constructor(geometry: BufferGeometry, mayGetIndex = false) {
    this.geometry = geometry;
    this.#mayGetIndex = mayGetIndex;
    this.#facts = drawFacts(geometry);
  }

  /** Compares the geometry with its last known state, unless that was done in this frame. */
  refresh(frame: number): this {
    if (this.frame === frame) return this;
    this.frame = frame;
    return this.compare();
  }

  /** Compares the geometry with its last known state: for callers that count no frames. */
  compare(): this {
    const draws = this.#facts.lookAt();
    if (draws === this.revision) return this;
    if (this.revision > 0) this.changedAt = performance.now();
    this.revision = draws;
    this.layout = '';
    this.reason = firstBroken(GEOMETRY, this.geometry) ?? badPartOf(this.geometry)?.reason ?? null;
    if (this.reason === null) this.#compareBuffers();
    return this;
  }

  /** Whether batches draw the geometry by an index; `indexCount` is the length of that index. */
  get isIndexed(): boolean {
    return this.#mayGetIndex || this.geometry.index !== null;
  }

  get indexCount(): number {
    return this.isIndexed ? (this.geometry.index ?? this.geometry.attributes.position).count : 0;
  }

  /** True when all triangles lie in one plane, as found on the first call after a change. */
  get isFlat(): boolean {
    // Vertices of geometries with a reason may not be in memory.
    if (this.reason === null && this.#flatRevision !== this.revision) {
      this.#flatRevision = this.revision;
      this.#isFlat = isFlat(this.geometry);
    }
    return this.#isFlat;
  }

  /**
   * Called for each mesh that is drawn; true for the first that a renderer draws after a change. This mesh is drawn
   * alone, so that the renderer uploads the change as it would without batches.
   * @param renderer The bit of the renderer.
   */
  takeUpload(renderer: number): boolean {
    this.#drawnBy |= renderer;
    if ((this.#toUpload & renderer) === 0) return false;
    this.#toUpload &= ~renderer;
    return true;
  }

  /** Has the meshes of the geometry drawn alone until it changes. */
  refuse(reason: AloneReason): void {
    this.reason = reason;
    this.layout = '';
  }

  #compareBuffers(): void {
    const { attributes, index } = this.geometry;
    this.vertices = verticesOf(this.geometry);
    this.positions = positionsId(attributes.position as VertexAttribute);
    this.names = Object.keys(attributes).sort();
    this.attributes = this.names.map((name) => attributes[name] as VertexAttribute);
    this.buffers = this.attributes.map((attribute) => bufferFacts(sourceOf(attribute)));
    this.indexBuffer = index && bufferFacts(index);
    this.isDynamic = this.attributes.some((attribute) => sourceOf(attribute).usage === DynamicDrawUsage);
    let newest = 0;
    for (const buffer of this.indexBuffer === null ? this.buffers : [...this.buffers, this.indexBuffer]) {
      newest = Math.max(newest, buffer.lookAt());
      rememberRanges(buffer);
    }
    if (newest !== this.#newest) this.#toUpload = this.#drawnBy;
    this.#newest = newest;
    const kinds = this.names.map((name, i) => `${name}:${arrayKindOf(this.attributes[i])}`);
    this.layout = `${this.isIndexed ? 'indexed ' : ''}${kinds.join()}`;
  }
}

const GEOMETRY: readonly BatchRule<BufferGeometry>[] = [
  [(g) => g.attributes?.position?.count > 0, 'noVertices'],
  [(g) => !(g as { isInstancedBufferGeometry?: boolean }).isInstancedBufferGeometry, 'geometryInstances'],
  [(g) => Object.keys(g.morphAttributes).length === 0, 'morphTargets'],
  [(g) => g.index?.count !== 0, 'emptyIndex'],
];

/** An attribute, or the buffer in which it is interleaved. */
interface AnyBuffer {
  readonly array?: TypedArray | null;
  readonly isStorageBufferAttribute?: boolean;
}

const UPLOADED_ARRAYS = /^(Float32|Float16|(Ui|I)nt(8|16|32)|Uint8Clamped)Array$/;

const BUFFER: readonly BatchRule<AnyBuffer, PartReason>[] = [
  [(b) => !b.isStorageBufferAttribute, 'storage'],
  [(b) => UPLOADED_ARRAYS.test(b.array?.constructor.name as string), 'notNumbers'],
  [(b) => !Object.hasOwn(b, 'onUploadCallback'), 'onUploadCallback'],
];

/** The first attribute, or the index, that keeps a geometry out of batches; null for none. */
export function badPartOf(geometry: BufferGeometry): { readonly part: string; readonly reason: PartReason } | null {
  const { attributes, index } = geometry;
  for (const name in attributes) {
    const reason = whyAttributeAlone(attributes[name] as VertexAttribute, verticesOf(geometry));
    if (reason !== null) return { part: `attribute "${name}"`, reason };
  }
  const reason = index && whyAttributeAlone(index, index.count);
  return reason && { part: 'index', reason };
}

function whyAttributeAlone(attribute: VertexAttribute, count: number): PartReason | null {
  if (isInstanced(attribute)) return 'instanced';
  const reason = firstBroken(BUFFER, attribute) ?? firstBroken(BUFFER, sourceOf(attribute));
  return reason ?? (isInMemory(attribute, count) ? null : 'tooShort');
}

/** Geometries with more vertices are not tested: they are hardly panes. */
const MOST_OF_PANE = 1024;
/** How far a triangle may be turned or lie off the plane, as a fraction of its size. */
const FLATNESS = 1e-5;

const triangle = new Triangle();
const plane = new Plane();

/** True if all triangles lie in one plane and face one way, as of a label: a camera sees all fronts or all backs. */
export function isFlat({ attributes: { position }, index }: BufferGeometry): boolean {
  if (position.count > MOST_OF_PANE) return false;
  const corner = (i: number): number => index?.getX(i) ?? i;
  let first: Plane | null = null;
  for (let i = 0; i + 2 < (index ?? position).count; i += 3) {
    triangle.setFromAttributeAndIndices(position, corner(i), corner(i + 1), corner(i + 2));
    const size = Math.sqrt(triangle.getArea());
    // The triangle is empty, so nothing of it is drawn.
    if (size === 0) continue;
    triangle.getPlane(plane);
    first ??= plane.clone();
    const isOff = Math.abs(first.distanceToPoint(triangle.a)) > FLATNESS * size;
    if (isOff || plane.normal.distanceTo(first.normal) > FLATNESS) return false;
  }
  return first !== null;
}
