import { BatchedMesh, type BufferGeometry, type Camera, type DataTexture, type Material } from 'three';
import type { IdList } from '../core/ids.js';

// Private parts of `BatchedMesh`. Other rooms read them by these names, each in its own code: engines optimise code for
// the meshes that come there, and would not for all meshes in a shared function.

// Instances of a page's batch. Without them: three makes its own draw lists, and each look compares the instances.
export const INSTANCES = '_instanceInfo';
export const GEOMETRIES = '_geometryInfo';
export const GEOMETRY_COUNT = '_geometryCount';
/** Set when the lists are to be made anew, though nothing is sorted or culled. */
export const CHANGED = '_visibilityChanged';

// Draws of a page's batch, or of ours. Without them: three makes the lists of a page's batch; meshes are drawn alone.
export const MATRICES = '_matricesTexture';
export const DRAW_STARTS = '_multiDrawStarts';
export const DRAW_COUNTS = '_multiDrawCounts';
export const DRAW_COUNT = '_multiDrawCount';
/** The ids of instances in the order of the draws. */
export const DRAWN_IDS = '_indirectTexture';
export const COLORS = '_colorsTexture';
export const INIT_COLORS = '_initColorsTexture';
/** The matrices of the last frame. Without the texture: TRAA is wrong for one frame. */
export const PREVIOUS_MATRICES = '_previousMatricesTexture';
/** The method by which batches make their draw lists: since r187, and before. Without the first: the second. */
export const UPDATE_DRAWS = '_updateDrawParameters';
export const BEFORE = 'onBeforeRender';
/** The number of merged draws: neighbours of one geometry are one draw with WebGPU; since r187. */
export const MERGED_COUNT = '_mergedDrawCount';

/** Listeners of an object, not to be shared by a copy. Without it: buffers of copies live as long as the object. */
export const LISTENERS = '_listeners';

/** A draw for each instance, or one for neighbours of one geometry (WebGPU). */
export type DrawFormat = 'multiDraw' | 'merged';

type BatchTexture<T> = DataTexture & { image: { data: T } };

export interface Internals {
  readonly [INSTANCES]: { readonly visible: boolean; readonly active: boolean; readonly geometryIndex: number }[];
  readonly [GEOMETRIES]: { readonly start: number; readonly count: number; readonly active: boolean }[];
  readonly [GEOMETRY_COUNT]: number;
  /** Textures of copies share the source of this texture, and so write to the same array. */
  readonly [MATRICES]: BatchTexture<Float32Array>;
  readonly [PREVIOUS_MATRICES]?: BatchTexture<Float32Array> | null;
  readonly [COLORS]: BatchTexture<Float32Array> | null;
  [CHANGED]: boolean;
  /** The start of the vertices of each draw, in bytes with an index, else in vertices; and their number. */
  readonly [DRAW_STARTS]: Int32Array;
  readonly [DRAW_COUNTS]: Int32Array;
  [DRAW_COUNT]: number;
  _multiDrawBytesPerElement: number;
  /** Starts and numbers for merged neighbours of one geometry, and the number of neighbours; since r187. */
  readonly _mergedDrawStarts: Int32Array;
  readonly _mergedDrawCounts: Int32Array;
  readonly _mergedDrawInstanceCounts: Int32Array;
  [MERGED_COUNT]?: number;
  [DRAWN_IDS]: BatchTexture<Uint32Array>;
  [INIT_COLORS](): void;
  [UPDATE_DRAWS](camera: Camera, geometry: BufferGeometry, material: Material, format: DrawFormat): void;
}

export type MethodName = typeof UPDATE_DRAWS | typeof BEFORE;
export type Methods = Record<MethodName, (...args: unknown[]) => void>;

export function isDisposed(mesh: BatchedMesh): boolean {
  return !(mesh as unknown as Partial<Internals>)._matricesTexture;
}

/** True when a batch keeps its instances in the private parts named above. */
export function isKnownBatch(mesh: BatchedMesh): boolean {
  const { _instanceInfo, _geometryInfo, _geometryCount, _matricesTexture } = mesh as unknown as Partial<Internals>;
  return (
    Array.isArray(_instanceInfo) &&
    Array.isArray(_geometryInfo) &&
    typeof _geometryCount === 'number' &&
    _matricesTexture?.image?.data instanceof Float32Array &&
    typeof _matricesTexture.version === 'number' &&
    typeof _matricesTexture.source?.version === 'number' &&
    _instanceInfo.every(({ visible, active, geometryIndex }) => {
      return typeof visible === 'boolean' && typeof active === 'boolean' && typeof geometryIndex === 'number';
    })
  );
}

