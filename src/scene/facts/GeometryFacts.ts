import type { BufferGeometry } from 'three';
import { getOrMake } from '../../core/arrays.js';
import { sourceOf, type VertexAttribute } from '../objects/attributes.js';
import { type BufferFacts, bufferFacts } from './BufferFacts.js';
import { Comparison } from './Comparison.js';
import { isLookedAt, look, takeStamp } from './looks.js';

/**
 * The aspects of a geometry, each with the stamp of its last change; no two geometries have the same one.
 *
 * | aspect | changes with |
 * | --- | --- |
 * | vertices | another position attribute, `needsUpdate` of it or of morph targets, other points of wide lines |
 * | shape | the vertices, `drawRange`, and, where that draws a part of an index, the index |
 * | index | another index, or `needsUpdate` of it |
 * | draws | whatever its draws depend on: all attributes, the index, `drawRange`, groups, names of morph targets |
 *
 * Each method throws what getters throw, before it remembers anything.
 */
export class GeometryFacts {
  readonly geometry: BufferGeometry;
  // An update reads these of each geometry, so they lie close together in memory.
  #shapeIn = 0;
  #shape = 0;
  #position: VertexAttribute | undefined;
  #version = -1;
  #isRelative = false;
  /** The morph targets, each before its version: a sum of these stays the same where one target goes as another changes. */
  #targets: readonly unknown[] = NONE;
  /** What `drawRange` draws, and the stamp of the index; of a whole geometry none of these counts. */
  #start = 0;
  #count = 0;
  #part = 0;
  #vertices = 0;
  #index: BufferFacts | null = null;
  #draws: Draws | null = null;

  constructor(geometry: BufferGeometry) {
    this.geometry = geometry;
  }

  lookAtShape(): number {
    if (isLookedAt(this.#shapeIn)) return this.#shape;
    const { geometry } = this;
    const { attributes } = geometry as { attributes: { [name: string]: VertexAttribute | undefined } };
    // Wide lines have the corners of one segment as positions; their class declares new bounds with each `setPositions`.
    const position = attributes.instanceStart ?? attributes.position;
    const version = position === undefined ? 0 : sourceOf(position).version;
    const { drawRange } = geometry;
    const isWhole = drawRange.start <= 0 && drawRange.count === Number.POSITIVE_INFINITY;
    const start = isWhole ? 0 : drawRange.start;
    const count = isWhole ? 0 : drawRange.count;
    const part = isWhole ? 0 : this.lookAtIndex();
    const isRelative = geometry.morphTargetsRelative;
    const targets = (geometry.morphAttributes?.position ?? NONE) as readonly VertexAttribute[];
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
    if (!areSame || start !== this.#start || count !== this.#count || part !== this.#part) {
      this.#start = start;
      this.#count = count;
      this.#part = part;
      this.#shape = takeStamp();
    }
    this.#shapeIn = look;
    return this.#shape;
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

  lookAtDraws(): number {
    this.#draws ??= new Draws();
    return this.#draws.lookAt(this.geometry);
  }
}

const NONE: readonly never[] = [];

function hasTargets(known: readonly unknown[], targets: readonly VertexAttribute[]): boolean {
  for (let i = 0; i < targets.length; i++) {
    if (targets[i] !== known[2 * i] || sourceOf(targets[i]).version !== known[2 * i + 1]) return false;
  }
  return 2 * targets.length === known.length;
}

/** Everything that the draws of a geometry depend on. */
class Draws extends Comparison {
  readonly #buffers: BufferFacts[] = [];

  lookAt({ attributes, index, morphAttributes, drawRange, groups }: BufferGeometry): number {
    if (this.isDone) return this.stamp;
    this.start();
    let buffers = 0;
    for (const name in attributes) {
      this.compare(name);
      this.#compareAttribute(attributes[name] as VertexAttribute, buffers++);
    }
    if (index !== null) this.#compareAttribute(index, buffers++);
    for (const name in morphAttributes) this.compare(name);
    this.compare(drawRange.start);
    this.compare(drawRange.count);
    for (let i = 0; i < groups.length; i++) {
      this.compare(groups[i].start);
      this.compare(groups[i].count);
      this.compare(groups[i].materialIndex);
    }
    this.#buffers.length = buffers;
    return this.end();
  }

  #compareAttribute(attribute: VertexAttribute, i: number): void {
    const source = sourceOf(attribute);
    if (this.#buffers[i]?.source !== source) this.#buffers[i] = bufferFacts(source);
    this.compare(attribute);
    this.compare(this.#buffers[i].lookAt());
    // A worker that takes an array leaves it without numbers.
    this.compare(attribute.array);
    this.compare(attribute.array?.length);
    this.compare(attribute.count);
  }
}

const known = new WeakMap<BufferGeometry, GeometryFacts>();
const make = (geometry: BufferGeometry): GeometryFacts => new GeometryFacts(geometry);

/** What is known of a geometry, which stays the same object. Finding it takes long, so whoever asks often keeps it. */
export function geometryFacts(geometry: BufferGeometry): GeometryFacts {
  return getOrMake(known, geometry, make);
}
