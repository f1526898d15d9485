import * as AT from '../wasm/occlusionLayout.js';

/** Settings of a pass. Matrices are column major, as in three, and as the renderer gives them to its programs. */
export interface OcclusionSettings {
  /** `camera.projectionMatrix.elements`. */
  projection: ArrayLike<number>;
  /** `camera.matrixWorldInverse.elements`. */
  view: ArrayLike<number>;
  /** The range of clip depth: `'gl'` from -w to w, `'gpu'` from 0 to w, `'reversed'` from w to 0. Default `'gl'`. */
  depth?: 'gl' | 'gpu' | 'reversed';
  /** Size of the viewport in pixels: rasterisers round vertices to shares of a pixel. */
  viewportWidth: number;
  viewportHeight: number;
  /** Bits of the depth texture: 16, 24 or 32. Default 24. */
  depthBits?: number;
  /**
   * For depth that programs write as a logarithm of w: the near and far distance of the camera. Such depth belongs to
   * the middle of a pixel, so use it without multisampling only.
   */
  logarithmic?: { near: number; far: number } | null;
  /**
   * True when programs multiply view and world matrices themselves, in single precision: `WebGPURenderer` without
   * `highPrecision`, instances, and batches. Default false.
   */
  inWorldSpace?: boolean;
  /** The largest number that programs add up in world coordinates beyond positions of vertices and eye. Default 0. */
  magnitude?: number;
  /**
   * The largest distance of an object from the origin of its batch, as a multiple of the object's reach from the eye:
   * programs add up that distance as well. Default 0, for objects in no batch.
   */
  fromOrigin?: number;
  /**
   * Clipping planes of the whole pass in view coordinates, four numbers each: unit normal and constant. Fragments on
   * the negative side of any plane are not drawn. At most `MOST_SECTIONS` planes.
   */
  sections?: ArrayLike<number>;
}

/** Rounding, in double precision, of world coordinates: these may be far larger than their distance from the eye. */
const DOUBLE = 2 ** -48;
/**
 * A vertex of an item, in view coordinates, is a sum of terms of at most this many times the reach of its box. Reach is
 * the sum, over the axes, of the distance from the eye to the farther side.
 */
const ITEM_TERMS = 4;
/**
 * In a batch, a program adds up the way o from the batch's origin to a vertex, then o and the way e from eye to origin.
 * e is at most o and the way to the vertex: so 5 u (2 o + e) is less than 16 u o and the reserve for the vertex without
 * a batch. And o is at most `fromOrigin` times the distance and the radius, which are less than twice the sum of the
 * sizes of all terms of the vertex in view coordinates.
 */
const BATCH_TERMS = 2;
/** Rasterisers round vertices to a 16th of a pixel or finer; a 16th is left for the roundings of the viewport. */
const VERTEX_SNAP = 1 / 8;

/** True for the last number of a matrix without perspective; the number of an inverse may be off by rounding. */
export function isOne(x: number): boolean {
  return Math.abs(x - 1) < 2 ** -40;
}

/**
 * A pass as the buffer computes it: as `numbers` for the kernel.
 *
 * Nearness is 1 on the near plane, 0 on the far plane, and on the screen an affine function over each triangle: for
 * linear depth `1 - window depth`, for reversed depth the window depth, for logarithmic depth `near / w`. A row of a
 * matrix gives nearness times w, so that oblique planes and orthographic cameras are no cases of their own.
 */
export class OcclusionView {
  readonly numbers: Float64Array = new Float64Array(AT.VIEW_NUMBERS);

