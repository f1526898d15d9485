import { DataTexture, FloatType, InstancedBufferAttribute, type InstancedMesh, RedFormat } from 'three';
import type { IdList } from '../../core/ids.js';
import type { Pass } from '../../passes/Pass.js';
import { bufferFacts } from '../../scene/facts/BufferFacts.js';
import { keepArray } from '../../scene/objects/drawnAttributes.js';
import { LISTENERS } from '../../three/batches.js';
import type { InstanceTable } from '../table/InstanceTable.js';

/**
 * An `InstancedMesh` with only the instances that a pass sees, in ascending order, drawn in place of the mesh.
 *
 * Each pass has such an object, because `WebGLRenderer` uploads the matrices of an object once a frame, however many
 * passes draw it. Its prototype is the mesh, so it inherits all else, even `id`: renderers sort it like the mesh.
 */
export class CompactedMesh {
  readonly object: InstancedMesh;
  /** The table of the instances, with the matrices that three was last told of. */
  table: InstanceTable | null = null;
  /** The instances to draw, read when a renderer comes. */
  seen: IdList | null = null;
  readonly #mesh: InstancedMesh;
  readonly #matrices: AttributeRows;
  readonly #colors: AttributeRows | null;
  readonly #weights: MorphRows | null;

  /**
   * @param capacity Number of instances that there is room for.
   * @param failed Called with an error thrown when a renderer comes; the renderer draws the whole mesh then.
   */
  constructor(mesh: InstancedMesh, capacity: number, failed: (error: unknown) => void) {
    this.#mesh = mesh;
    this.#matrices = new AttributeRows(mesh.instanceMatrix, capacity);
    this.#colors = mesh.instanceColor && new AttributeRows(mesh.instanceColor, capacity);
    this.#weights = mesh.morphTexture && new MorphRows(mesh.morphTexture, capacity);
    const own: Partial<Record<keyof InstancedMesh | typeof LISTENERS, unknown>> = {
      instanceMatrix: this.#matrices.attribute,
      instanceColor: this.#colors?.attribute ?? null,
      morphTexture: this.#weights?.texture ?? null,
      count: 0,
      intersectsFrustum: (frustum: Pass['frustum']) => {
        try {
          return this.#prepare(frustum);
        } catch (error) {
          const { instanceMatrix, instanceColor, morphTexture, count, geometry } = mesh;
          Object.assign(this.object, { instanceMatrix, instanceColor, morphTexture, count, geometry });
          failed(error);
          return mesh.intersectsFrustum(frustum);
        }
      },
      // Renderers listen for the disposal of objects that they have uploaded.
      [LISTENERS]: {},
    };
    this.object = Object.create(mesh);
    for (const [name, value] of Object.entries(own)) {
      Object.defineProperty(this.object, name, { configurable: true, enumerable: true, writable: true, value });
    }
  }

