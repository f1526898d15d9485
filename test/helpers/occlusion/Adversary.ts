import type { RandomPass } from './RandomPass.js';

const { fround } = Math;
/** Rounding in single precision. */
const U = 2 ** -24;
/** Numbers of a corner: x and y in the buffer, nearness, and its distances over w from sections. */
const CORNER = 3;

type Round = (x: number) => number;
const exact: Round = (x) => x;

/** How a program and a rasteriser err: as single precision does, or as far as the buffer allows for, by chance. */
export interface Errors {
  isWorst: boolean;
  /** Shares of a pixel of the picture to which vertices are rounded, and by which of three ways. */
  grid: number;
  snap: 'round' | 'floor' | 'random';
  /** Clipping planes leave out fragments by the middle of the pixel, or each sample by itself. */
  byMiddle: boolean;
}

/** A vertex in clip coordinates x, y, z, w, and its distances from sections; and by what it is moved to a grid. */
interface Vertex {
  clip: number[];
  number: number;
  shift: number[];
}

/** What a renderer draws of meshes: triangles on the screen, as moved by errors. */
export class Adversary {
  /** Three corners for each triangle. */
  readonly #corners: number[] = [];
  /** By triangle: least and greatest x and y. */
  readonly #bounds: number[] = [];
  readonly pass: RandomPass;
  readonly errors: Errors;
  readonly random: () => number;
  readonly #size: number[];
  readonly #stride: number;

  constructor(pass: RandomPass, errors: Errors, width: number, height: number, random: () => number) {
    this.pass = pass;
    this.errors = errors;
    this.random = random;
    this.#size = [width, height];
    this.#stride = CORNER + pass.settings.sections.length / 4;
  }

  get count(): number {
    return this.#bounds.length / 4;
  }

  /** @param positions Three numbers a vertex, three vertices a triangle; equal ones are moved alike. */
  draw(positions: ArrayLike<number>, world: ArrayLike<number>, side: number): void {
    const known = new Map<string, Vertex>();
    const vertexAt = (k: number): Vertex => {
      const p = [0, 1, 2].map((c) => fround(positions[3 * k + c]));
      const key = p.map((x) => x + 0).join();
      const vertex = known.get(key) ?? this.#vertex([...p, 1], world, known.size);
      known.set(key, vertex);
      return vertex;
    };
    const facing = determinant(world) < 0 ? -side : side;
    for (let k = 0; k + 2 < positions.length / 3; k += 3) {
      const polygon = this.#clip([vertexAt(k), vertexAt(k + 1), vertexAt(k + 2)]);
      for (let i = 1; i + 1 < polygon.length; i++) this.#add([polygon[0], polygon[i], polygon[i + 1]], facing);
    }
  }