  /** Computes the numbers of a pass for a buffer of a size in pixels. False when the pass allows no promise. */
  set(settings: OcclusionSettings, width: number, height: number): boolean {
    const { projection, view, viewportWidth, viewportHeight, depth = 'gl', logarithmic = null } = settings;
    const { sections = [], depthBits = 24, inWorldSpace = false, magnitude = 0, fromOrigin = 0 } = settings;
    const n = this.numbers;
    const isLinear = logarithmic === null || (projection[11] === 0 && projection[15] === 1);
    // Renderers recognise a perspective by its row of w, and compute all other depths as without perspective.
    if (!isLinear && (projection[11] !== -1 || [2, 3, 6, 7, 15].some((i) => projection[i] !== 0))) return false;
    if (view[3] !== 0 || view[7] !== 0 || view[11] !== 0 || !isOne(view[15])) return false;
    if (sections.length > 4 * AT.MOST_SECTIONS) return false;
    for (let c = 0; c < 4; c++) {
      const z = projection[4 * c + 2];
      const w = projection[4 * c + 3];
      n[AT.CLIP + c] = projection[4 * c];
      n[AT.CLIP + 4 + c] = projection[4 * c + 1];
      n[AT.CLIP + 8 + c] = w;
      n[AT.CLIP + 12 + c] = depth === 'reversed' ? z : depth === 'gpu' ? w - z : (w - z) / 2;
      if (!isLinear) n[AT.CLIP + 12 + c] = c === 3 ? logarithmic!.near : 0;
      for (let r = 0; r < 3; r++) n[AT.VIEW + 4 * r + c] = view[4 * c + r];
    }
    for (let r = 0; r < 4; r++) {
      for (let c = 0; c < 4; c++) {
        let sum = c === 3 ? n[AT.CLIP + 4 * r + 3] : 0;
        for (let k = 0; k < 3; k++) sum += n[AT.CLIP + 4 * r + k] * n[AT.VIEW + 4 * k + c];
        n[AT.ROWS + 4 * r + c] = sum;
      }
    }
    const share = Math.max(width / viewportWidth, height / viewportHeight);
    n[AT.GUARD] = VERTEX_SNAP * share;
    // A clipping plane leaves out whole pixels, by their middles: the guard is half a pixel, and as much again.
    n[AT.SECTION_GUARD] = n[AT.GUARD] + share;
    this.#setDepthGuards(projection, isLinear ? null : logarithmic, depthBits);
    n[AT.IN_WORLD] = inWorldSpace ? 1 : 0;
    n[AT.MAGNITUDE] = magnitude;
    n[AT.FROM_ORIGIN] = BATCH_TERMS * fromOrigin;
    this.#setSizes();
    n[AT.SECTIONS] = sections.length / 4;
    for (let i = 0; i < n[AT.SECTIONS]; i++) this.#setSection(i, sections, width, height);
    return n.every(Number.isFinite);
  }