  fits(count: number): boolean {
    const { instanceMatrix, instanceColor, morphTexture } = this.#mesh;
    const { source, capacity } = this.#matrices;
    const areSame =
      (this.#colors?.source ?? null) === instanceColor && (this.#weights?.source ?? null) === morphTexture;
    return source === instanceMatrix && areSame && count <= capacity;
  }

  dispose(): void {
    this.object.dispatchEvent({ type: 'dispose' });
    // Attributes have a `dispose` since r187.
    for (const rows of [this.#matrices, this.#colors])
      (rows?.attribute as { dispose?(): void } | undefined)?.dispose?.();
    this.#weights?.texture.dispose();
  }

  /** The frustum test of renderers. They make it before any upload, and only for an object that would be drawn. */
  #prepare(frustum: Pass['frustum']): boolean {
    const mesh = this.#mesh;
    const seen = this.seen as IdList;
    if (seen.length === 0 || !mesh.intersectsFrustum(frustum)) return false;
    const { matrices, stamp } = this.table as InstanceTable;
    this.#matrices.update(matrices, stamp, seen);
    const color = mesh.instanceColor as InstancedBufferAttribute;
    this.#colors?.update(color.array as Float32Array, bufferFacts(color).lookAt(), seen);
    this.#weights?.update(seen);
    this.object.count = seen.length;
    return true;
  }
}

/**
 * Copies of some rows of another array, a row for each instance. Rows that are there already are not written: they are
 * recognised by their source row while the source is unchanged, else by their numbers.
 */
class RowCopy<Source> {
  readonly source: Source;
  readonly rows: Float32Array;
  readonly #size: number;
  /** The row of the source of which each row is a copy. */
  readonly #sources: Int32Array;
  #length = 0;
  /** The array that rows were last copied from; `#stamp` is its stamp at that time. */
  #from: Float32Array | null = null;
  #stamp = -1;
  /** The first of the rows that the last copy has written. */
  first = 0;
  /** The row behind the last of the rows that the last copy has written; equal to `first` for none. */
  end = 0;

  constructor(source: Source, rows: Float32Array, size: number) {
    this.source = source;
    this.rows = rows;
    this.#size = size;
    this.#sources = new Int32Array(rows.length / size);
  }

  get capacity(): number {
    return this.#sources.length;
  }

  /** Copies some rows; true when any was written. A new `stamp` tells that rows of the same array have changed. */
  copy(from: Float32Array, stamp: number, { ids, length }: IdList): boolean {
    const size = this.#size;
    const { rows: to } = this;
    const sources = this.#sources;
    const isUnchanged = from === this.#from && stamp === this.#stamp;
    const known = this.#length;
    this.first = this.end = 0;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      const isHere = i < known && sources[i] === id;
      if (isHere && (isUnchanged || areRowsEqual(from, size * id, to, size * i, size))) continue;
      sources[i] = id;
      if (this.end === 0) this.first = i;
      this.end = i + 1;
      for (let k = size * id, end = k + size, t = size * i; k < end; k++) to[t++] = from[k];
    }
    // After a change of the source, rows behind the copied ones are forgotten, as they were not compared.
    this.#length = isUnchanged ? Math.max(known, length) : length;
    this.#from = from;
    this.#stamp = stamp;
    return this.end > 0;
  }
}

class AttributeRows extends RowCopy<InstancedBufferAttribute> {
  readonly attribute: InstancedBufferAttribute;

  constructor(source: InstancedBufferAttribute, capacity: number) {
    const { array, itemSize, normalized, gpuType } = source;
    const ArrayKind = array.constructor as new (length: number) => Float32Array;
    super(source, new ArrayKind(capacity * itemSize), itemSize);
    this.attribute = keepArray(new InstancedBufferAttribute(this.rows, itemSize, normalized));
    this.attribute.gpuType = gpuType;
  }

  /**
   * Copies missing rows, to be uploaded.
   * @param rows The rows of the source as of the stamp; perhaps another array than the source holds now.
   */
  update(rows: Float32Array, stamp: number, ids: IdList): void {
    const { attribute, source } = this;
    const isWritten = this.copy(rows, stamp, ids);
    // The ranges of the source are for its own buffer, which is not uploaded meanwhile: they would pile up.
    if (source.updateRanges.length > 1) source.clearUpdateRanges();
    if (!isWritten) return;
    // The range is joined with ranges that are not uploaded yet: a renderer may have skipped the draw.
    const [before] = attribute.updateRanges;
    attribute.clearUpdateRanges();
    const [start, end] = [attribute.itemSize * this.first, attribute.itemSize * this.end];
    const from = Math.min(start, before?.start ?? start);
    const to = Math.max(end, before === undefined ? end : before.start + before.count);
    attribute.addUpdateRange(from, to - from);
    attribute.needsUpdate = true;
  }
}

class MorphRows extends RowCopy<DataTexture> {
  readonly texture: DataTexture;

  constructor(source: DataTexture, capacity: number) {
    const { width } = source.image;
    super(source, new Float32Array(width * capacity), width);
    this.texture = new DataTexture(this.rows, width, capacity, RedFormat, FloatType);
  }

  update(ids: IdList): void {
    const rows = this.source.image.data as Float32Array;
    if (this.copy(rows, bufferFacts(this.source).lookAt(), ids)) this.texture.needsUpdate = true;
  }
}

/** True for rows of equal numbers; rows with NaN are never equal. */
function areRowsEqual(a: Float32Array, from: number, b: Float32Array, to: number, size: number): boolean {
  for (let k = 0; k < size; k++) if (a[from + k] !== b[to + k]) return false;
  return true;
}
