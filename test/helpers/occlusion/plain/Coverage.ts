import { SECTION, SECTIONS } from '../../../../src/wasm/occlusionLayout.js';

/** Most corners of a triangle cut by one plane, and numbers of a corner: x, y and nearness. */
const CORNERS = 4;
export const CORNER = 3;
/** Numbers of a row of a polygon: left and right in all of its strip, at its lower and upper line, and in the middle. */
const SPANS = 8;
/** A polygon of less area, or of less for the square of its reach, has no plane that can be told. */
const LEAST_AREA = 1e-3;
const LEAST_SHARE = 1e-7;
/** Rounding in single precision of what is stored, for each unit of nearness and of a pixel's slope. */
const STORED = 2 ** -21;

const { fround, floor, ceil, min, max, abs } = Math;

/**
 * Pixels, and the triangles of one mesh after the other.
 *
 * Each pixel holds a nearness: every point of its square is covered by drawn triangles at least as near. Why that is so:
 *
 * Let Q be the square of a pixel, grown by the guard g on all sides. Rasterisers draw each point of a triangle less than g
 * from where it is here, as errors and roundings are less than g. Take the drawn triangles of one mesh, all turned so as to
 * go counterclockwise on the screen. Triangles that hold all of Q have no edge in it; leave them out, and let S be the
 * others that touch Q. For each point of Q count the triangles of S that hold it: that is the winding number, around the
 * point, of the *border*, which is made of those edges that S does not pass as often in one direction as in the other. If
 * no border touches Q, the number is the same all over Q, and it is at least 1 if one triangle of S holds the middle. When
 * a rasteriser moves vertices, the border still does not enter the square itself, so the number stays. A triangle that
 * flips counts -1 and is not drawn, so over each point at least one is left that is drawn. The point that it draws there
 * is a point of the same triangle here, with the same shares of the corners, in Q: so it is no farther than the farthest
 * point in Q of the planes of S, nor than its farthest corner.
 *
 * So a pixel is covered in two ways: one triangle holds all of Q (*whole*), or several touch it, one of them holds its
 * middle, and no border touches Q (*fused*). Another mesh covers by itself or does not: the nearest counts.
 *
 * Where clipping planes may leave out a fragment of a triangle, which they do by the middle of a real pixel, that triangle
 * neither covers whole, nor does any pixel fuse that it touches in part.
 */
export class Coverage {
  readonly width: number;
  readonly height: number;
  readonly near: Float32Array;
  /** The polygon to be filled. */
  readonly polygon: Float64Array = new Float64Array(CORNER * (CORNERS + 1));
  /** Pixels that came nearer by the present mesh. */
  changed = 0;
  /** Of the present mesh: its number, its guards in pixels, what is held in reserve of nearness, and of sections. */
  #mesh = 0;
  #guard = 0;
  #sectionGuard = 0;
  #reserve = 0;
  #sectionReserve = 0;
  #constantReserve = 0;
  readonly #view: Float64Array;
  /** By pixel, the last mesh that touched it in part, and the last of which a border touched it. */
  readonly #touched: Int32Array;
  readonly #bordered: Int32Array;
  /** Of pixels that triangles of the present mesh share: the farthest plane, and 1 if one of them holds the middle. */
  readonly #shared: Float32Array;
  readonly #middle: Uint8Array;
  readonly #list: Int32Array;
  #listLength = 0;
  readonly #spans: Float64Array;
  /** The plane of the polygon's nearness: slopes in x and y, and the nearness at 0, 0; 1 if it is known. */
  readonly #plane = new Float64Array(4);
  /** The pixels of a row in which no section cuts the polygon. */
  #keptFrom = 0;
  #keptTo = 0;

  /** @param view The numbers of an `OcclusionView`. */
  constructor(width: number, height: number, view: Float64Array) {
    const pixels = width * height;
    this.width = width;
    this.height = height;
    this.#view = view;
    this.near = new Float32Array(pixels);
    this.#touched = new Int32Array(pixels);
    this.#bordered = new Int32Array(pixels);
    this.#shared = new Float32Array(pixels);
    this.#middle = new Uint8Array(pixels);
    this.#list = new Int32Array(pixels);
    this.#spans = new Float64Array(SPANS * height);
  }

