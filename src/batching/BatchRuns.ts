import { type BatchedMesh, DataTexture, Material, RedIntegerFormat, UnsignedIntType } from 'three';
import { grow } from '../core/arrays.js';
import { sizeOf } from '../instances/drawn/drawLists.js';
import type { DrawSlots } from './DrawSlots.js';

/** Draws whose slots share a texture, unless one run alone has more. Larger: fewer uploads, more empty draws. */
const SEGMENT = 32;

type SlotTexture = DataTexture & { image: { data: Uint32Array } };

/** A texture with the slots of some runs, one behind the other. */
class Segment {
  texture: SlotTexture = textureFor(SEGMENT);
  length = 0;

  /** Makes room for a run at the beginning. */
  reserve(length: number): void {
    if (length <= this.texture.image.data.length) return;
    this.texture.dispose();
    this.texture = textureFor(2 * length);
  }

  push(slot: number): void {
    const { data } = this.texture.image;
    // An upload costs as much as some draws.
    if (data[this.length] !== slot) this.texture.needsUpdate = true;
    data[this.length++] = slot;
  }
}

/** An object whose prototype is the batch, with draw lists of its own. */
interface Run {
  readonly object: BatchedMesh & { _multiDrawCount: number; _indirectTexture: SlotTexture };
  starts: Int32Array;
  counts: Int32Array;
}

/**
 * Parts of a batch that a pass draws one by one, with other things between them: each is a draw call.
 *
 * Shaders look up the slot of a draw by its number within the call, so each call would need a texture. Runs share one as a
 * call begins with empty draws for those before it.
 */
export class BatchRuns {
  readonly #material: Material;
  readonly #batch: BatchedMesh;
  readonly #slots: DrawSlots;
  readonly #onBeforeRender: BatchedMesh['onBeforeRender'];
  readonly #runs: Run[] = [];
  readonly #segments: Segment[] = [];
  #runCount = 0;
  #segmentCount = 0;

  /** @param onBeforeRender Has renderers upload what the batch has that is new. */
  constructor(batch: BatchedMesh, slots: DrawSlots, onBeforeRender: BatchedMesh['onBeforeRender']) {
    this.#batch = batch;
    this.#slots = slots;
    this.#onBeforeRender = onBeforeRender;
    this.#material = runMaterial(batch.material as Material);
  }

  /** Forgets all runs, for another pass. */
  clear(): void {
    this.#runCount = 0;
    this.#segmentCount = 0;
  }

  /**
   * Adds a run; returns the object that draws it.
   * @param isShared Whether empty draws cost next to nothing, as with the extension WEBGL_multi_draw.
   */
  add(ids: readonly number[], isShared: boolean): BatchedMesh {
    const { length } = ids;
    const segment = this.#segmentFor(length, isShared);
    const first = segment.length;
    const run = this.#nextRun(first + length);
    const slots = this.#slots;
    const size = sizeOf(this.#batch.geometry, this.#material);
    run.counts.fill(0, 0, first);
    for (let i = 0; i < length; i++) {
      segment.push(ids[i]);
      run.starts[first + i] = slots.startOf(ids[i]) * size;
      run.counts[first + i] = slots.countOf(ids[i]);
    }
    run.object._multiDrawCount = first + length;
    run.object._indirectTexture = segment.texture;
    return run.object;
  }

  /** Has renderers free what they have of it. */
  dispose(): void {
    this.#material.dispose();
    for (const { texture } of this.#segments) texture.dispose();
  }

  #segmentFor(length: number, isShared: boolean): Segment {
    const last = this.#segments[this.#segmentCount - 1];
    if (isShared && last !== undefined && last.length + length <= SEGMENT) return last;
    this.#segments[this.#segmentCount] ??= new Segment();
    const segment = this.#segments[this.#segmentCount++];
    segment.reserve(length);
    segment.length = 0;
    return segment;
  }

  #nextRun(length: number): Run {
    this.#runs[this.#runCount] ??= this.#makeRun();
    const run = this.#runs[this.#runCount++];
    if (run.starts.length < length) {
      run.starts = grow(run.starts, length);
      run.counts = grow(run.counts, length);
    }
    return run;
  }

  #makeRun(): Run {
    const run: Run = {
      starts: new Int32Array(SEGMENT),
      counts: new Int32Array(SEGMENT),
      object: Object.create(this.#batch, {
        material: { value: this.#material },
        onBeforeRender: { value: this.#onBeforeRender },
        _multiDrawStarts: { get: () => run.starts },
        _multiDrawCounts: { get: () => run.counts },
        _multiDrawCount: { value: 0, writable: true },
        _indirectTexture: { value: null, writable: true },
      }),
    };
    return run;
  }
}

/**
 * A material for runs: always as the given one is, but another for renderers. With one for both they would go over to
 * another program at each change between runs and meshes that are drawn by themselves.
 */
function runMaterial(material: Material): Material {
  return Object.create(material, {
    id: { value: new Material().id },
    forceSinglePass: { value: true },
    _listeners: { value: undefined, writable: true },
  });
}

function textureFor(length: number): SlotTexture {
  const size = Math.ceil(Math.sqrt(length));
  const texture = new DataTexture(new Uint32Array(size * size), size, size, RedIntegerFormat, UnsignedIntType);
  texture.needsUpdate = true;
  return texture as SlotTexture;
}
