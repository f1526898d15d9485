import { getOrMake } from '../core/arrays.js';
import { aligned, compileKernel, enlarge, type Guest, isSimdAllowed } from '../wasm/KernelPool.js';
import { occlusionKernel } from '../wasm/occlusionKernel.js';
import type { OccluderMesh } from './OccluderMesh.js';
import { isOne, type OcclusionSettings, OcclusionView } from './OcclusionView.js';

/** Exports of the compiled kernel, see wasm/assembly/occlusion.ts. */
interface Exports {
  init(start: number, width: number, height: number, draws: boolean): number;
  beginPass(): void;
  draw(mesh: number, world: number, side: number, scratch: number): number;
  makeTiles(): void;
  isHidden(box: number): number;
  visible(planes: number, most: number): number;
  near: WebAssembly.Global;
  view: WebAssembly.Global;
  touched: WebAssembly.Global;
  occluders: WebAssembly.Global;
  triangles: WebAssembly.Global;
}

/** Addresses of a matrix, of a box, and of the end of both; bytes that a mesh needs besides its vertices and edges. */
const WORLD_AT = 16;
const BOX_AT = 144;
const START = 192;
const SCRATCH = 440;
/** Meshes are kept in memory up to this many bytes, then all are forgotten. */
const MOST_KEPT = 2 ** 22;

let compiled: WebAssembly.Module | null | undefined;

/** The compiled kernel; null without WebAssembly SIMD. */
function moduleOrNull(): WebAssembly.Module | null {
  if (!isSimdAllowed) return null;
  if (compiled === undefined) compiled = compileKernel(occlusionKernel);
  return compiled;
}

/** Faces, as numbers that a mirrored matrix negates. */
export const FRONT = 1;
export const BACK = -1;
export const BOTH = 0;

/**
 * A small depth buffer in WebAssembly SIMD; in doubt, objects count as visible. For each pass:
 *
 *     if (!buffer.beginPass({ projection, view, viewportWidth, viewportHeight, … })) return; // nothing can be promised
 *     buffer.draw(mesh, matrices, 16 * i, FRONT); // occluders, nearest first; `isHidden` may be asked in between
 *     buffer.end();
 *     buffer.isHidden(boxes, 6 * id); // and `queryVisible(index, planes, buffer, out)`
 *
 * A mesh may be drawn when the renderer draws all of its triangles, opaque, writing depth that is compared by less (or
 * equal), at the positions given by its world matrix, the view and the projection. A box may be hidden when all drawn
 * parts of its item, by such a program, lie in the box, and the depth test drops the parts behind. Coordinates of the
 * item's vertices, moved by its matrix, must not be many times larger than the box and the way to it: no more than
 * `ITEM_TERMS` of OcclusionView.ts. Rasterisers must take the depth of a sample at its position.
 *
 * Proofs: wasm/assembly/occlusion/coverage.ts for pixels, draw.ts for errors of programs, hidesBox.ts for boxes.
 */
export class OcclusionBuffer implements Guest {
  /** Size in pixels. */
  readonly width: number;
  readonly height: number;
  readonly #module: WebAssembly.Module;
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: Exports;
  /** The kernel at work in the memory of packed rows, and its room there. */
  readonly #away = new WeakMap<WebAssembly.Memory, { readonly kernel: Exports; room: Uint8Array }>();
  /** Bytes of a pass, which lie first: its numbers, nearness and tiles. */
  readonly room: number;
  #pass = new Uint8Array(0);
  #isEnded = false;
  readonly #view = new OcclusionView();
  /** Start and end of the room for a mesh at work, and the first free byte after kept meshes. */
  readonly #scratch: number;
  #scratchEnd: number;
  #free: number;
  #kept = new WeakMap<OccluderMesh, number>();
  #doubles = new Float64Array(0);

