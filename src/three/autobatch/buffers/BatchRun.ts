import { type BatchedMesh, DataTexture, Material, RedIntegerFormat, UnsignedIntType } from 'three';
import { grow } from '../../../core/grow.js';
import { sizeOf } from '../../batches/drawLists.js';
import type { DrawSlots } from './DrawSlots.js';

/**
 * Draws of a batch that follow each other in the order of a pass, as one draw call: an object whose prototype is the
 * batch, with draw lists of its own.
 */
export class BatchRun {
  readonly object: BatchedMesh;
  #starts = new Int32Array(4);
  #counts = new Int32Array(4);
  #slots: DataTexture & { image: { data: Uint32Array } };

  /** @param onBeforeRender Has renderers upload what the batch has that is new. */
  constructor(batch: BatchedMesh, onBeforeRender: BatchedMesh['onBeforeRender']) {
    this.#slots = textureFor(4);
    this.object = Object.create(batch, {
      onBeforeRender: { value: onBeforeRender },
      _multiDrawStarts: { get: () => this.#starts },
      _multiDrawCounts: { get: () => this.#counts },
      _multiDrawCount: { value: 0, writable: true },
      _indirectTexture: { get: () => this.#slots },
    });
  }

  /** Sets what it draws. */
  set(ids: readonly number[], slots: DrawSlots, material: Material): void {
    const { length } = ids;
    this.#reserve(length);
    const size = sizeOf(this.object.geometry, material);
    const { data } = this.#slots.image;
    let isSame = true;
    for (let i = 0; i < length; i++) {
      const slot = ids[i];
      this.#starts[i] = slots.startOf(slot) * size;
      this.#counts[i] = slots.countOf(slot);
      if (data[i] !== slot) isSame = false;
      data[i] = slot;
    }
    // An upload takes longer than some draws.
    if (!isSame) this.#slots.needsUpdate = true;
    (this.object as unknown as { _multiDrawCount: number })._multiDrawCount = length;
  }

  /** Has renderers free what they have of it. */
  dispose(): void {
    this.#slots.dispose();
  }

  #reserve(length: number): void {
    if (length <= this.#starts.length) return;
    this.#starts = grow(this.#starts, length);
    this.#counts = grow(this.#counts, length);
    this.#slots.dispose();
    this.#slots = textureFor(this.#starts.length);
  }
}

/**
 * A material for runs: always as the given one is, but another for renderers. With one for both they would go over to
 * another program at each change between runs and meshes that are drawn by themselves.
 */
export function runMaterial(material: Material): Material {
  return Object.create(material, {
    id: { value: new Material().id },
    forceSinglePass: { value: true },
    _listeners: { value: undefined, writable: true },
  });
}

function textureFor(length: number): DataTexture & { image: { data: Uint32Array } } {
  const size = Math.ceil(Math.sqrt(length));
  const texture = new DataTexture(new Uint32Array(size * size), size, size, RedIntegerFormat, UnsignedIntType);
  texture.needsUpdate = true;
  return texture as DataTexture & { image: { data: Uint32Array } };
}
