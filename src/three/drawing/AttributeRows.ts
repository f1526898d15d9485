import { DynamicDrawUsage, InstancedBufferAttribute } from 'three';
import type { IdList } from '../../core/lists/IdList.js';

type Numbers = Float32Array;

/** An attribute of instances that holds some rows of another one, one behind the other. */
export class AttributeRows {
  readonly attribute: InstancedBufferAttribute;
  /** The row of the other attribute that each row is a copy of. */
  readonly #rows: Int32Array;
  #length = 0;
  /** The array that rows were copied from, and its version. */
  #array: unknown = null;
  #version = -1;

  /** @param source An attribute of the same kind. */
  constructor({ array, itemSize, normalized, gpuType }: InstancedBufferAttribute, capacity: number) {
    const ArrayKind = array.constructor as new (length: number) => Numbers;
    this.attribute = new InstancedBufferAttribute(new ArrayKind(capacity * itemSize), itemSize, normalized);
    this.attribute.gpuType = gpuType;
    this.attribute.setUsage(DynamicDrawUsage);
    this.#rows = new Int32Array(capacity);
  }

  /** True when rows of another attribute can be copied into this one. */
  fits({ array, itemSize, normalized, gpuType }: InstancedBufferAttribute, count: number): boolean {
    const { attribute } = this;
    return (
      count <= this.#rows.length &&
      array.constructor === attribute.array.constructor &&
      itemSize === attribute.itemSize &&
      normalized === attribute.normalized &&
      gpuType === attribute.gpuType
    );
  }

  /** Copies rows, as far as they are not there, and has renderers upload those. */
  copy(source: InstancedBufferAttribute, { ids, length }: IdList): void {
    const { itemSize } = this.attribute;
    const from = source.array as Numbers;
    const to = this.attribute.array as Numbers;
    const rows = this.#rows;
    if (source.array !== this.#array || source.version !== this.#version) this.#length = 0;
    const known = this.#length;
    let first = length;
    let last = -1;
    for (let i = 0; i < length; i++) {
      const id = ids[i];
      if (i < known && rows[i] === id) continue;
      rows[i] = id;
      if (last < 0) first = i;
      last = i;
      for (let k = itemSize * id, end = k + itemSize, t = itemSize * i; k < end; k++) to[t++] = from[k];
    }
    this.#length = Math.max(known, length);
    this.#array = source.array;
    this.#version = source.version;
    // Those of the source are for its own buffer, which is not uploaded while this one is: they would pile up. Without
    // any, all of it is uploaded.
    if (source.updateRanges.length > 1) source.clearUpdateRanges();
    if (last >= 0) this.#upload(itemSize * first, itemSize * (last + 1));
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
