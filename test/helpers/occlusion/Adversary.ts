import type { RandomPass } from './RandomPass.js';

const { fround } = Math;
/** Rounding in single precision. */
const U = 2 ** -24;
/** Numbers of a corner: x and y in the buffer, nearness, and 1 / w. */
const CORNER = 4;

/** How a program and a rasteriser err: as single precision does, or as far as the buffer allows for, by chance. */
export interface Errors {
  isWorst: boolean;
  /** Shares of a pixel of the picture to which vertices are rounded, and by which of three ways. */
  grid: number;
  snap: 'round' | 'floor' | 'random';
  /** Clipping planes leave out fragments by the middle of the pixel, or each sample by itself. */
  byMiddle: boolean;
}

/** What a renderer draws of meshes: triangles on the screen, as moved by errors. */
export class Adversary {
  /** Three corners for each triangle; and, by section, the distance over w of each. */
  readonly corners: number[] = [];
  readonly sections: number[] = [];
  /** By triangle: least and greatest x and y. */
  readonly bounds: number[] = [];

  readonly pass: RandomPass;
  readonly errors: Errors;
  readonly random: () => number;
  readonly #width: number;
  readonly #height: number;

  constructor(pass: RandomPass, errors: Errors, width: number, height: number, random: () => number) {
    this.pass = pass;
    this.errors = errors;
    this.random = random;
    this.#width = width;
    this.#height = height;
  }

  get count(): number {
    return this.bounds.length / 4;
  }

  /** @param positions Three numbers a vertex, three vertices a triangle; equal ones are moved alike. */
  draw(positions: ArrayLike<number>, world: ArrayLike<number>, side: number): void {
    const known = new Map<string, Vertex>();
    const vertexAt = (k: number): Vertex => {
      const p = [0, 1, 2].map((c) => fround(positions[3 * k + c]));
      const key = p.map((x) => x + 0).join();
      const vertex = known.get(key) ?? this.#vertex(p, world, known.size);
      known.set(key, vertex);
      return vertex;
    };
    const isMirrored = determinant(world) < 0;
    for (let k = 0; k + 2 < positions.length / 3; k += 3) {
      const polygon = this.#clip([vertexAt(k), vertexAt(k + 1), vertexAt(k + 2)]);
      for (let i = 1; i + 1 < polygon.length; i++) this.#add(polygon[0], polygon[i], polygon[i + 1], isMirrored, side);
    }
  }