  /**
   * Sets the reserves of nearness. Each side of a comparison may err by three roundings of z, one of the quotient (2.5
   * units), two of the viewport, one of interpolation, and one to the bits of the texture, 8 u in all; oblique terms of
   * z err by more. If w is a sum, as with a projection that holds the position of the camera, w errs as z does. A
   * logarithm errs by 2 ** -21, and its quotient by a few roundings of itself: as many relative errors of 1 + w.
   */
  #setDepthGuards(projection: ArrayLike<number>, log: { near: number; far: number } | null, bits: number): void {
    const n = this.numbers;
    const isSum = projection[3] !== 0 || projection[7] !== 0 || (projection[11] !== 0 && projection[15] !== 0);
    const error = isSum ? 2 ** -20 : 2 ** -21;
    n[AT.DEPTH_GUARD] = log === null ? error + 2 ** -bits : 0;
    const most = log === null ? 0 : Math.log2(1 + log.far) + Math.log2(Math.max(1, log.far / log.near));
    n[AT.RELATIVE_GUARD] = log === null ? 0 : (2 ** -20 + 2 ** (1 - bits)) * (1 + most);
    n[AT.PER_NEAR] = log === null ? 0 : 1 / log.near;
    for (let k = 0; k < 3; k++) {
      const [z, w] = [2, 3].map((r) => Math.abs(projection[4 * (k < 2 ? k : 3) + r]));
      n[AT.DEPTH_TERMS + k] = log === null ? (isSum ? z + w : z) * error : 0;
    }
  }

  /** Sets the sizes of terms; `UNIT` is their relative error. */
  #setSizes(): void {
    const n = this.numbers;
    let scale = 0;
    let sum = 0;
    let eyeMost = 0;
    for (let k = 0; k < 3; k++) {
      n[AT.SIZES_XY + k] =
        Math.max(Math.abs(n[AT.CLIP + k]), Math.abs(n[AT.CLIP + 4 + k])) + Math.abs(n[AT.CLIP + 8 + k]);
      n[AT.SIZES_N + k] = Math.abs(n[AT.CLIP + 12 + k]);
      n[AT.SIZES_W + k] = Math.abs(n[AT.CLIP + 8 + k]);
      const v = AT.VIEW + 4 * k;
      n[AT.VIEW_SUMS + k] = Math.abs(n[v]) + Math.abs(n[v + 1]) + Math.abs(n[v + 2]);
      sum = Math.max(sum, n[AT.VIEW_SUMS + k]);
      for (let c = 0; c < 3; c++) scale = Math.max(scale, Math.abs(n[v + c]));
    }
    this.#setEye();
    for (let k = 0; k < 3; k++) eyeMost = Math.max(eyeMost, Math.abs(n[AT.EYE + k]));
    n[AT.SIZE_CONSTANT] = Math.max(Math.abs(n[AT.CLIP + 3]), Math.abs(n[AT.CLIP + 7]));
    const xy = n[AT.SIZES_XY] + n[AT.SIZES_XY + 1] + n[AT.SIZES_XY + 2];
    const near = n[AT.SIZES_N] + n[AT.SIZES_N + 1] + n[AT.SIZES_N + 2];
    const w = n[AT.SIZES_W] + n[AT.SIZES_W + 1] + n[AT.SIZES_W + 2];
    const inWorld = n[AT.IN_WORLD];
    // In world coordinates, programs add up positions of vertices and eye: both at most the eye's and the reach.
    const unit = AT.UNIT * (scale * ITEM_TERMS + (2 * inWorld + n[AT.FROM_ORIGIN]) * sum);
    const fixed = sum * (AT.UNIT * (2 * inWorld * eyeMost + n[AT.MAGNITUDE]) + DOUBLE * eyeMost);
    n[AT.BOX_XY] = xy * unit;
    n[AT.BOX_N] = near * unit;
    n[AT.BOX_W] = w * unit;
    n[AT.BOX_TERMS] = (n[AT.DEPTH_TERMS] + n[AT.DEPTH_TERMS + 1]) * scale * ITEM_TERMS;
    n[AT.BOX_CONSTANTS] = xy * fixed + AT.UNIT * n[AT.SIZE_CONSTANT];
    n[AT.BOX_CONSTANTS + 1] = near * fixed + n[AT.DEPTH_TERMS + 2];
    n[AT.BOX_CONSTANTS + 2] = w * fixed;
  }

  /**
   * Sets a section. The distance of a view point from its plane is a sum of the point's x, y, w and nearness * w: these
   * four numbers and the four numbers of the point determine each other.
   */
  #setSection(i: number, sections: ArrayLike<number>, width: number, height: number): void {
    const n = this.numbers;
    const at = AT.SECTIONS + 1 + AT.SECTION * i;
    const m = Array.from({ length: 4 }, (_, c) =>
      [0, 1, 2, 3].map((r) => n[AT.CLIP + 4 * r + c]).concat(sections[4 * i + c]),
    );
    for (let c = 0; c < 4; c++) {
      let pivot = c;
      for (let r = c + 1; r < 4; r++) if (Math.abs(m[r][c]) > Math.abs(m[pivot][c])) pivot = r;
      [m[c], m[pivot]] = [m[pivot], m[c]];
      for (let r = 0; r < 4; r++) {
        if (r === c) continue;
        const share = m[r][c] / m[c][c];
        for (let k = c; k < 5; k++) m[r][k] -= share * m[c][k];
      }
    }
    const [x, y, w, near] = m.map((row, r) => row[4] / row[r]);
    n[at] = (2 * x) / width;
    n[at + 1] = (2 * y) / height;
    n[at + 2] = near;
    n[at + 3] = w - x - y;
    n[at + 4] = Math.abs(sections[4 * i + 3]);
  }

  /** Sets the eye: the point that the view matrix moves to its origin. */
  #setEye(): void {
    const n = this.numbers;
    const at = (r: number, c: number): number => n[AT.VIEW + 4 * (r % 3) + (c % 3)];
    const minor = (r: number, c: number): number =>
      at(r + 1, c + 1) * at(r + 2, c + 2) - at(r + 1, c + 2) * at(r + 2, c + 1);
    const determinant = at(0, 0) * minor(0, 0) + at(0, 1) * minor(0, 1) + at(0, 2) * minor(0, 2);
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let r = 0; r < 3; r++) sum -= minor(r, c) * n[AT.VIEW + 4 * r + 3];
      n[AT.EYE + c] = sum / determinant;
    }
  }
}
