import { type BatchedMesh, DataTexture, Material, RedIntegerFormat, UnsignedIntType } from 'three';
import * as BATCH from '../three/batches.js';
import type { DrawSlots } from './DrawSlots.js';

/** Slots in a shared texture, unless one run has more. A larger number means fewer uploads, but more empty draws. */
const SHARED = 32;

type SlotTexture = BATCH.Internals[typeof BATCH.DRAWN_IDS];

/** An object that inherits from the batch, with draw lists of its own. */
type Run = BatchedMesh & BATCH.Internals;

interface RunBatch {
  readonly mesh: BatchedMesh;
  readonly slots: DrawSlots;
  /** Has renderers upload changed data of the batch. */
  readonly prepare: BatchedMesh['onBeforeRender'];
  /** Chooses the levels by which the pass draws some slots. */
  choose(ids: readonly number[], length: number): void;
}

/**
 * The runs of a batch in a pass: each run is one call, with other draws between the runs.
 *
 * Shaders look up the slot of a draw by its number within the call, so each call would need a texture. To share one
 * texture, a call begins with empty draws for the runs before it.
 */
export class BatchRuns {
  readonly #material: Material;
  readonly #batch: RunBatch;
  readonly #runs: Run[] = [];
  #runCount = 0;
  /** Textures with the slots of some runs, one run after the other; `#filled` counts the slots in the last one. */
  readonly #textures: SlotTexture[] = [];
  #textureCount = 0;
  #filled = 0;

  constructor(batch: RunBatch) {
    this.#batch = batch;
    // All but the id is inherited: by one id renderers would switch programs between runs and lone meshes.
    this.#material = Object.create(batch.mesh.material as Material, {
      id: { value: new Material().id },
      forceSinglePass: { value: true },
      [BATCH.LISTENERS]: { value: undefined, writable: true },
    });
  }

  clear(): void {
    this.#runCount = this.#textureCount = 0;
  }

  /**
   * Adds a run of slots; returns the object that draws it.
   * @param isShared Whether empty draws cost next to nothing, as with the extension WEBGL_multi_draw.
   */
  add(ids: readonly number[], isShared: boolean): BatchedMesh {
    const texture = this.#textureFor(ids.length, isShared);
    const { data } = texture.image;
    const first = this.#filled;
    const end = first + ids.length;
    const run = this.#runFor(end);
    const { [BATCH.DRAW_STARTS]: starts, [BATCH.DRAW_COUNTS]: counts } = run;
    const { mesh, slots } = this.#batch;
    const size = BATCH.sizeOf(mesh.geometry, this.#material);
    counts.fill(0, 0, first);
    this.#batch.choose(ids, ids.length);
    for (let i = first; i < end; i++) {
      const slot = ids[i - first];
      starts[i] = slots.starts[slot] * size;
      counts[i] = slots.counts[slot];
      // An upload costs as much as some draws, so equal slots cause none.
      if (data[i] !== slot) texture.needsUpdate = true;
      data[i] = slot;
    }
    this.#filled = run[BATCH.DRAW_COUNT] = end;
    run[BATCH.DRAWN_IDS] = texture;
    return run;
  }

  dispose(): void {
    this.#material.dispose();
    for (const texture of this.#textures) texture.dispose();
  }

  /** The texture for a run: the last texture, if it has room. */
  #textureFor(length: number, isShared: boolean): SlotTexture {
    const hasRoom = isShared && this.#textureCount > 0 && this.#filled + length <= SHARED;
    if (hasRoom) return this.#textures[this.#textureCount - 1];
    const at = this.#textureCount++;
    this.#filled = 0;
    if (!(this.#textures[at]?.image.data.length >= length)) {
      this.#textures[at]?.dispose();
      this.#textures[at] = makeSlotTexture(Math.max(SHARED, 2 * length));
    }
    return this.#textures[at];
  }

  #runFor(length: number): Run {
    const at = this.#runCount++;
    if (!(this.#runs[at]?.[BATCH.DRAW_STARTS].length >= length)) {
      const capacity = Math.max(SHARED, 2 * length);
      this.#runs[at] = Object.create(this.#batch.mesh, {
        material: { value: this.#material },
        onBeforeRender: { value: this.#batch.prepare },
        [BATCH.DRAW_STARTS]: { value: new Int32Array(capacity) },
        [BATCH.DRAW_COUNTS]: { value: new Int32Array(capacity) },
        [BATCH.DRAW_COUNT]: { value: 0, writable: true },
        [BATCH.DRAWN_IDS]: { value: null, writable: true },
      });
    }
    return this.#runs[at];
  }
}

/** A square texture with room for a number of slots. */
export function makeSlotTexture(length: number): SlotTexture {
  const size = Math.ceil(Math.sqrt(length));
  const texture = new DataTexture(new Uint32Array(size * size), size, size, RedIntegerFormat, UnsignedIntType);
  texture.needsUpdate = true;
  return texture as SlotTexture;
}
