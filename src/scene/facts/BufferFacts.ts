import { memoized } from '../../core/arrays.js';
import { sourceOf, type VertexAttribute } from '../objects/attributes.js';
import { isLookedAt, look, takeStamp } from './looks.js';

export interface BufferRange {
  readonly start: number;
  readonly count: number;
}

/** An attribute, an interleaved buffer or a texture: each counts its changes. */
interface Versioned {
  readonly version: number;
  readonly updateRanges?: readonly BufferRange[];
}

export class BufferFacts {
  readonly source: Versioned;
  /** The stamp of the last version seen. */
  stamp = 0;
  #version = Number.NaN;
  #lookedIn = 0;
  /** The stamp of the version just before the present one; 0 when that version was not seen. */
  before = 0;
  /** The ranges that the present version changed, or the whole buffer; null until `rememberRanges` is called. */
  ranges: readonly BufferRange[] | null = null;

  constructor(source: Versioned) {
    this.source = source;
  }

  /** Returns the stamp of the present version. */
  lookAt(): number {
    if (isLookedAt(this.#lookedIn)) return this.stamp;
    const { version } = this.source;
    if (version !== this.#version) {
      this.before = version === this.#version + 1 ? this.stamp : 0;
      this.#version = version;
      this.stamp = takeStamp();
      this.ranges = null;
    }
    this.#lookedIn = look;
    return this.stamp;
  }
}

/** The facts of a buffer: each call returns the same object. */
export const bufferFacts: (source: Versioned) => BufferFacts = /* @__PURE__ */ memoized(
  (source) => new BufferFacts(source),
);

/** The stamp of an attribute's numbers, which changes after each `needsUpdate`. */
export function stampOf(attribute: VertexAttribute): number {
  return bufferFacts(sourceOf(attribute)).lookAt();
}
