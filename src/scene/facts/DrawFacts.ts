import type { BufferGeometry } from 'three';
import { memoized } from '../../core/arrays.js';
import { sourceOf, type VertexAttribute } from '../objects/attributes.js';
import { type BufferFacts, bufferFacts } from './BufferFacts.js';
import { isLookedAt, look, takeStamp } from './looks.js';

/**
 * Everything that the draws of a geometry depend on: all attributes, the index, `drawRange`, groups, names of morph
 * targets. Only batches ask for it, so it is loaded with them.
 */
export class DrawFacts {
  #stamp = 0;
  #lookedIn = 0;
  readonly #values: unknown[] = [];
  readonly #buffers: BufferFacts[] = [];
  #at = 0;
  #isSame = true;
  readonly #geometry: BufferGeometry;

  constructor(geometry: BufferGeometry) {
    this.#geometry = geometry;
  }

  /** Returns the stamp of the last change. Throws what getters throw; the next comparison finds the change then. */
  lookAt(): number {
    if (isLookedAt(this.#lookedIn)) return this.#stamp;
    const { attributes, index, morphAttributes, drawRange, groups } = this.#geometry;
    this.#at = 0;
    let buffers = 0;
    for (const name in attributes) {
      this.#compare(name);
      this.#compareAttribute(attributes[name] as VertexAttribute, buffers++);
    }
    if (index !== null) this.#compareAttribute(index, buffers++);
    for (const name in morphAttributes) this.#compare(name);
    this.#compare(drawRange.start);
    this.#compare(drawRange.count);
    for (let i = 0; i < groups.length; i++) {
      this.#compare(groups[i].start);
      this.#compare(groups[i].count);
      this.#compare(groups[i].materialIndex);
    }
    if (!this.#isSame || this.#values.length !== this.#at) this.#stamp = takeStamp();
    this.#values.length = this.#at;
    this.#buffers.length = buffers;
    this.#isSame = true;
    this.#lookedIn = look;
    return this.#stamp;
  }

  #compareAttribute(attribute: VertexAttribute, i: number): void {
    const source = sourceOf(attribute);
    if (this.#buffers[i]?.source !== source) this.#buffers[i] = bufferFacts(source);
    this.#compare(attribute);
    this.#compare(this.#buffers[i].lookAt());
    // A worker that takes an array leaves it without numbers.
    this.#compare(attribute.array);
    this.#compare(attribute.array?.length);
    this.#compare(attribute.count);
  }

  #compare(value: unknown): void {
    if (this.#values[this.#at] !== value) {
      this.#values[this.#at] = value;
      this.#isSame = false;
    }
    this.#at++;
  }
}

/** The facts of what a geometry draws, always the same object. */
export const drawFacts: (geometry: BufferGeometry) => DrawFacts = /* @__PURE__ */ memoized(
  (geometry) => new DrawFacts(geometry),
);
