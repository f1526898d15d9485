const { ceil, fround: f, max, min, round } = Math;

/** Numbers of a vertex in clip coordinates, and of a corner on the screen: x, y and depth. */
const VERTEX = 4;
const CORNER = 3;
/** Vertices are put on a grid of so many steps a pixel, and depths have 24 bits. */
const GRID = 256;
const DEPTHS = 2 ** 24 - 1;
/** Depth of a pixel to which nothing was drawn. */
const FARTHEST = 2 ** 31 - 1;

/** Which triangles are drawn, by how they go round on the screen; those that go clockwise by -1. */
const COUNTERCLOCKWISE = 1;
export const EITHER_WAY = 0;

/**
 * A picture of ids as a graphics card draws it: vertices in single precision, on a grid of 1/256 pixel, depths of 24 bits
 * between -1 and 1 of WebGL, `LessEqualDepth`, clipped at the near plane. One sample a pixel, wherever it is put: several
 * pictures stand for multisampling. It shares no code with the library.
 */
export class ItemBuffer {
  readonly width: number;
  readonly height: number;
  readonly depths: Int32Array;
  /** By pixel what was drawn there; -1 for nothing. */
  readonly ids: Int32Array;
  #clip = new Float32Array(VERTEX * 64);
  readonly #polygon = new Float64Array(CORNER * 5);
  readonly #toView = new Float32Array(16);
  readonly #projection = new Float32Array(16);
  /** Where samples lie in each pixel. */
  #x = 0.5;
  #y = 0.5;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.depths = new Int32Array(width * height);
    this.ids = new Int32Array(width * height);
  }

  /** Begins a picture. */
  begin(projection: ArrayLike<number>, x = 0.5, y = 0.5): void {
    this.depths.fill(FARTHEST);
    this.ids.fill(-1);
    this.#projection.set(projection);
    this.#x = x;
    this.#y = y;
  }

  /**
   * Draws triangles, three vertices each.
   * @param world Elements of a matrix, from `o` on.
   * @param winding Of the triangles that are drawn.
   */
  draw(
    positions: ArrayLike<number>,
    world: ArrayLike<number>,
    o: number,
    view: ArrayLike<number>,
    id: number,
    winding: number = COUNTERCLOCKWISE,
  ): void {
    const vertices = positions.length / 3;
    this.#project(positions, vertices, world, o, view);
    for (let t = 0; t + 2 < vertices; t += 3) {
      const corners = this.#clipTriangle(t);
      for (let k = 1; k + 1 < corners; k++) this.#triangle(CORNER * k, CORNER * k + CORNER, id, winding);
    }
  }

  /** Marks all ids in the picture. */
  mark(seen: Uint8Array): void {
    for (let k = 0; k < this.ids.length; k++) if (this.ids[k] >= 0) seen[this.ids[k]] = 1;
  }

  #project(
    positions: ArrayLike<number>,
    vertices: number,
    world: ArrayLike<number>,
    o: number,
    view: ArrayLike<number>,
  ): void {
    if (this.#clip.length < VERTEX * vertices) this.#clip = new Float32Array(2 * VERTEX * vertices);
    const clip = this.#clip;
    const m = this.#toView;
    const p = this.#projection;
    // The product of view and world in double precision, given to the shader in single.
    for (let c = 0; c < 4; c++) {
      for (let r = 0; r < 4; r++) {
        let sum = 0;
        for (let k = 0; k < 4; k++) sum += view[4 * k + r] * world[o + 4 * c + k];
        m[4 * c + r] = sum;
      }
    }
    for (let v = 0; v < vertices; v++) {
      const x = f(positions[3 * v]);
      const y = f(positions[3 * v + 1]);
      const z = f(positions[3 * v + 2]);
      const vx = f(f(f(f(m[0] * x) + f(m[4] * y)) + f(m[8] * z)) + m[12]);
      const vy = f(f(f(f(m[1] * x) + f(m[5] * y)) + f(m[9] * z)) + m[13]);
      const vz = f(f(f(f(m[2] * x) + f(m[6] * y)) + f(m[10] * z)) + m[14]);
      for (let r = 0; r < 4; r++)
        clip[VERTEX * v + r] = f(f(f(f(p[r] * vx) + f(p[r + 4] * vy)) + f(p[r + 8] * vz)) + p[r + 12]);
    }
  }

  /** Writes what lies behind the near plane of a triangle to the polygon; returns how many corners it has. */
  #clipTriangle(t: number): number {
    const clip = this.#clip;
    let corners = 0;
    for (let k = 0; k < 3; k++) {
      const a = VERTEX * (t + k);
      const b = VERTEX * (t + ((k + 1) % 3));
      const da = clip[a + 2] + clip[a + 3];
      const db = clip[b + 2] + clip[b + 3];
      if (da >= 0) this.#corner(corners++, clip[a], clip[a + 1], clip[a + 2], clip[a + 3]);
      if (da >= 0 === db >= 0) continue;
      // From the same end for both triangles of an edge: the one that is behind the plane.
      const from = da >= 0 ? a : b;
      const to = da >= 0 ? b : a;
      const u = da >= 0 ? f(da / f(da - db)) : f(db / f(db - da));
      this.#corner(
        corners++,
        f(clip[from] + f(u * f(clip[to] - clip[from]))),
        f(clip[from + 1] + f(u * f(clip[to + 1] - clip[from + 1]))),
        f(clip[from + 2] + f(u * f(clip[to + 2] - clip[from + 2]))),
        f(clip[from + 3] + f(u * f(clip[to + 3] - clip[from + 3]))),
      );
    }
    return corners;
  }

  #corner(k: number, x: number, y: number, z: number, w: number): void {
    const polygon = this.#polygon;
    polygon[CORNER * k] = round(f(f(f(x / w) + 1) * 0.5 * this.width) * GRID) / GRID;
    polygon[CORNER * k + 1] = round(f(f(f(y / w) + 1) * 0.5 * this.height) * GRID) / GRID;
    polygon[CORNER * k + 2] = f(f(f(z / w) + 1) * 0.5);
  }

  /** Draws the triangle of the polygon's first corner and those at `b` and `c`. */
  #triangle(b: number, c: number, id: number, winding: number): void {
    const p = this.#polygon;
    const area = (p[b] - p[0]) * (p[c + 1] - p[1]) - (p[c] - p[0]) * (p[b + 1] - p[1]);
    if (!(winding === EITHER_WAY ? area !== 0 : area * winding > 0)) return;
    const gx = ((p[b + 2] - p[2]) * (p[c + 1] - p[1]) - (p[c + 2] - p[2]) * (p[b + 1] - p[1])) / area;
    const gy = ((p[c + 2] - p[2]) * (p[b] - p[0]) - (p[b + 2] - p[2]) * (p[c] - p[0])) / area;
    const first = max(0, ceil(min(p[1], p[b + 1], p[c + 1]) - this.#y));
    const last = min(this.height - 1, ceil(max(p[1], p[b + 1], p[c + 1]) - this.#y) - 1);
    const nearest = min(p[2], p[b + 2], p[c + 2]);
    const farthest = max(p[2], p[b + 2], p[c + 2]);
    for (let row = first; row <= last; row++) {
      const y = row + this.#y;
      let left = Number.POSITIVE_INFINITY;
      let right = Number.NEGATIVE_INFINITY;
      for (let k = 0; k < 3; k++) {
        const x = crossing(p, k === 0 ? 0 : k === 1 ? b : c, k === 0 ? b : k === 1 ? c : 0, y);
        // Written so that NaN, for none, changes nothing.
        if (x < left) left = x;
        if (x > right) right = x;
      }
      const from = max(0, ceil(left - this.#x));
      const to = min(this.width - 1, ceil(right - this.#x) - 1);
      let z = p[2] + gx * (from + this.#x - p[0]) + gy * (y - p[1]);
      for (let k = row * this.width + from; k <= row * this.width + to; k++, z += gx) {
        const depth = z < nearest ? nearest : z > farthest ? farthest : z;
        if (depth > 1) continue;
        const steps = (depth * DEPTHS + 0.5) | 0;
        if (steps > this.depths[k]) continue;
        this.depths[k] = steps;
        this.ids[k] = id;
      }
    }
  }
}

/** Where an edge passes a line, the same for both of its directions, so no pixel is left out between two triangles; else NaN. */
function crossing(p: Float64Array, u: number, v: number, y: number): number {
  const isUp = p[u + 1] < p[v + 1] || (p[u + 1] === p[v + 1] && p[u] < p[v]);
  const a = isUp ? u : v;
  const b = isUp ? v : u;
  if (y < p[a + 1] || y >= p[b + 1]) return Number.NaN;
  return p[a] + ((y - p[a + 1]) * (p[b] - p[a])) / (p[b + 1] - p[a + 1]);
}
