import type { OccluderMesh } from '../../../../src/occlusion/OccluderMesh.js';
import type { OcclusionBuffer } from '../../../../src/occlusion/OcclusionBuffer.js';
import { isOne, type OcclusionSettings, OcclusionView } from '../../../../src/occlusion/OcclusionView.js';
import {
  CLIP,
  DEPTH_GUARD,
  DEPTH_TERMS,
  FROM_ORIGIN,
  GUARD,
  IN_WORLD,
  MAGNITUDE,
  SECTION_GUARD,
  SIZE_CONSTANT,
  SIZES_N,
  SIZES_W,
  SIZES_XY,
  UNIT,
  VIEW,
  VIEW_SUMS,
} from '../../../../src/wasm/occlusionLayout.js';
import { CORNER, Coverage, cross } from './Coverage.js';
import { hidesBox } from './hidesBox.js';
import { Tiles } from './Tiles.js';

/** Numbers of a vertex in clip space: x, y, w, and the distance from the plane where triangles are cut. */
const VERTEX = 4;
/**
 * Triangles are cut at this nearness. Rasterisers cut at 1, where an error of depth moves the cut as far as it likes along
 * a triangle that is level with the plane; what is farther by more than the error is drawn by all of them.
 */
const CUT = 1 - 2 ** -10;
/** The largest errors of a mesh that is drawn: in pixels, and of nearness. */
const MOST_PIXELS = 0.5;
const MOST_NEARNESS = 2 ** -12;

const { abs, max, min } = Math;

/** What the kernel and plain code have in common. */
export type AnyBuffer = Pick<OcclusionBuffer, keyof OcclusionBuffer & keyof PlainOcclusion>;

/**
 * The occlusion buffer in plain code: what the kernel is compared with, to the last bit.
 *
 * Positions and depths are computed in double precision. A program computes them in single, so a point that a rasteriser
 * draws is somewhere near the one here: for a point of clip coordinates x, y, w with errors of dx, dy, dw, the place on
 * the screen errs by at most (dx + dw) / w, as x / w and y / w are at most 1 on the screen. Each error is at most `UNIT`
 * of the sum of the sizes of all terms, see `OcclusionView`. Nearness n / w errs by (dn + n / w * dw) / w; of this the
 * terms of view coordinates matter, whose errors z and w share, and besides the roundings of z itself. w is least at a
 * vertex, or where an edge is cut, so errors there hold for the mesh. These errors are part of the guard; meshes for which
 * they are large hide nothing.
 */