  /**
   * True when a triangle covers a point of the buffer, at least as near as `n`, and is not cut away there. Depths may err
   * by `margin`.
   */
  covers(x: number, y: number, n: number, margin = 0): boolean {
    const { corners, bounds, count } = this;
    for (let t = 0; t < count; t++) {
      if (x < bounds[4 * t] || x > bounds[4 * t + 1] || y < bounds[4 * t + 2] || y > bounds[4 * t + 3]) continue;
      const a = 3 * CORNER * t;
      const b = a + CORNER;
      const c = b + CORNER;
      const d =
        (corners[b] - corners[a]) * (corners[c + 1] - corners[a + 1]) -
        (corners[c] - corners[a]) * (corners[b + 1] - corners[a + 1]);
      const u =
        ((x - corners[a]) * (corners[c + 1] - corners[a + 1]) - (corners[c] - corners[a]) * (y - corners[a + 1])) / d;
      const v =
        ((corners[b] - corners[a]) * (y - corners[a + 1]) - (x - corners[a]) * (corners[b + 1] - corners[a + 1])) / d;
      if (u < -1e-9 || v < -1e-9 || u + v > 1 + 1e-9) continue;
      const near = corners[a + 2] + u * (corners[b + 2] - corners[a + 2]) + v * (corners[c + 2] - corners[a + 2]);
      if (near - margin >= n && this.#isKept(t, x, y, d)) return true;
    }
    return false;
  }

  /** A random point of what was drawn of a triangle, on the screen: x, y and nearness. */
  pointOf(t: number): [x: number, y: number, near: number] {
    const [r, s] = [this.random(), this.random()];
    const [u, v] = r + s > 1 ? [1 - r, 1 - s] : [r, s];
    const at = (k: number): number => {
      const a = 3 * CORNER * t + k;
      return (
        this.corners[a] +
        u * (this.corners[a + CORNER] - this.corners[a]) +
        v * (this.corners[a + 2 * CORNER] - this.corners[a])
      );
    };
    return [at(0), at(1), at(2)];
  }

  #isKept(t: number, x: number, y: number, d: number): boolean {
    const count = this.pass.settings.sections.length / 4;
    if (count === 0) return true;
    const { corners } = this;
    const { scale } = this.pass;
    const [px, py] = this.errors.byMiddle
      ? [(Math.floor(x * scale) + 0.5) / scale, (Math.floor(y * scale) + 0.5) / scale]
      : [x, y];
    const a = 3 * CORNER * t;
    const b = a + CORNER;
    const c = b + CORNER;
    const u =
      ((px - corners[a]) * (corners[c + 1] - corners[a + 1]) - (corners[c] - corners[a]) * (py - corners[a + 1])) / d;
    const v =
      ((corners[b] - corners[a]) * (py - corners[a + 1]) - (px - corners[a]) * (corners[b + 1] - corners[a + 1])) / d;
    for (let s = 0; s < count; s++) {
      const [d0, d1, d2] = this.sections.slice(3 * (count * t + s));
      if (d0 + u * (d1 - d0) + v * (d2 - d0) < 0) return false;
    }
    return true;
  }

