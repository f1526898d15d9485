import { getOrMake } from '../../core/arrays.js';
import { sourceOf, type VertexAttribute } from '../objects/attributes.js';
import { isLookedAt, look, takeStamp } from './looks.js';

export interface BufferRange {
  readonly start: number;
  readonly count: number;
}

export const ALL: readonly BufferRange[] = [{ start: 0, count: Number.POSITIVE_INFINITY }];

/** Whatever counts its changes: an attribute, an interleaved buffer, a texture. */
export interface Versioned {
  readonly version: number;
  readonly updateRanges?: readonly BufferRange[];
}

/**
 * The versions of a buffer, or of anything else that counts them. Renderers upload all of a buffer when it is first drawn,
 * then each new version, or ranges of that. Numbers written without a new version are unknown to them.
 */
export class BufferFacts {
  readonly source: Versioned;
  /** The stamp of the version that was seen last. */
  stamp = 0;
  #version = Number.NaN;
  #lookedIn = 0;
  /** The stamp of the version just before the present one; 0 where others lie between, or that was not known. */
  #before = 0;
  #ranges: readonly BufferRange[] | null = null;

  constructor(source: Versioned) {
    this.source = source;
  }

  /** Returns the stamp of the present version. */
  lookAt(): number {
    if (isLookedAt(this.#lookedIn)) return this.stamp;
    const { version } = this.source;
    if (version !== this.#version) {
      this.#before = version === this.#version + 1 ? this.stamp : 0;
      this.#version = version;
      this.stamp = takeStamp();
      this.#ranges = null;
    }
    this.#lookedIn = look;
    return this.stamp;
  }

  /** Remembers the ranges of the present version, as renderers clear them once they have uploaded them. */
  rememberRanges(): void {
    const { updateRanges } = this.source;
    // A renderer may have cleared the ranges of a version in between.
    const hasRanges = this.#before > 0 && updateRanges !== undefined && updateRanges.length > 0;
    this.#ranges ??= hasRanges ? updateRanges.map(({ start, count }) => ({ start, count })) : ALL;
  }

  /** The ranges that a copy with an earlier stamp lacks. */
  changesSince(stamp: number): readonly BufferRange[] {
    return stamp === this.#before && this.#ranges !== null ? this.#ranges : ALL;
  }
}

const known = new WeakMap<Versioned, BufferFacts>();
const make = (source: Versioned): BufferFacts => new BufferFacts(source);

/** What is known of a buffer, which stays the same object. */
export function bufferFacts(source: Versioned): BufferFacts {
  return getOrMake(known, source, make);
}

/** The stamp of an attribute's numbers: another one once `needsUpdate` was set. */
export function stampOf(attribute: VertexAttribute): number {
  return bufferFacts(sourceOf(attribute)).lookAt();
}