  clear(): void {
    this.near.fill(0);
    this.#mesh = 0;
    this.#touched.fill(0);
    this.#bordered.fill(0);
  }

  /**
   * The next mesh. Guards are in pixels. Reserves are of nearness, of distances from sections divided by w, and of these
   * for each unit of the section's constant.
   */
  startMesh(
    guard: number,
    sectionGuard: number,
    reserve: number,
    sectionReserve: number,
    constantReserve: number,
  ): void {
    this.#mesh++;
    this.#listLength = 0;
    this.changed = 0;
    this.#guard = guard;
    this.#sectionGuard = sectionGuard;
    this.#reserve = reserve;
    this.#sectionReserve = sectionReserve;
    this.#constantReserve = constantReserve;
  }

  /** True when pixels wait for `fuse`, and so for borders. */
  get isShared(): boolean {
    return this.#listLength > 0;
  }

  /** Marks the pixels that a border touches. */
  mark(ax: number, ay: number, bx: number, by: number): void {
    const { width, height } = this;
    const bordered = this.#bordered;
    const mesh = this.#mesh;
    const g = this.#guard;
    const isUp = ay <= by;
    const x0 = isUp ? ax : bx;
    const y0 = isUp ? ay : by;
    const x1 = isUp ? bx : ax;
    const y1 = isUp ? by : ay;
    const slope = y1 > y0 ? (x1 - x0) / (y1 - y0) : 0;
    const first = max(0, floor(y0 - g));
    const last = min(height - 1, floor(y1 + g));
    for (let r = first; r <= last; r++) {
      const low = r - g;
      const high = r + 1 + g;
      const xa = low > y0 ? x0 + (low - y0) * slope : x0;
      const xb = high < y1 ? x0 + (high - y0) * slope : x1;
      const left = max(0, floor((xa < xb ? xa : xb) - g));
      const right = min(width - 1, floor((xa < xb ? xb : xa) + g));
      for (let k = r * width + left, end = r * width + right; k <= end; k++) bordered[k] = mesh;
    }
  }