  /** Clip coordinates x, y, z, w and distances from sections, with errors. */
  #vertex(p: number[], m: ArrayLike<number>, number: number): Vertex {
    const { settings } = this.pass;
    const { view, projection, inWorldSpace, fromOrigin = 0, sections } = settings;
    const { isWorst } = this.errors;
    const round = isWorst ? (x: number) => x : fround;
    const err = (size: number): number => (isWorst ? (this.random() < 0.5 ? -1 : 1) * size : 0);
    const v = [0, 1, 2].map((r) => {
      if (inWorldSpace && !isWorst) {
        // The program multiplies the matrices.
        const entry = (c: number): number => {
          let sum = c === 3 ? fround(view[12 + r]) : 0;
          for (let k = 0; k < 3; k++) sum = fround(sum + fround(fround(view[4 * k + r]) * fround(m[4 * c + k])));
          return sum;
        };
        return dot([entry(0), entry(1), entry(2), entry(3)], [...p, 1], fround);
      }
      const entry = (c: number): number => {
        let sum = c === 3 ? view[12 + r] : 0;
        for (let k = 0; k < 3; k++) sum += view[4 * k + r] * m[4 * c + k];
        return sum;
      };
      const entries = [entry(0), entry(1), entry(2), entry(3)];
      let terms = entries.reduce((sum, x, c) => sum + Math.abs(x * (c < 3 ? p[c] : 1)), 0);
      if (inWorldSpace) {
        terms += Math.abs(view[12 + r]);
        for (let k = 0; k < 3; k++) terms += Math.abs(view[4 * k + r] * m[12 + k]);
      }
      // The ways from the origin of a batch to the vertex, and from the eye to that origin.
      if (fromOrigin > 0) terms += 3 * fromOrigin * this.#distanceOf(m, p);
      return dot(entries, [...p, 1], round) + err(5 * U * terms);
    });
    const clip = [0, 1, 2, 3].map((r) => {
      const row = [0, 4, 8, 12].map((c) => projection[c + r]);
      const terms = row.reduce((sum, x, c) => sum + Math.abs(x * (c < 3 ? v[c] : 1)), 0);
      return dot(row, [...v, 1], round) + err(r < 2 ? 5 * U * terms : 0);
    });
    const distances: number[] = [];
    for (let s = 0; s < sections.length; s += 4) {
      distances.push(dot([sections[s], sections[s + 1], sections[s + 2], sections[s + 3]], [...v, 1], round));
    }
    return { clip: [...clip, ...distances], number, shift: [this.random(), this.random()] };
  }

  /** The distance of a vertex from the eye. */
  #distanceOf(m: ArrayLike<number>, p: number[]): number {
    const { view } = this.pass.settings;
    const world = [0, 1, 2].map((k) => p.reduce((sum, x, c) => sum + m[4 * c + k] * x, m[12 + k]));
    return Math.hypot(...[0, 1, 2].map((r) => world.reduce((sum, x, k) => sum + view[4 * k + r] * x, view[12 + r])));
  }

  /** Nearness times w. */
  #nearnessOf([, , z, w]: number[]): number {
    const { depth } = this.pass.settings;
    return depth === 'reversed' ? z : depth === 'gpu' ? w - z : (w - z) / 2;
  }

  #clip(triangle: Vertex[]): Corner[] {
    const out: Corner[] = [];
    triangle.forEach((from, k) => {
      const to = triangle[(k + 1) % 3];
      const before = from.clip[3] - this.#nearnessOf(from.clip);
      const after = to.clip[3] - this.#nearnessOf(to.clip);
      if (before >= 0) out.push(this.#toScreen(from.clip, from.shift));
      if (before >= 0 === after >= 0) return;
      // From the same end for both triangles of an edge.
      const [a, b] = from.number < to.number ? [from, to] : [to, from];
      const da = a.clip[3] - this.#nearnessOf(a.clip);
      const u = da / (da - (b.clip[3] - this.#nearnessOf(b.clip)));
      out.push(
        this.#toScreen(
          a.clip.map((x, i) => x + u * (b.clip[i] - x)),
          a.shift,
        ),
      );
    });
    return out;
  }

  #toScreen(clip: number[], shift: number[]): Corner {
    const { logarithmic } = this.pass.settings;
    const w = clip[3];
    const toGrid = (ndc: number, size: number, share: number): number => {
      const steps = (ndc + 1) * 0.5 * size * this.pass.scale * this.errors.grid;
      const { snap } = this.errors;
      const snapped =
        snap === 'round' ? Math.round(steps) : snap === 'floor' ? Math.floor(steps) : steps + 2 * share - 1;
      return snapped / this.pass.scale / this.errors.grid;
    };
    return {
      at: [
        toGrid(clip[0] / w, this.#width, shift[0]),
        toGrid(clip[1] / w, this.#height, shift[1]),
        logarithmic ? logarithmic.near / w : this.#nearnessOf(clip) / w,
        1 / w,
      ],
      distances: clip.slice(4).map((d) => d / w),
    };
  }

  #add(a: Corner, b: Corner, c: Corner, isMirrored: boolean, side: number): void {
    let area = (b.at[0] - a.at[0]) * (c.at[1] - a.at[1]) - (c.at[0] - a.at[0]) * (b.at[1] - a.at[1]);
    if (isMirrored) area = -area;
    if (!(Math.abs(area) > 0) || (side !== 0 && area * side < 0)) return;
    this.corners.push(...a.at, ...b.at, ...c.at);
    for (let s = 0; s < a.distances.length; s++) this.sections.push(a.distances[s], b.distances[s], c.distances[s]);
    const xs = [a.at[0], b.at[0], c.at[0]];
    const ys = [a.at[1], b.at[1], c.at[1]];
    this.bounds.push(Math.min(...xs) - 1e-6, Math.max(...xs) + 1e-6, Math.min(...ys) - 1e-6, Math.max(...ys) + 1e-6);
  }
}

interface Vertex {
  clip: number[];
  number: number;
  shift: number[];
}

interface Corner {
  at: number[];
  distances: number[];
}

function dot(a: number[], b: number[], round: (x: number) => number): number {
  let sum = 0;
  for (let k = 0; k < 4; k++) sum = round(sum + round(round(a[k]) * b[k]));
  return sum;
}

function determinant(m: ArrayLike<number>): number {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
}
