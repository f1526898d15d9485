import type { Material, Mesh } from 'three';
import type { ObjectRecord } from '../objects/ObjectRecord.js';
import type { BatchMemory } from './buffers/BatchMemory.js';
import type { DrawRange } from './buffers/DrawSlots.js';
import { type CurrentList, MeshBatch } from './buffers/MeshBatch.js';
import type { KnownGeometry } from './looks/KnownGeometry.js';
import type { KnownMaterial } from './looks/KnownMaterial.js';
import { type Family, syncVersion } from './looks/MaterialFamilies.js';

/** What all batches of a scene share. */
export interface BatchContext {
  readonly currentList: CurrentList;
  readonly memory: BatchMemory;
  /** Draws that make a batch. */
  readonly atLeast: number;
}

/** What draws of one batch have in common, beside material and layout. */
export interface Common {
  /** Mask of layers. */
  readonly mask: number;
  readonly renderOrder: number;
  /** The order of the group of three's that they lie in. */
  readonly groupOrder: number;
  /** 1 for casting shadows, and 2 for receiving them. */
  readonly shadows: number;
  /** Whether world matrices mirror. */
  readonly isMirrored: boolean;
}

/** One draw of a mesh, which has one for each group of its geometry if it has several materials. */
export interface Part {
  readonly record: ObjectRecord;
  /** Those that it can be drawn with; null for a mesh that is drawn by itself. */
  group: BatchGroup | null;
  range: DrawRange;
  known: KnownMaterial | null;
  /** Its place in the batch of the group; -1 while there is none. */
  slot: number;
  /** The group of the geometry that it draws; null for all of it. */
  readonly piece: object | null;
  /** There was no memory for it. */
  isRefused: boolean;
}

/** The draws that can be one draw call: they have a batch once there are some of them. */
export class BatchGroup {
  readonly key: string;
  readonly parts: Set<Part> = new Set();
  batch: MeshBatch | null = null;
  /** The last pass in whose list the batch is. */
  pass = -1;
  /** Its draws are sorted by renderers among all that is transparent; see `mergeRuns`. */
  readonly isTransparent: boolean;
  readonly #common: Common;
  readonly #material: Material;
  readonly #family: Family | null;
  readonly #isTinted: boolean;
  readonly #context: BatchContext;

  constructor(key: string, common: Common, material: KnownMaterial, context: BatchContext) {
    const { mask, renderOrder, groupOrder, shadows, isMirrored } = common;
    this.key = key;
    // Of a mesh that may be another by the time that there is a batch.
    this.#common = { mask, renderOrder, groupOrder, shadows, isMirrored };
    this.#material = material.drawn;
    this.isTransparent = material.drawn.transparent;
    this.#family = material.family;
    this.#isTinted = material.color !== null;
    this.#context = context;
  }

  add(part: Part): void {
    this.parts.add(part);
    if (this.batch === null && this.parts.size >= this.#context.atLeast) this.batch = this.#makeBatch();
  }

  /** Gives a draw its place in the batch, once there is one, and while there is memory for it. */
  seat(part: Part, geometry: KnownGeometry, { id, matrixWorld }: Mesh): void {
    if (part.slot >= 0 || this.batch === null) return;
    part.slot = this.batch.add(geometry, part.range, id, part.known?.material.id ?? 0);
    part.isRefused = part.slot < 0;
    if (part.isRefused) return;
    this.batch.place(part.slot, matrixWorld, true);
    const color = part.known?.color ?? null;
    if (color !== null) this.batch.tint(part.slot, color);
  }

  remove(part: Part): void {
    this.parts.delete(part);
    this.unseat(part);
  }

  /** Takes its place in the batch from a draw. */
  unseat(part: Part): void {
    if (part.slot >= 0) this.batch?.remove(part.slot);
    part.slot = -1;
  }

  /**
   * Gives the batch up if it has few draws left: half of what it takes to make one, so that a mesh that comes and goes does
   * not have batches made anew. Not while a pass may draw it.
   */
  dissolve(): void {
    if (this.parts.size < this.#context.atLeast / 2) this.dispose();
  }

  /** Has its draws wait for others, and renderers free what was made for the batch. */
  dispose(): void {
    for (const part of this.parts) part.slot = -1;
    this.batch?.dispose();
    this.batch = null;
  }

  #makeBatch(): MeshBatch {
    const { mask, renderOrder, shadows, isMirrored } = this.#common;
    const { currentList, memory } = this.#context;
    const batch = new MeshBatch(this.#material, { isMirrored, isTinted: this.#isTinted }, currentList, memory, () => {
      if (this.#family !== null) syncVersion(this.#family);
    });
    const { mesh } = batch;
    mesh.layers.mask = mask;
    mesh.renderOrder = renderOrder;
    mesh.castShadow = (shadows & 1) !== 0;
    mesh.receiveShadow = (shadows & 2) !== 0;
    return batch;
  }
}

/** The same for all draws that can be one draw call. */
export function keyOf(common: Common, { drawn }: KnownMaterial, { layout }: KnownGeometry): string {
  const { mask, renderOrder, groupOrder, shadows, isMirrored } = common;
  return [drawn.uuid, drawn.transparent, mask, renderOrder, groupOrder, shadows, isMirrored, layout].join(' ');
}
