import {
  DataTexture,
  FloatType,
  type Frustum,
  type FrustumArray,
  InstancedBufferAttribute,
  type InstancedMesh,
  RedFormat,
} from 'three';
import type { IdList } from '../../core/ids.js';
import type { InstanceTable } from '../table/InstanceTable.js';

/** Numbers in rows of one length, of instances one after the other. */
export type Numbers = Float32Array;

/**
 * Rows of one array, copied to another one behind each other. Those that are there already are left alone: told by where
 * they are from while that has not changed, else by their numbers.
 */
class RowCopy {
  readonly rows: Numbers;
  readonly #size: number;
  /** The row of the other array that each row is a copy of. */
  readonly #sources: Int32Array;
  #length = 0;
  /** What rows were copied from, what it belongs to, and its version. */
  #from: Numbers | null = null;
  #owner: object | null = null;
  #version = -1;
  /** The rows that were written last: the first, and the one behind them; the same for none. */
  first = 0;
  end = 0;

  /**
   * @param rows Where they are copied to.
   * @param size Numbers of a row.
   */
  constructor(rows: Numbers, size: number) {
    this.rows = rows;
    this.#size = size;
    this.#sources = new Int32Array(rows.length / size);
  }

  get capacity(): number {
    return this.#sources.length;
  }

  /**
   * Copies some rows; true when any was written.
   * @param owner What holds them: of another one nothing is known.
   * @param version Another number when rows of the same array have changed.
   */
  copy(owner: object, from: Numbers, version: number, { ids, length }: IdList): boolean {
    const size = this.#size;
    const { rows: to } = this;
    const sources = this.#sources;
    const isSame = owner === this.#owner && from === this.#from && version === this.#version;
    const known = this.#length;
    this.first = this.end = 0;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const isHere = i < known && sources[i] === id;
      if (isHere && (isSame || areEqual(from, size * id, to, size * i, size))) continue;
      sources[i] = id;
      if (this.end === 0) this.first = i;
      this.end = i + 1;
      for (let k = size * id, end = k + size, t = size * i; k < end; k++) to[t++] = from[k];
    }
    // What lies behind is of another version, and not looked at.
    this.#length = isSame ? Math.max(known, length) : length;
    this.#owner = owner;
    this.#from = from;
    this.#version = version;
    return this.end > 0;
  }
}

/** True for rows of equal numbers; those with NaN are not. */
function areEqual(a: Numbers, from: number, b: Numbers, to: number, size: number): boolean {
  for (let k = 0; k < size; k++) if (a[from + k] !== b[to + k]) return false;
  return true;
}

/** An attribute of instances that holds some rows of another one, one behind the other. */
class AttributeRows {
  readonly attribute: InstancedBufferAttribute;
  readonly #copy: RowCopy;

  /** @param source An attribute of the same kind. */
  constructor({ array, itemSize, normalized, gpuType }: InstancedBufferAttribute, capacity: number) {
    const ArrayKind = array.constructor as new (length: number) => Numbers;
    this.#copy = new RowCopy(new ArrayKind(capacity * itemSize), itemSize);
    this.attribute = new InstancedBufferAttribute(this.#copy.rows, itemSize, normalized);
    this.attribute.gpuType = gpuType;
  }

  /** True when rows of another attribute can be copied into this one. */
  fits({ array, itemSize, normalized, gpuType }: InstancedBufferAttribute, count: number): boolean {
    const { attribute } = this;
    return (
      count <= this.#copy.capacity &&
      array.constructor === attribute.array.constructor &&
      itemSize === attribute.itemSize &&
      normalized === attribute.normalized &&
      gpuType === attribute.gpuType
    );
  }

  /**
   * Copies rows, as far as they are not there, and has renderers upload those.
   * @param rows Those of the source, of a version; perhaps another array than it has itself.
   */
  copy(source: InstancedBufferAttribute, rows: Numbers, version: number, ids: IdList): void {
    const { itemSize } = this.attribute;
    const copy = this.#copy;
    const isWritten = copy.copy(source, rows, version, ids);
    // Those of the source are for its own buffer, which is not uploaded while this one is: they would pile up.
    if (source.updateRanges.length > 1) source.clearUpdateRanges();
    if (isWritten) this.#upload(itemSize * copy.first, itemSize * copy.end);
  }

  /** Adds to what is to be uploaded: renderers that draw nothing in the end have left what there was. */
  #upload(start: number, end: number): void {
    const { attribute } = this;
    const [before] = attribute.updateRanges;
    attribute.clearUpdateRanges();
    const from = Math.min(start, before?.start ?? start);
    const to = Math.max(end, before === undefined ? end : before.start + before.count);
    attribute.addUpdateRange(from, to - from);
    attribute.needsUpdate = true;
  }
}

