import { InstancedBufferAttribute } from 'three';
import type { IdList } from '../../core/IdList.js';
import { type Numbers, RowCopy } from './RowCopy.js';

/** An attribute of instances that holds some rows of another one, one behind the other. */
export class AttributeRows {
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