  /** Fills the polygon: pixels that it holds whole are covered now, those that it shares with others in `fuse`. */
  fill(corners: number, isCcw: boolean): void {
    const { polygon, width, height, near } = this;
    const spans = this.#spans;
    const g = this.#guard;
    let minX = Number.POSITIVE_INFINITY;
    let maxX = Number.NEGATIVE_INFINITY;
    let minY = Number.POSITIVE_INFINITY;
    let maxY = Number.NEGATIVE_INFINITY;
    let leastN = Number.POSITIVE_INFINITY;
    let mostN = 0;
    for (let k = 0; k < CORNER * corners; k += CORNER) {
      minX = min(minX, polygon[k]);
      maxX = max(maxX, polygon[k]);
      minY = min(minY, polygon[k + 1]);
      maxY = max(maxY, polygon[k + 1]);
      leastN = min(leastN, polygon[k + 2]);
      mostN = max(mostN, polygon[k + 2]);
    }
    const first = max(0, floor(minY - g));
    const last = min(height - 1, floor(maxY + g));
    if (first > last || maxX + g < 0 || minX - g > width) return;
    this.#setSpans(corners, isCcw, first, last);
    this.#setPlane(corners, leastN, max(max(abs(minX), abs(maxX)), max(abs(minY), abs(maxY))));
    const gx = this.#plane[0];
    const gy = this.#plane[1];
    const reserve = this.#reserve + STORED * (mostN + abs(gx) + abs(gy));
    // The least nearness over the grown square of a pixel, as an offset from that at its lower corner.
    const offset = this.#plane[2] - reserve + (gx < 0 ? gx * (1 + g) : -gx * g) + (gy < 0 ? gy * (1 + g) : -gy * g);
    const least = fround(leastN - reserve);
    const slope = fround(gx);
    const hasSections = this.#view[SECTIONS] > 0;
    let { changed } = this;
    for (let r = first, o = SPANS * first; r <= last; r++, o += SPANS) {
      const outLeft = spans[o];
      const outRight = spans[o + 1];
      if (!(outLeft < Number.POSITIVE_INFINITY && outRight > Number.NEGATIVE_INFINITY)) continue;
      // Rounding may have the sides of a sliver change places.
      const left = max(0, floor(min(outLeft, outRight) - g));
      const right = min(width - 1, floor(max(outLeft, outRight) + g));
      if (left > right) continue;
      const inLeft = max(spans[o + 2], spans[o + 4]);
      const inRight = min(spans[o + 3], spans[o + 5]);
      let from = right + 1;
      let to = right;
      if (inLeft <= inRight) {
        from = max(left, ceil(inLeft + g));
        to = min(right, floor(inRight - g) - 1);
        if (from > to) {
          from = right + 1;
          to = right;
        }
      }
      const base = offset + gy * r;
      const row = r * width;
      let keptFrom = from;
      let keptTo = to;
      if (hasSections) {
        this.#keep(r);
        keptFrom = max(from, this.#keptFrom);
        keptTo = min(to, this.#keptTo);
      }
      // Four at a time start in double precision and go on in single, as a kernel does it.
      for (let x = keptFrom; x <= keptTo; x += 4) {
        const start = fround(base + gx * x);
        for (let k = 0; k < 4 && x + k <= keptTo; k++) {
          const n = fround(start + fround(slope * k));
          const bound = n > least ? n : least;
          if (bound > near[row + x + k]) {
            near[row + x + k] = bound;
            changed++;
          }
        }
      }
      this.#share(r, left, from - 1, base, gx, least, hasSections);
      this.#share(r, to + 1, right, base, gx, least, hasSections);
    }
    this.changed = changed;
  }

  /** Pixels that triangles share, and that no border touches, are covered. */
  fuse(): void {
    const { near } = this;
    const list = this.#list;
    for (let i = 0; i < this.#listLength; i++) {
      const k = list[i];
      if (this.#middle[k] === 0 || this.#bordered[k] === this.#mesh || !(this.#shared[k] > near[k])) continue;
      near[k] = this.#shared[k];
      this.changed++;
    }
  }

  /** Takes down pixels of a row that the polygon touches in part. */
  #share(r: number, from: number, to: number, base: number, gx: number, least: number, hasSections: boolean): void {
    const spans = this.#spans;
    const touched = this.#touched;
    const shared = this.#shared;
    const mesh = this.#mesh;
    const row = r * this.width;
    // The middle may be as good as on the edge: any point of the square will do.
    const middleLeft = spans[SPANS * r + 6] - 0.5 - 1e-6;
    const middleRight = spans[SPANS * r + 7] - 0.5 + 1e-6;
    for (let x = from; x <= to; x++) {
      const k = row + x;
      const n = fround(base + gx * x);
      const bound = n > least ? n : least;
      if (touched[k] !== mesh) {
        touched[k] = mesh;
        shared[k] = bound;
        this.#middle[k] = 0;
        this.#list[this.#listLength++] = k;
      } else if (bound < shared[k]) shared[k] = bound;
      if (x >= middleLeft && x <= middleRight) this.#middle[k] = 1;
      if (hasSections && (x < this.#keptFrom || x > this.#keptTo)) this.#bordered[k] = mesh;
    }
  }

  /** For each row of the polygon, where its sides pass the strip of the row, grown by the guard. */
  #setSpans(corners: number, isCcw: boolean, first: number, last: number): void {
    const { polygon } = this;
    const spans = this.#spans;
    const g = this.#guard;
    for (let o = SPANS * first; o < SPANS * (last + 1); o += 2) {
      spans[o] = Number.POSITIVE_INFINITY;
      spans[o + 1] = Number.NEGATIVE_INFINITY;
    }
    for (let k = 0; k < corners; k++) {
      const p = CORNER * k;
      const q = k + 1 < corners ? p + CORNER : 0;
      // A level edge is no side: its ends are those of others.
      if (polygon[p + 1] === polygon[q + 1]) continue;
      const isUp = polygon[p + 1] < polygon[q + 1];
      const x0 = polygon[isUp ? p : q];
      const y0 = polygon[(isUp ? p : q) + 1];
      const x1 = polygon[isUp ? q : p];
      const y1 = polygon[(isUp ? q : p) + 1];
      const slope = (x1 - x0) / (y1 - y0);
      const from = max(first, floor(y0 - g));
      const to = min(last, floor(y1 + g));
      // Going round counterclockwise, what leads up is on the right.
      const isRight = isUp === isCcw;
      for (let r = from, o = SPANS * from + (isRight ? 1 : 0); r <= to; r++, o += SPANS) {
        const low = r - g;
        const high = r + 1 + g;
        const middle = r + 0.5;
        if (low > y1 || high < y0) continue;
        let xa = x0;
        let xb = x1;
        if (low >= y0) {
          xa = x0 + (low - y0) * slope;
          spans[o + 2] = xa;
        }
        if (high <= y1) {
          xb = x0 + (high - y0) * slope;
          spans[o + 4] = xb;
        }
        if (middle >= y0 && middle <= y1) spans[o + 6] = x0 + (middle - y0) * slope;
        spans[o] = isRight ? max(spans[o], max(xa, xb)) : min(spans[o], min(xa, xb));
      }
    }
  }

  /** The plane of the polygon's nearness; level, at the farthest, where the polygon is too thin to tell. */
  #setPlane(corners: number, leastN: number, reach: number): void {
    const p = this.polygon;
    const plane = this.#plane;
    let best = 0;
    let b = CORNER;
    for (let k = CORNER; k < CORNER * (corners - 1); k += CORNER) {
      const size = abs(cross(p, k));
      if (size <= best) continue;
      best = size;
      b = k;
    }
    plane[0] = plane[1] = plane[3] = 0;
    plane[2] = leastN;
    if (!(best > LEAST_AREA && best > LEAST_SHARE * reach * reach)) return;
    const c = b + CORNER;
    const area = cross(p, b);
    const nb = p[b + 2] - p[2];
    const nc = p[c + 2] - p[2];
    plane[0] = (nb * (p[c + 1] - p[1]) - nc * (p[b + 1] - p[1])) / area;
    plane[1] = (nc * (p[b] - p[0]) - nb * (p[c] - p[0])) / area;
    plane[2] = p[2] - plane[0] * p[0] - plane[1] * p[1];
    plane[3] = 1;
  }

  /** Sets the pixels of a row over which no section can leave out anything of the polygon. */
  #keep(r: number): void {
    const view = this.#view;
    const gx = this.#plane[0];
    const gy = this.#plane[1];
    const n0 = this.#plane[2];
    const isKnown = this.#plane[3];
    const m = this.#sectionGuard;
    this.#keptFrom = isKnown === 1 ? 0 : this.width;
    this.#keptTo = isKnown === 1 ? this.width - 1 : -1;
    for (let i = 0, s = SECTIONS + 1; i < view[SECTIONS]; i++, s += SECTION) {
      const fx = view[s] + view[s + 2] * gx;
      const fy = view[s + 1] + view[s + 2] * gy;
      const reserve = this.#sectionReserve + this.#constantReserve * view[s + 4] + 1e-9 * abs(view[s + 2]);
      // The least distance, over w, in the square of pixel x grown by the guard: fx * x + f.
      const f =
        view[s + 3] +
        view[s + 2] * n0 +
        fy * r -
        reserve +
        (fx < 0 ? fx * (1 + m) : -fx * m) +
        (fy < 0 ? fy * (1 + m) : -fy * m);
      if (fx > 0) this.#keptFrom = max(this.#keptFrom, ceil(-f / fx));
      else if (fx < 0) this.#keptTo = min(this.#keptTo, floor(-f / fx));
      else if (!(f >= 0)) this.#keptTo = -1;
    }
  }
}

/** Twice the area of the triangle of the first corner with those at `b` and after it. */
export function cross(p: Float64Array, b: number): number {
  const c = b + CORNER;
  return (p[b] - p[0]) * (p[c + 1] - p[1]) - (p[c] - p[0]) * (p[b + 1] - p[1]);
}
