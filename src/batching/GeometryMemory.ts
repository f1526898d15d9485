import type { BufferGeometry } from 'three';
import { sourceOf, type VertexAttribute } from './vertexData.js';

/** All that the draws of a geometry hang on, as it was at the last look. */
export class GeometryMemory {
  #values: unknown[] = [];
  #at = 0;
  #isSame = true;

  /** True for a geometry that is as it was; keeps what it is now. */
  compare({ attributes, index, morphAttributes, drawRange, groups }: BufferGeometry): boolean {
    this.#at = 0;
    this.#isSame = true;
    for (const name in attributes) {
      this.#see(name);
      this.#seeAttribute(attributes[name] as VertexAttribute);
    }
    if (index !== null) this.#seeAttribute(index);
    for (const name in morphAttributes) this.#see(name);
    this.#see(drawRange.start);
    this.#see(drawRange.count);
    for (let i = 0; i < groups.length; i++) {
      this.#see(groups[i].start);
      this.#see(groups[i].count);
      this.#see(groups[i].materialIndex);
    }
    if (this.#values.length !== this.#at) this.#isSame = false;
    this.#values.length = this.#at;
    return this.#isSame;
  }

  #seeAttribute(attribute: VertexAttribute): void {
    this.#see(attribute);
    this.#see(sourceOf(attribute).version);
    this.#see(attribute.array);
    this.#see(attribute.count);
  }

  #see(value: unknown): void {
    if (this.#values[this.#at] !== value) {
      this.#values[this.#at] = value;
      this.#isSame = false;
    }
    this.#at++;
  }
}