export class PlainOcclusion {
  readonly width: number;
  readonly height: number;
  readonly guest: null = null;
  occluders = 0;
  triangles = 0;
  readonly #view = new OcclusionView();
  readonly #coverage: Coverage;
  readonly #tiles: Tiles;
  /** The present mesh: view coordinates of its vertices by three rows of four; x, y, w and nearness * w by four. */
  readonly #toView = new Float64Array(12);
  readonly #toClip = new Float64Array(16);
  /** By vertex. */
  #clip = new Float64Array(0);
  #screen = new Float64Array(0);
  /** By edge: how often drawn triangles pass it from the first vertex, less how often from the second. */
  #balance = new Int32Array(0);
  /** The corner at which the side of the polygon along the cut starts; -1 for none. */
  #cutFrom = -1;
  readonly #cutPoint = new Float64Array(CORNER);

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#coverage = new Coverage(width, height, this.#view.numbers);
    this.#tiles = new Tiles(width, height, this.#coverage.near);
  }

  get near(): Float32Array {
    return this.#coverage.near;
  }

  begin(settings: OcclusionSettings): boolean {
    this.occluders = this.triangles = 0;
    this.#coverage.clear();
    this.#tiles.isReady = false;
    return this.#view.set(settings, this.width, this.height);
  }

  draw(mesh: OccluderMesh, world: ArrayLike<number>, o = 0, side = 1): number {
    if (world[o + 3] !== 0 || world[o + 7] !== 0 || world[o + 11] !== 0 || !isOne(world[o + 15])) return 0;
    this.#place(world, o);
    this.#tiles.isReady = false;
    const crosses = this.#project(mesh);
    if (!this.#setGuards(mesh, world, o, crosses)) return 0;
    const { triangles, triangleEdges, edgeCount, triangleCount } = mesh;
    if (this.#balance.length < edgeCount) this.#balance = new Int32Array(2 * edgeCount);
    this.#balance.fill(0, 0, edgeCount);
    const coverage = this.#coverage;
    const { polygon } = coverage;
    // A mirrored matrix turns all triangles, and renderers turn which way is the front.
    const facing = determinant(world, o) < 0 ? -side : side;
    for (let t = 0; t < 3 * triangleCount; t += 3) {
      const corners = this.#cutTriangle(triangles[t], triangles[t + 1], triangles[t + 2], crosses);
      if (corners < 3) continue;
      let area = 0;
      for (let k = CORNER; k < CORNER * (corners - 1); k += CORNER) area += cross(polygon, k);
      if (!(area * facing > 0 || (side === 0 && area !== 0))) continue;
      const turned = area < 0 ? 1 : 0;
      for (let k = t; k < t + 3; k++) this.#balance[triangleEdges[k] >> 1] += 1 - 2 * ((triangleEdges[k] & 1) ^ turned);
      if (this.#cutFrom >= 0) {
        const a = CORNER * this.#cutFrom;
        const b = CORNER * ((this.#cutFrom + 1) % corners);
        coverage.mark(polygon[a], polygon[a + 1], polygon[b], polygon[b + 1]);
      }
      this.triangles++;
      coverage.fill(corners, turned === 0);
    }
    if (coverage.isShared) {
      this.#markBorders(mesh.edges, edgeCount, crosses);
      coverage.fuse();
    }
    this.occluders++;
    return coverage.changed;
  }

  end(): void {
    this.#tiles.make();
  }

  isHidden(boxes: Float64Array, o: number): boolean {
    return hidesBox(this.#view.numbers, this.#tiles, boxes, o);
  }

  #place(world: ArrayLike<number>, o: number): void {
    const { numbers } = this.#view;
    const toView = this.#toView;
    const toClip = this.#toClip;
    for (let r = 0; r < 12; r += 4) {
      for (let c = 0; c < 4; c++) {
        const k = o + 4 * c;
        const sum =
          numbers[VIEW + r] * world[k] + numbers[VIEW + r + 1] * world[k + 1] + numbers[VIEW + r + 2] * world[k + 2];
        toView[r + c] = c === 3 ? sum + numbers[VIEW + r + 3] : sum;
      }
    }
    for (let r = 0; r < 16; r += 4) {
      for (let c = 0; c < 4; c++) {
        const sum =
          numbers[CLIP + r] * toView[c] + numbers[CLIP + r + 1] * toView[4 + c] + numbers[CLIP + r + 2] * toView[8 + c];
        toClip[r + c] = c === 3 ? sum + numbers[CLIP + r + 3] : sum;
      }
    }
  }

  /** Writes all vertices to `#clip`, and those behind the cut to `#screen`; true when some are before it. */
  #project({ positions, vertexCount }: OccluderMesh): boolean {
    if (this.#clip.length < VERTEX * vertexCount) {
      this.#clip = new Float64Array(2 * VERTEX * vertexCount);
      this.#screen = new Float64Array(2 * CORNER * vertexCount);
    }
    const clip = this.#clip;
    const screen = this.#screen;
    const m = this.#toClip;
    const halfWidth = 0.5 * this.width;
    const halfHeight = 0.5 * this.height;
    let crosses = false;
    for (let v = 0, p = 0, c = 0; v < vertexCount; v++, p += 3, c += VERTEX) {
      const x = positions[p];
      const y = positions[p + 1];
      const z = positions[p + 2];
      const cx = m[0] * x + m[1] * y + m[2] * z + m[3];
      const cy = m[4] * x + m[5] * y + m[6] * z + m[7];
      const w = m[8] * x + m[9] * y + m[10] * z + m[11];
      const n = m[12] * x + m[13] * y + m[14] * z + m[15];
      const d = w * CUT - n;
      clip[c] = cx;
      clip[c + 1] = cy;
      clip[c + 2] = w;
      clip[c + 3] = d;
      if (d < 0) {
        crosses = true;
        continue;
      }
      const i = 1 / w;
      screen[p] = (cx * i + 1) * halfWidth;
      screen[p + 1] = (cy * i + 1) * halfHeight;
      screen[p + 2] = n * i;
    }
    return crosses;
  }

  /** Gives the guards of the mesh to the coverage; false when errors are too large, or nothing is behind the cut. */
  #setGuards(mesh: OccluderMesh, world: ArrayLike<number>, o: number, crosses: boolean): boolean {
    const { reach, vertexCount } = mesh;
    const { numbers } = this.#view;
    const clip = this.#clip;
    let leastW = Number.POSITIVE_INFINITY;
    let mostN = crosses ? CUT : 0;
    for (let v = 0; v < vertexCount; v++) {
      if (clip[VERTEX * v + 3] < 0) continue;
      leastW = min(leastW, clip[VERTEX * v + 2]);
      mostN = max(mostN, this.#screen[CORNER * v + 2]);
    }
    if (crosses) leastW = min(leastW, this.#leastCutW(mesh));
    let inWorld = numbers[MAGNITUDE];
    if (numbers[IN_WORLD] === 1) {
      for (let r = 0; r < 3; r++) {
        let size = abs(world[o + 12 + r]);
        for (let c = 0; c < 3; c++) size += abs(world[o + 4 * c + r]) * reach[c];
        inWorld = max(inWorld, size);
      }
    }
    let fromOrigin = 0;
    const m = this.#toView;
    for (let r = 0; r < 12; r += 4) fromOrigin += sizeOf(m, r, reach);
    fromOrigin *= numbers[FROM_ORIGIN];
    let xy = numbers[SIZE_CONSTANT];
    let near = 0;
    let w = 0;
    let all = 0;
    let oblique = numbers[DEPTH_TERMS + 2];
    for (let k = 0, r = 0; k < 3; k++, r += 4) {
      let size = sizeOf(m, r, reach) + fromOrigin;
      size += numbers[VIEW_SUMS + k] * inWorld + numbers[IN_WORLD] * abs(numbers[VIEW + r + 3]);
      xy += numbers[SIZES_XY + k] * size;
      near += numbers[SIZES_N + k] * size;
      w += numbers[SIZES_W + k] * size;
      all += size;
      if (k < 2) oblique += numbers[DEPTH_TERMS + k] * size;
    }
    const pixels = ((UNIT * xy) / leastW) * 0.5 * max(this.width, this.height);
    const nearness = (UNIT * (near + mostN * w) + oblique) / leastW;
    // Written so that NaN fails. A w of 0 or less is that of a vertex behind the eye, but beyond an oblique near plane.
    if (!(leastW > 0 && pixels < MOST_PIXELS && nearness < MOST_NEARNESS)) return false;
    const guard = numbers[GUARD] + pixels;
    const unit = UNIT / leastW;
    this.#coverage.startMesh(guard, numbers[SECTION_GUARD] + pixels, numbers[DEPTH_GUARD] + nearness, unit * all, unit);
    return true;
  }

  /** The least w at which an edge passes through the cut. */
  #leastCutW({ edges, edgeCount }: OccluderMesh): number {
    const clip = this.#clip;
    let least = Number.POSITIVE_INFINITY;
    for (let e = 0; e < 2 * edgeCount; e += 2) {
      const a = VERTEX * edges[e];
      const b = VERTEX * edges[e + 1];
      if (clip[a + 3] < 0 === clip[b + 3] < 0) continue;
      const w = clip[a + 2] + (clip[a + 3] / (clip[a + 3] - clip[b + 3])) * (clip[b + 2] - clip[a + 2]);
      // Written so that NaN stays.
      if (!(w >= least)) least = w;
    }
    return least;
  }

  /** Writes a triangle to the polygon, without what is before the cut; returns how many corners are left. */
  #cutTriangle(a: number, b: number, c: number, crosses: boolean): number {
    const clip = this.#clip;
    const { polygon } = this.#coverage;
    this.#cutFrom = -1;
    if (!crosses || (clip[VERTEX * a + 3] >= 0 && clip[VERTEX * b + 3] >= 0 && clip[VERTEX * c + 3] >= 0)) {
      this.#copyCorner(a, polygon, 0);
      this.#copyCorner(b, polygon, CORNER);
      this.#copyCorner(c, polygon, 2 * CORNER);
      return 3;
    }
    let count = 0;
    let from = c;
    for (let k = 0; k < 3; k++) {
      const to = k === 0 ? a : k === 1 ? b : c;
      const isFromBefore = clip[VERTEX * from + 3] < 0;
      const isToBefore = clip[VERTEX * to + 3] < 0;
      if (isFromBefore !== isToBefore) {
        // The side along the cut starts where the outline leaves through it.
        if (isToBefore) this.#cutFrom = count;
        this.#cut(from, to, polygon, CORNER * count++);
      }
      if (!isToBefore) this.#copyCorner(to, polygon, CORNER * count++);
      from = to;
    }
    return count;
  }

  #copyCorner(v: number, out: Float64Array, o: number): void {
    const screen = this.#screen;
    out[o] = screen[CORNER * v];
    out[o + 1] = screen[CORNER * v + 1];
    out[o + 2] = screen[CORNER * v + 2];
  }

  /** The point of an edge on the cut, the same for both of its directions. */
  #cut(from: number, to: number, out: Float64Array, o: number): void {
    const clip = this.#clip;
    const a = VERTEX * min(from, to);
    const b = VERTEX * max(from, to);
    const t = clip[a + 3] / (clip[a + 3] - clip[b + 3]);
    const i = 1 / (clip[a + 2] + t * (clip[b + 2] - clip[a + 2]));
    out[o] = ((clip[a] + t * (clip[b] - clip[a])) * i + 1) * 0.5 * this.width;
    out[o + 1] = ((clip[a + 1] + t * (clip[b + 1] - clip[a + 1])) * i + 1) * 0.5 * this.height;
    out[o + 2] = CUT;
  }

  #markBorders(edges: Int32Array, edgeCount: number, crosses: boolean): void {
    const clip = this.#clip;
    const screen = this.#screen;
    const point = this.#cutPoint;
    const coverage = this.#coverage;
    for (let e = 0; e < edgeCount; e++) {
      if (this.#balance[e] === 0) continue;
      let a = edges[2 * e];
      const b = edges[2 * e + 1];
      if (crosses && clip[VERTEX * a + 3] < 0 !== clip[VERTEX * b + 3] < 0) {
        this.#cut(a, b, point, 0);
        if (clip[VERTEX * a + 3] < 0) a = b;
        coverage.mark(screen[CORNER * a], screen[CORNER * a + 1], point[0], point[1]);
      } else if (!crosses || clip[VERTEX * a + 3] >= 0) {
        coverage.mark(screen[CORNER * a], screen[CORNER * a + 1], screen[CORNER * b], screen[CORNER * b + 1]);
      }
    }
  }
}

/** The sum of the sizes of all terms of a row of a matrix times a vertex. */
function sizeOf(m: Float64Array, r: number, reach: ArrayLike<number>): number {
  return abs(m[r]) * reach[0] + abs(m[r + 1]) * reach[1] + abs(m[r + 2]) * reach[2] + abs(m[r + 3]);
}

/** The determinant of the first three rows and columns. */
function determinant(m: ArrayLike<number>, o: number): number {
  return (
    m[o] * (m[o + 5] * m[o + 10] - m[o + 6] * m[o + 9]) -
    m[o + 4] * (m[o + 1] * m[o + 10] - m[o + 2] * m[o + 9]) +
    m[o + 8] * (m[o + 1] * m[o + 6] - m[o + 2] * m[o + 5])
  );
}