/** True for a batch that makes its draw lists in a way known here, by three's own methods. */
export function makesKnownLists(mesh: BatchedMesh): boolean {
  const kind = prototypeOf(mesh);
  if (!isKnownBatch(mesh) || kind === null || !Object.isExtensible(mesh)) return false;
  const methods = mesh as unknown as Methods;
  const name = drawingMethodOf(mesh);
  if (methods[BEFORE] !== kind[BEFORE] || methods[name] !== kind[name]) return false;
  const lists = mesh as unknown as Partial<Internals>;
  return (
    typeof lists[CHANGED] === 'boolean' &&
    lists._multiDrawStarts instanceof Int32Array &&
    lists._multiDrawCounts instanceof Int32Array &&
    lists._indirectTexture?.image?.data instanceof Uint32Array &&
    (name === BEFORE || lists._mergedDrawStarts instanceof Int32Array)
  );
}

/** The name of the method by which three makes the draw lists of a batch. */
export function drawingMethodOf(mesh: BatchedMesh): MethodName {
  return UPDATE_DRAWS in mesh ? UPDATE_DRAWS : BEFORE;
}

/** `BatchedMesh.prototype` of the copy of three that made a batch, also for a batch of a derived class. */
export function prototypeOf(mesh: BatchedMesh): Methods | null {
  let kind: object | null = Object.getPrototypeOf(mesh);
  while (kind !== null && !Object.hasOwn(kind, 'validateInstanceId')) kind = Object.getPrototypeOf(kind);
  return kind as Methods | null;
}

/** Bytes of a number of the index that a renderer draws from, its own index for wireframes; 1 without an index. */
export function sizeOf(geometry: BufferGeometry, material: Material & { wireframe?: boolean }): number {
  if (material.wireframe) return geometry.attributes.position.count > 65535 ? 4 : 2;
  return geometry.getIndex()?.array.BYTES_PER_ELEMENT ?? 1;
}

/** The instance of each draw, and its range of the geometry. */
interface OrderedDraws {
  readonly ids: IdList;
  readonly starts: Float64Array;
  readonly counts: Float64Array;
}

/**
 * Writes draws to the lists of a batch: one element for each draw, or one for neighbours that have the same range.
 * @param isThere Whether the batch's texture has the ids already, so that it need not be uploaded.
 */
export function writeDraws(
  mesh: Internals,
  draws: OrderedDraws,
  geometry: BufferGeometry,
  material: Material,
  format: DrawFormat,
  isThere = false,
): void {
  const size = sizeOf(geometry, material);
  // Numbers of the drawn index for each number of the geometry's index: wireframes have twice as many.
  const multiplier = (material as { wireframe?: boolean }).wireframe ? 2 : 1;
  const merges = format === 'merged';
  const starts = merges ? mesh._mergedDrawStarts : mesh._multiDrawStarts;
  const counts = merges ? mesh._mergedDrawCounts : mesh._multiDrawCounts;
  const { ids, length } = draws.ids;
  let n = 0;
  for (let i = 0; i < length; i++) {
    const start = draws.starts[i] * size * multiplier;
    const count = draws.counts[i] * multiplier;
    if (merges && n > 0 && starts[n - 1] === start && counts[n - 1] === count) mesh._mergedDrawInstanceCounts[n - 1]++;
    else {
      if (merges) mesh._mergedDrawInstanceCounts[n] = 1;
      starts[n] = start;
      counts[n++] = count;
    }
  }
  const { data } = mesh._indirectTexture.image;
  // A user's sort function may have added to the list.
  if (!isThere) {
    data.set(ids.subarray(0, Math.min(length, data.length)));
    mesh._indirectTexture.needsUpdate = true;
  }
  mesh._multiDrawCount = length;
  if (mesh._mergedDrawCount !== undefined) mesh._mergedDrawCount = merges ? n : 0;
  mesh._multiDrawBytesPerElement = size;
}

/**
 * Gives a batch lists for more draws than it has instances.
 * @param texture The texture for the ids of `count` instances.
 */
export function reserveDraws(mesh: Internals, count: number, texture: Internals[typeof DRAWN_IDS]): void {
  const lists = ['_multiDrawStarts', '_multiDrawCounts', '_mergedDrawStarts', '_mergedDrawCounts'] as const;
  for (const name of [...lists, '_mergedDrawInstanceCounts'] as const)
    if (mesh[name] !== undefined) Object.assign(mesh, { [name]: new Int32Array(count) });
  mesh._indirectTexture = texture;
}

const PARTS: Readonly<Record<string, (part: unknown) => boolean>> = {
  _multiDrawStarts: (part) => part instanceof Int32Array,
  _multiDrawCounts: (part) => part instanceof Int32Array,
  _multiDrawCount: (part) => typeof part === 'number',
  _initColorsTexture: (part) => typeof part === 'function',
  _indirectTexture: (part) => dataOf(part) instanceof Uint32Array,
  _matricesTexture: (part) => dataOf(part) instanceof Float32Array,
};

/** True when the private parts of three's batches are as expected here. */
export function knowsBatches(): boolean {
  const batch = new BatchedMesh(1, 1, 1) as unknown as Record<string, unknown>;
  return Object.entries(PARTS).every(([name, isAsKnown]) => isAsKnown(batch[name]));
}

function dataOf(texture: unknown): unknown {
  return (texture as { image?: { data?: unknown } } | null)?.image?.data;
}