  private constructor(width: number, height: number, module: WebAssembly.Module) {
    this.width = width;
    this.height = height;
    this.#module = module;
    this.#memory = new WebAssembly.Memory({ initial: 1 });
    const kernel = instantiate(module, this.#memory);
    this.#kernel = kernel;
    // Growing keeps addresses, so the layout may come first.
    this.#scratch = aligned(kernel.init(START, width, height, true));
    this.#scratchEnd = this.#free = this.#scratch;
    this.room = kernel.touched.value - START;
    if (!this.#reserve(this.#scratch))
      throw new RangeError(`OcclusionBuffer: no memory for ${width} by ${height} pixels`);
  }

  /** False without WebAssembly SIMD: then there are no buffers. */
  static get isAvailable(): boolean {
    return moduleOrNull() !== null;
  }

  /** A buffer of a size in pixels, the width a multiple of 8; null if WebAssembly SIMD, or memory, is not available. */
  static create(width: number, height: number): OcclusionBuffer | null {
    const module = moduleOrNull();
    if (module === null) return null;
    try {
      return new OcclusionBuffer(width, height, module);
    } catch (error) {
      // Out of memory.
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  /**
   * Nearness by pixel, from the lowest row up: triangles at least as near cover all of the pixel's square; 1 is the
   * near plane, 0 the far plane, or nothing known. Read this property again after each call.
   */
  get near(): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#kernel.near.value, this.width * this.height);
  }

  /** Number of meshes drawn since {@link beginPass}. */
  get occluders(): number {
    return this.#kernel.occluders.value;
  }

  /** Number of triangles drawn since {@link beginPass}, without triangles that faced away or had no area. */
  get triangles(): number {
    return this.#kernel.triangles.value;
  }

  /** Starts a pass: drops all drawn meshes. False when the pass allows no promise; then neither draw nor ask. */
  beginPass(settings: OcclusionSettings): boolean {
    this.#isEnded = false;
    this.#kernel.beginPass();
    const isSound = this.#view.set(settings, this.width, this.height);
    this.#doubles.set(this.#view.numbers, this.#kernel.view.value >> 3);
    return isSound;
  }

  /**
   * Draws an opaque mesh. Returns the number of pixels that came nearer: 0 for a mesh of no use, or too large for the
   * memory.
   * @param world The world matrix of the mesh: sixteen numbers from `o` on, column major.
   * @param side The faces that are drawn: `FRONT`, `BACK` or `BOTH`.
   */
  draw(mesh: OccluderMesh, world: ArrayLike<number>, o: number = 0, side: number = FRONT): number {
    if (world[o + 3] !== 0 || world[o + 7] !== 0 || world[o + 11] !== 0 || !isOne(world[o + 15])) return 0;
    const at = this.#kept.get(mesh) ?? this.#keep(mesh);
    if (at === null) return 0;
    for (let k = 0; k < 16; k++) this.#doubles[(WORLD_AT >> 3) + k] = world[o + k];
    return this.#kernel.draw(at, WORLD_AT, side, this.#scratch);
  }

  /** Ends the drawing: queries are answered faster from then on. */
  end(): void {
    this.#kernel.makeTiles();
    this.#isEnded = true;
  }

  /** The guest that finds visible items in packed rows; null until the drawing has ended. */
  get guest(): Guest | null {
    return this.#isEnded ? this : null;
  }

  overlap(memory: WebAssembly.Memory, at: number, all: number, most: number): number {
    const away = getOrMake(this.#away, memory, () => ({ kernel: instantiate(this.#module, memory), room: this.#pass }));
    const { kernel } = away;
    if (away.room.buffer !== memory.buffer || away.room.byteOffset !== at) {
      kernel.init(at, this.width, this.height, false);
      away.room = new Uint8Array(memory.buffer, at, this.room);
    }
    away.room.set(this.#pass);
    return kernel.visible(all, most);
  }

  /** True when the world box at `o` is behind drawn meshes or beside the screen; false if it reaches the near plane. */
  isHidden(boxes: Float64Array, o: number): boolean {
    for (let k = 0; k < 6; k++) this.#doubles[(BOX_AT >> 3) + k] = boxes[o + k];
    return this.#kernel.isHidden(BOX_AT) !== 0;
  }

  /** Copies a mesh to memory, with room to work on it; null when there is no room. */
  #keep(mesh: OccluderMesh): number | null {
    const { triangleCount, positions, triangles, triangleEdges, edges, reach } = mesh;
    const [vertexCount, edgeCount] = [positions.length / 3, edges.length / 2];
    const scratch = this.#scratch + aligned(SCRATCH + 56 * vertexCount + 4 * edgeCount);
    if (scratch > this.#scratchEnd || this.#free > this.#scratchEnd + MOST_KEPT) {
      this.#kept = new WeakMap();
      this.#scratchEnd = this.#free = Math.max(this.#scratchEnd, scratch);
    }
    const at = this.#free;
    this.#free += aligned(40 + 24 * vertexCount + 24 * triangleCount + 8 * edgeCount);
    if (!this.#reserve(this.#free)) {
      // A smaller mesh may still fit.
      this.#kept = new WeakMap();
      this.#scratchEnd = this.#free = this.#scratch;
      return null;
    }
    const { buffer } = this.#memory;
    new Int32Array(buffer, at, 3).set([vertexCount, triangleCount, edgeCount]);
    new Float64Array(buffer, at + 16, 3).set(reach);
    new Float64Array(buffer, at + 40, 3 * vertexCount).set(positions);
    let to = at + 40 + 24 * vertexCount;
    for (const array of [triangles, triangleEdges, edges]) {
      new Int32Array(buffer, to, array.length).set(array);
      to += array.byteLength;
    }
    this.#kept.set(mesh, at);
    return at;
  }

  /** Grows the memory to a number of bytes; false when it cannot grow. */
  #reserve(bytes: number): boolean {
    if (!enlarge(this.#memory, bytes)) return false;
    if (this.#doubles.buffer === this.#memory.buffer) return true;
    this.#doubles = new Float64Array(this.#memory.buffer);
    this.#pass = new Uint8Array(this.#memory.buffer, START, this.room);
    return true;
  }
}

function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): Exports {
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
}
