import type { BufferGeometry } from 'three';
import { EMPTY_ARRAY, memoized } from '../../core/arrays.js';
import { sourceOf, type VertexAttribute } from '../objects/attributes.js';
import { type BufferFacts, bufferFacts } from './BufferFacts.js';
import { isLookedAt, look, takeStamp } from './looks.js';

/**
 * The aspects of a geometry, each with the stamp of its last change. No two geometries share a shape stamp.
 *
 * | aspect | changes with |
 * | --- | --- |
 * | vertices | another position attribute, `needsUpdate` of it or of morph targets, other points of wide lines |
 * | shape | the vertices, `drawRange`, and the index while `drawRange` draws a part of it |
 * | index | another index, or `needsUpdate` of it |
 *
 * Each method compares its aspect once in a look, and throws errors of getters; the next comparison finds the change.
 */
export class GeometryFacts {
  readonly geometry: BufferGeometry;
  // An update reads these fields of each geometry, so they lie close together in memory.
  #shapeIn = 0;
  #shape = 0;
  #position: VertexAttribute | undefined;
  #version = -1;
  #isRelative = false;
  /** The morph targets, each followed by its version: a sum of versions could stay equal as targets are exchanged. */
  #targets: readonly unknown[] = EMPTY_ARRAY;
  #vertices = 0;
  /** While a part of the geometry is drawn: the stamp of the index, and the part as `drawRange` gives it. */
  #part = WHOLE;
  #start = 0;
  #count = 0;
  #index: BufferFacts | null = null;

  constructor(geometry: BufferGeometry) {
    this.geometry = geometry;
  }

  lookAtShape(): number {
    if (isLookedAt(this.#shapeIn)) return this.#shape;
    const { geometry } = this;
    const { attributes } = geometry as { attributes: { [name: string]: VertexAttribute | undefined } };
    // Wide lines have the corners of one segment as positions, and the ends of all segments in `instanceStart`.
    const position = attributes.instanceStart ?? attributes.position;
    const version = position === undefined ? 0 : sourceOf(position).version;
    const part = isWhole(geometry) ? WHOLE : this.lookAtIndex();
    const isRelative = geometry.morphTargetsRelative;
    const targets = (geometry.morphAttributes?.position ?? EMPTY_ARRAY) as readonly VertexAttribute[];
    const areSame =
      position === this.#position &&
      version === this.#version &&
      isRelative === this.#isRelative &&
      hasTargets(this.#targets, targets);
    if (!areSame) {
      this.#targets = targets.flatMap((target) => [target, sourceOf(target).version]);
      this.#position = position;
      this.#version = version;
      this.#isRelative = isRelative;
      this.#vertices = takeStamp();
    }
    if (!areSame || part !== this.#part || (part !== WHOLE && !this.#hasRange(geometry))) {
      this.#part = part;
      ({ start: this.#start, count: this.#count } = geometry.drawRange);
      this.#shape = takeStamp();
    }
    this.#shapeIn = look;
    return this.#shape;
  }

  #hasRange({ drawRange: { start, count } }: BufferGeometry): boolean {
    return start === this.#start && count === this.#count;
  }

  lookAtVertices(): number {
    this.lookAtShape();
    return this.#vertices;
  }

  /** Returns 0 for a geometry without an index. */
  lookAtIndex(): number {
    const { index } = this.geometry;
    if (!index) return 0;
    if (this.#index?.source !== index) this.#index = bufferFacts(index);
    return this.#index.lookAt();
  }
}
/** Stands for the stamp of the index while the whole geometry is drawn, as the index does not affect the shape then. */
const WHOLE = -1;

export function isWhole({ drawRange }: BufferGeometry): boolean {
  return drawRange.start <= 0 && drawRange.count === Number.POSITIVE_INFINITY;
}

function hasTargets(known: readonly unknown[], targets: readonly VertexAttribute[]): boolean {
  for (let i = 0; i < targets.length; i++) {
    if (targets[i] !== known[2 * i] || sourceOf(targets[i]).version !== known[2 * i + 1]) return false;
  }
  return 2 * targets.length === known.length;
}

/** The facts of a geometry, the same object in each call. The lookup is slow, so frequent callers keep the result. */
export const geometryFacts: (geometry: BufferGeometry) => GeometryFacts = /* @__PURE__ */ memoized(
  (geometry) => new GeometryFacts(geometry),
);
