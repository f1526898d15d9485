import type { BufferGeometry } from 'three';
import { memoized } from '../../core/arrays.js';
import { sourceOf, type VertexAttribute } from '../objects/attributes.js';
import { type BufferFacts, bufferFacts } from './BufferFacts.js';
import { LastValues } from './LastValues.js';
import { isLookedAt, look, takeStamp } from './looks.js';

/** The properties of a geometry that draws depend on, down to names of morph targets. Only batches load this class. */
export class DrawFacts {
  #stamp = 0;
  #lookedIn = 0;
  readonly #values = new LastValues();
  readonly #buffers: BufferFacts[] = [];
  readonly geometry: BufferGeometry;
  /** The geometry has raw WebGL buffers, whose changes cannot be noticed. */
  isUnseen = false;

  constructor(geometry: BufferGeometry) {
    this.geometry = geometry;
  }

  /** Returns the stamp of the last change. Throws the errors of getters; the next comparison then finds the change. */
  lookAt(): number {
    if (isLookedAt(this.#lookedIn)) return this.#stamp;
    const { attributes, index, morphAttributes, drawRange, groups } = this.geometry;
    const values = this.#values.beginRow();
    let buffers = 0;
    this.isUnseen = false;
    for (const name in attributes) {
      values.compare(name);
      this.#compareAttribute(attributes[name] as VertexAttribute, buffers++);
    }
    if (index !== null) this.#compareAttribute(index, buffers++);
    for (const name in morphAttributes) values.compare(name);
    values.compare(drawRange.start);
    values.compare(drawRange.count);
    values.compare((this.geometry as { instanceCount?: number }).instanceCount);
    for (let i = 0; i < groups.length; i++) {
      values.compare(groups[i].start);
      values.compare(groups[i].count);
      values.compare(groups[i].materialIndex);
    }
    if (!values.takeSame()) this.#stamp = takeStamp();
    this.#buffers.length = buffers;
    this.#lookedIn = look;
    return this.#stamp;
  }

  #compareAttribute(attribute: VertexAttribute, i: number): void {
    const source = sourceOf(attribute);
    if ((attribute as { isGLBufferAttribute?: boolean }).isGLBufferAttribute) this.isUnseen = true;
    if (this.#buffers[i]?.source !== source) this.#buffers[i] = bufferFacts(source);
    const values = this.#values;
    values.compare(attribute);
    values.compare(this.#buffers[i].lookAt());
    // A worker that takes an array leaves it without numbers.
    values.compare(attribute.array);
    values.compare(attribute.array?.length);
    values.compare(attribute.count);
  }
}

/** The draw facts of a geometry: each call returns the same object. */
export const drawFacts: (geometry: BufferGeometry) => DrawFacts = /* @__PURE__ */ memoized(
  (geometry) => new DrawFacts(geometry),
);