/** A texture with the weights of morph targets of some instances, one row each. */
class MorphRows {
  readonly texture: DataTexture;
  readonly #copy: RowCopy;

  /** @param source The `morphTexture` of an `InstancedMesh`. */
  constructor({ image: { width } }: DataTexture, capacity: number) {
    this.#copy = new RowCopy(new Float32Array(width * capacity), width);
    this.texture = new DataTexture(this.#copy.rows, width, capacity, RedFormat, FloatType);
  }

  /** True when rows of another texture can be copied into this one. */
  fits({ image: { width } }: DataTexture, count: number): boolean {
    return width === this.texture.image.width && count <= this.#copy.capacity;
  }

  copy(source: DataTexture, ids: IdList): void {
    const { image, version } = source;
    if (this.#copy.copy(source, image.data as Numbers, version, ids)) this.texture.needsUpdate = true;
  }
}

/**
 * What a pass draws in place of an `InstancedMesh`: the same but for the instances, which are those that the pass sees,
 * in ascending order.
 *
 * An object of its own, as `WebGLRenderer` uploads the matrices of each object once a frame, however many passes draw it.
 * Whatever it has not of its own it has from the mesh, its prototype, as it is at any time; `id` too, so that sorting
 * puts it where the mesh would be.
 */
export class StandIn {
  readonly object: InstancedMesh;
  /** What is known of the instances: matrices as they were when three was told of them last. */
  table: InstanceTable | null = null;
  readonly #mesh: InstancedMesh;
  readonly #seen: IdList;
  readonly #matrices: AttributeRows;
  readonly #colors: AttributeRows | null;
  readonly #weights: MorphRows | null;

  /**
   * @param seen The instances to be drawn, as they are when a renderer comes.
   * @param capacity Room for so many of them.
   */
  constructor(mesh: InstancedMesh, seen: IdList, capacity: number) {
    this.#mesh = mesh;
    this.#seen = seen;
    this.#matrices = new AttributeRows(mesh.instanceMatrix, capacity);
    this.#colors = mesh.instanceColor === null ? null : new AttributeRows(mesh.instanceColor, capacity);
    this.#weights = mesh.morphTexture === null ? null : new MorphRows(mesh.morphTexture, capacity);
    const own: Partial<Record<keyof InstancedMesh | '_listeners', unknown>> = {
      instanceMatrix: this.#matrices.attribute,
      instanceColor: this.#colors?.attribute ?? null,
      morphTexture: this.#weights?.texture ?? null,
      count: 0,
      intersectsFrustum: (frustum: Frustum | FrustumArray) => this.#meets(frustum),
      // Renderers listen to what they have uploaded for.
      _listeners: {},
    };
    this.object = Object.create(mesh);
    for (const [name, value] of Object.entries(own)) {
      Object.defineProperty(this.object, name, { configurable: true, enumerable: true, writable: true, value });
    }
  }

  /** True when it has room for so many instances of the mesh as it is now. */
  fits(count: number): boolean {
    const { instanceMatrix, instanceColor, morphTexture } = this.#mesh;
    if (!this.#matrices.fits(instanceMatrix, count)) return false;
    if (morphTexture === null ? this.#weights !== null : !this.#weights?.fits(morphTexture, count)) return false;
    return instanceColor === null ? this.#colors === null : this.#colors?.fits(instanceColor, count) === true;
  }

  /** Has renderers free what they have made for it. */
  dispose(): void {
    this.object.dispatchEvent({ type: 'dispose' });
    for (const rows of [this.#matrices, this.#colors]) (rows?.attribute as Partial<Disposable>)?.dispose?.();
    this.#weights?.texture.dispose();
  }

  /** Asked by renderers before they upload anything, and not where the object is not to be drawn anyway. */
  #meets(frustum: Frustum | FrustumArray): boolean {
    const mesh = this.#mesh;
    if (this.#seen.length === 0 || !mesh.intersectsFrustum(frustum)) return false;
    const { matrices, revision } = this.table as InstanceTable;
    this.#matrices.copy(mesh.instanceMatrix, matrices, revision, this.#seen);
    const color = mesh.instanceColor as InstancedBufferAttribute;
    this.#colors?.copy(color, color.array as Numbers, color.version, this.#seen);
    this.#weights?.copy(mesh.morphTexture as DataTexture, this.#seen);
    this.object.count = this.#seen.length;
    return true;
  }
}

/** Since r187 attributes are. */
interface Disposable {
  dispose(): void;
}
