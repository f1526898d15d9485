import {
  type BatchedMesh,
  type BufferGeometry,
  DataTexture,
  Material,
  type Object3D,
  RedIntegerFormat,
  type Scene,
  UnsignedIntType,
  Vector3,
} from 'three';
import { grow } from '../core/arrays.js';
import { sizeOf } from '../instances/drawn/drawLists.js';
import type { SceneRenderer } from '../passes/Pass.js';
import { type RenderItem, type RenderLists, whenSorted } from '../passes/sortedDraws.js';
import type { DrawEntry } from './BatchGroup.js';
import type { DrawSlots } from './DrawSlots.js';

/** A mesh, which is also its first draw. */
interface SortedMesh extends DrawEntry {
  readonly isTransparent: boolean;
  /** The frame in which it was refreshed last. */
  readonly frame: number;
  readonly geometry: { readonly geometry: BufferGeometry } | null;
  /** Its further draws. */
  readonly others: readonly DrawEntry[] | null;
}

/** The transparent draws of a pass. */
interface SortedPass {
  /** The list of the pass. */
  readonly list: number;
  /** The frame in which its meshes were refreshed. */
  readonly frame: number;
  /** True while its picture is being made. */
  isCurrent(): boolean;
  stateOf(object: Object3D): SortedMesh | undefined;
  /** Called with what is thrown; draws are as they were then. */
  failed(error: unknown): void;
}

/**
 * Merges consecutive transparent draws of a batch into one call, once the renderer has sorted them. Call it when the
 * renderer begins to fill its list.
 */
export function mergeWhenSorted(scene: Scene, renderer: SceneRenderer, pass: SortedPass): void {
  const { renderLists, sortObjects, extensions } = renderer;
  whenSorted(renderLists as RenderLists, scene, sortObjects, (draws) => {
    if (!pass.isCurrent()) return;
    try {
      mergeRuns(draws, pass, extensions?.has('WEBGL_multi_draw') === true);
    } catch (error) {
      pass.failed(error);
    }
  });
}

/**
 * Puts one draw in the place of each run of draws of one batch. A run of one is drawn by the batch as well, as
 * switching between shaders costs more.
 * @param draws In the order in which they are drawn; shortened.
 * @param isShared See {@link BatchRuns.add}.
 */
function mergeRuns(draws: RenderItem[], pass: SortedPass, isShared: boolean): void {
  // Each item that is kept, with what draws the run that it begins; null for what is drawn alone.
  const items: RenderItem[] = [];
  const objects: (BatchedMesh | null)[] = [];
  const slots: number[] = [];
  let entry = draws.length > 0 ? entryOf(draws[0], pass) : null;
  for (let i = 0; i < draws.length; ) {
    const group = entry?.group ?? null;
    items.push(draws[i]);
    slots.length = 0;
    do {
      if (entry !== null) slots.push(entry.slot);
      entry = ++i < draws.length ? entryOf(draws[i], pass) : null;
    } while (entry !== null && entry.group === group);
    objects.push(group?.batch?.runs(pass.list, BatchRuns).add(slots, isShared) ?? null);
  }
  // Nothing is edited before all runs are made.
  for (const [i, object] of objects.entries()) {
    draws[i] = items[i];
    if (object !== null) {
      Object.assign(draws[i], { object, geometry: object.geometry, material: object.material, group: null });
    }
  }
  draws.length = items.length;
}

/** The draw in a batch that stands for an item of a renderer; null for one that is drawn alone. */
function entryOf({ object, geometry, material, group }: RenderItem, { frame, stateOf }: SortedPass): DrawEntry | null {
  const state = stateOf(object);
  if (state === undefined || !state.isTransparent || state.frame !== frame) return null;
  if (state.slot < 0 || state.geometry?.geometry !== geometry) return null;
  for (let entry: DrawEntry = state, i = 0; ; i++) {
    const isDrawn = entry.piece === group && entry.known?.material === material;
    if (isDrawn && entry.slot >= 0 && entry.group?.isTransparent) return entry;
    if (state.others === null || i === state.others.length) return null;
    entry = state.others[i];
  }
}

/** Draws that share a texture, unless one run has more. A larger number means fewer uploads, but more empty draws. */
const SEGMENT = 32;

type SlotTexture = DataTexture & { image: { data: Uint32Array } };

/** An object that inherits from the batch, with draw lists of its own. */
interface Run {
  readonly object: BatchedMesh & { _multiDrawCount: number; _indirectTexture: SlotTexture };
  starts: Int32Array;
  counts: Int32Array;
}

/**
 * The runs of a batch in a pass: each is one call, with other draws between them.
 *
 * Shaders look up the slot of a draw by its number within the call, so each call would need a texture. To share one, a
 * call begins with empty draws for the runs before it.
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

  /** @param onBeforeRender Has renderers upload what is new in the batch. */
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
   * Adds a run of slots; returns the object that draws it.
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

  /** Frees its GPU resources. */
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

/** A texture with the slots of some runs, one after the other. */
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

/**
 * A material that inherits everything from the given one but its id: with the same one, renderers would switch programs
 * between runs and meshes that are drawn alone.
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

/** Geometries with more vertices are not tested: they are hardly panes. */
const MOST = 1024;
/** How far a triangle may be turned or lie off, in parts of its size. */
const SLACK = 1e-5;

const [a, b, c, normal, first] = Array.from({ length: 5 }, () => new Vector3());

/**
 * True for a geometry whose triangles lie in one plane and face the same way, as of a pane or a label: a camera sees
 * the front of all of them, or the back.
 */
export function isFlat({ attributes: { position }, index }: BufferGeometry): boolean {
  if (position.count > MOST) return false;
  const count = index?.count ?? position.count;
  first.set(0, 0, 0);
  let height = 0;
  for (let i = 0; i + 2 < count; i += 3) {
    a.fromBufferAttribute(position, index?.getX(i) ?? i);
    b.fromBufferAttribute(position, index?.getX(i + 1) ?? i + 1);
    c.fromBufferAttribute(position, index?.getX(i + 2) ?? i + 2);
    normal.crossVectors(b.sub(a), c.sub(a));
    const size = Math.sqrt(normal.length());
    // Nothing of it is drawn.
    if (size === 0) continue;
    normal.normalize();
    if (first.lengthSq() === 0) {
      first.copy(normal);
      height = first.dot(a);
    }
    const isOff = Math.abs(first.dot(a) - height) > SLACK * size;
    if (isOff || normal.distanceTo(first) > SLACK) return false;
  }
  return first.lengthSq() > 0;
}
