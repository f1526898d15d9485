import type { Guest } from '../wasm/KernelPool.js';
import type { OccluderMesh } from './OccluderMesh.js';
import type { OcclusionSettings } from './OcclusionView.js';

/**
 * A small depth buffer that errs on the side of what is seen. For each pass:
 *
 *     if (!buffer.begin({ projection, view, pictureWidth, pictureHeight, … })) return; // nothing can be promised
 *     buffer.draw(mesh, matrices, 16 * i, FRONT); // occluders, nearest first; `isHidden` may be asked in between
 *     buffer.end();
 *     buffer.isHidden(boxes, 6 * id); // and `queryVisible(index, planes, buffer, out)`
 *
 * A mesh may be drawn when the renderer draws all of its triangles, opaque, writing depth that is compared by less (or
 * equal), at the places that its world matrix, the view and the projection give them. A box may be hidden when whatever
 * is drawn of its item, by such a program, lies in the box and is dropped by the depth test where it is behind; and when
 * the coordinates of its vertices, moved by its matrix, are not many times larger than the box and the way to it: no more
 * than `ITEM_TERMS` of OcclusionView.ts. Rasterisers must take the depth of a sample where the sample lies.
 *
 * `createOcclusionBuffer` makes one: `SimdOcclusion` where WebAssembly SIMD is available, else `PlainOcclusion`. Both give
 * the same answers.
 */
export interface OcclusionBuffer {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /**
   * Nearness by pixel, from the lowest row up: all of the pixel's square is covered by triangles at least so near; 1 is the
   * near plane, 0 the far plane, or nothing known. To be read again after each call.
   */
  readonly near: Float32Array;
  /** Meshes and triangles drawn since `begin`; what faced away or had no area is not counted. */
  readonly occluders: number;
  readonly triangles: number;

  /** Starts a pass: drops what was drawn. False when the pass allows no promise; then nothing is to be drawn or asked. */
  begin(settings: OcclusionSettings): boolean;
  /**
   * Draws an opaque mesh. Returns how many pixels came nearer: 0 for one that is of no use, or too large for
   * the memory.
   * @param world Its world matrix: sixteen numbers from `o` on, column major.
   * @param side Which of its faces are drawn: `FRONT`, `BACK` or `BOTH`.
   */
  draw(mesh: OccluderMesh, world: ArrayLike<number>, o?: number, side?: number): number;
  /** Ends the drawing: questions are answered faster from here on. */
  end(): void;
  /**
   * True when nothing in the world box at `o` can be seen, because it is behind what was drawn or beside the screen. False
   * for what reaches the near plane. A box for which this is true holds no box for which it is false, if the larger one
   * is asked about with `isNode`.
   */
  isHidden(boxes: Float64Array, o: number, isNode?: boolean): boolean;
  /** Finds what is not hidden in packed rows, once the drawing ended; null for plain code. */
  readonly guest: Guest | null;
}

/** Faces, as numbers that a mirrored matrix negates. */
export const FRONT = 1;
export const BACK = -1;
export const BOTH = 0;
