import { DataTexture, FloatType, RedFormat } from 'three';
import type { IdList } from '../../core/IdList.js';
import { type Numbers, RowCopy } from './RowCopy.js';

/** A texture with the weights of morph targets of some instances, one row each. */
export class MorphRows {
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