  /**
   * True when a triangle covers a point of the buffer, at least as near as `n`, and is not cut away there. Depths may err
   * by `margin`.
   */
  covers(x: number, y: number, n: number, margin = 0): boolean {
    const bounds = this.#bounds;
    for (let t = 0; t < this.count; t++) {
      if (x < bounds[4 * t] || x > bounds[4 * t + 1] || y < bounds[4 * t + 2] || y > bounds[4 * t + 3]) continue;
      const [u, v] = this.#sharesAt(t, x, y);
      if (u < -1e-9 || v < -1e-9 || u + v > 1 + 1e-9) continue;
      if (this.#mix(t, 2, u, v) - margin >= n && this.#isKept(t, x, y)) return true;
    }
    return false;
  }

  /** A random point of what was drawn, on the screen: x, y and nearness. */
  anyPoint(): number[] {
    const t = Math.floor(this.random() * this.count);
    const [r, s] = [this.random(), this.random()];
    const [u, v] = r + s > 1 ? [1 - r, 1 - s] : [r, s];
    return [0, 1, 2].map((k) => this.#mix(t, k, u, v));
  }

  /** The shares of a triangle's second and third corner in a point. */
  #sharesAt(t: number, x: number, y: number): [number, number] {
    const corners = this.#corners;
    const a = 3 * this.#stride * t;
    const [bx, by] = [corners[a + this.#stride] - corners[a], corners[a + this.#stride + 1] - corners[a + 1]];
    const c = a + 2 * this.#stride;
    const [cx, cy] = [corners[c] - corners[a], corners[c + 1] - corners[a + 1]];
    const [dx, dy] = [x - corners[a], y - corners[a + 1]];
    const area = bx * cy - cx * by;
    return [(dx * cy - cx * dy) / area, (bx * dy - dx * by) / area];
  }

  /** One of the numbers of corners, at a point of a triangle. */
  #mix(t: number, k: number, u: number, v: number): number {
    const corners = this.#corners;
    const a = 3 * this.#stride * t + k;
    const [b, c] = [a + this.#stride, a + 2 * this.#stride];
    return corners[a] + u * (corners[b] - corners[a]) + v * (corners[c] - corners[a]);
  }

  #isKept(t: number, x: number, y: number): boolean {
    const { scale } = this.pass;
    const middle = (z: number): number => (this.errors.byMiddle ? (Math.floor(z * scale) + 0.5) / scale : z);
    const [u, v] = this.#sharesAt(t, middle(x), middle(y));
    for (let k = CORNER; k < this.#stride; k++) if (this.#mix(t, k, u, v) < 0) return false;
    return true;
  }

  #vertex(p: number[], m: ArrayLike<number>, number: number): Vertex {
    const { view, projection, inWorldSpace, fromOrigin = 0, sections } = this.pass.settings;
    const { isWorst } = this.errors;
    const round = isWorst ? exact : fround;
    const err = (terms: number): number => (isWorst ? (this.random() < 0.5 ? -5 : 5) * U * terms : 0);
    // Programs multiply the matrices, or get the product in double precision.
    const inProduct = inWorldSpace ? round : exact;
    const v = [0, 1, 2].map((r) => {
      const entries = [0, 1, 2, 3].map((c) => {
        let sum = c === 3 ? inProduct(view[12 + r]) : 0;
        for (let k = 0; k < 3; k++) {
          const term = inProduct(inProduct(view[4 * k + r]) * inProduct(m[4 * c + k]));
          sum = inProduct(sum + term);
        }
        return sum;
      });
      let terms = sizeOf(entries, p);
      if (inWorldSpace) {
        terms += Math.abs(view[12 + r]);
        for (let k = 0; k < 3; k++) terms += Math.abs(view[4 * k + r] * m[12 + k]);
      }
      // The ways from the origin of a batch to the vertex, and from the eye to that origin.
      if (fromOrigin > 0) terms += 3 * fromOrigin * this.#distanceOf(m, p);
      return dot(entries, p, round) + err(terms);
    });
    v.push(1);
    // Where the projection holds the place of the camera w is a sum of four terms, not a coordinate.
    const isSum = projection[11] !== 0 && projection[15] !== 0;
    const clip = [0, 1, 2, 3].map((r) => {
      const row = [0, 4, 8, 12].map((c) => projection[c + r]);
      return dot(row, v, round) + (r < 2 || isSum ? err((r < 2 ? 1 : 0.8) * sizeOf(row, v)) : 0);
    });
    for (let s = 0; s < sections.length; s += 4) clip.push(dot(sections.slice(s, s + 4), v, round));
    return { clip, number, shift: [this.random(), this.random()] };
  }

  /** The distance of a vertex from the eye. */
  #distanceOf(m: ArrayLike<number>, p: number[]): number {
    const { view } = this.pass.settings;
    const rowTimes = (of: ArrayLike<number>, r: number, x: number[]): number =>
      x.reduce((sum, one, c) => sum + of[4 * c + r] * one, 0);
    const world = [...[0, 1, 2].map((r) => rowTimes(m, r, p)), 1];
    return Math.hypot(...[0, 1, 2].map((r) => rowTimes(view, r, world)));
  }

  /** Nearness times w. */
  #nearnessOf([, , z, w]: number[]): number {
    const { depth } = this.pass.settings;
    return depth === 'reversed' ? z : depth === 'gpu' ? w - z : (w - z) / 2;
  }

  /** The corners of what is behind the near plane. */
  #clip(triangle: Vertex[]): number[][] {
    const behind = ({ clip }: Vertex): number => clip[3] - this.#nearnessOf(clip);
    return triangle.flatMap((from, k) => {
      const to = triangle[(k + 1) % 3];
      const corners = behind(from) >= 0 ? [this.#toScreen(from.clip, from.shift)] : [];
      if (behind(from) >= 0 === behind(to) >= 0) return corners;
      // From the same end for both triangles of an edge.
      const [a, b] = from.number < to.number ? [from, to] : [to, from];
      const u = behind(a) / (behind(a) - behind(b));
      const cut = a.clip.map((x, i) => x + u * (b.clip[i] - x));
      return [...corners, this.#toScreen(cut, a.shift)];
    });
  }

  #toScreen(clip: number[], shift: number[]): number[] {
    const { logarithmic } = this.pass.settings;
    const { snap, grid } = this.errors;
    const w = clip[3];
    const place = [0, 1].map((axis) => {
      const steps = (clip[axis] / w + 1) * 0.5 * this.#size[axis] * this.pass.scale * grid;
      const snapped = snap === 'random' ? steps + 2 * shift[axis] - 1 : Math[snap](steps);
      return snapped / this.pass.scale / grid;
    });
    const near = logarithmic ? logarithmic.near / w : this.#nearnessOf(clip) / w;
    return [...place, near, ...clip.slice(4).map((distance) => distance / w)];
  }

  /** @param facing 1 for what goes counterclockwise, -1 for the others, 0 for both. */
  #add([a, b, c]: number[][], facing: number): void {
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    if (!(Math.abs(area) > 0) || area * facing < 0) return;
    this.#corners.push(...a, ...b, ...c);
    for (const axis of [0, 1]) {
      const along = [a[axis], b[axis], c[axis]];
      this.#bounds.push(Math.min(...along) - 1e-6, Math.max(...along) + 1e-6);
    }
  }
}

/** The sum of the sizes of the terms of a product. */
function sizeOf(a: number[], b: number[]): number {
  return a.reduce((sum, x, k) => sum + Math.abs(x * b[k]), 0);
}

function dot(a: number[], b: number[], round: Round): number {
  let sum = 0;
  for (let k = 0; k < 4; k++) sum = round(sum + round(round(a[k]) * b[k]));
  return sum;
}

function determinant(m: ArrayLike<number>): number {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
}
