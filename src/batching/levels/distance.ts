import { type Foot, slideAt, type Texturing } from './slide.js';

/** Vertices whose distance is measured between two steps. */
const TOGETHER = 16;

/**
 * Measures how far a level lies from the original surface, and how far textures slide on it, at some of the vertices that
 * the level lacks, evenly chosen; the largest value counts. At a vertex the best triangle of the level counts, by distance
 * or slide, whichever is larger: beside a seam two triangles are as near, and one of them shows another part of a texture.
 *
 * For each vertex all triangles are looked at, as few vertices are measured: first the one nearest to the vertex before and
 * those next to it in the index, as neighbours mostly lie side by side, until one is nearer than the largest so far.
 * @param positions All vertices of the original surface, three numbers each.
 * @param index The triangles of the level.
 * @param samples Vertices to measure at most.
 * @param slack Slides are divided by this.
 */
export function* farthest(
  positions: Float32Array,
  textures: readonly Texturing[],
  index: Uint32Array,
  samples: number,
  slack: number,
): Generator<void, number> {
  const spheres = spheresOf(positions, index);
  yield;
  const count = index.length / 3;
  const foot: Foot = { v: 0, w: 0 };
  let most = 0;
  let nearest = 0;
  let n = 0;
  for (const vertex of someLost(positions.length / 3, index, samples)) {
    if (++n % TOGETHER === 0) yield;
    const at = 3 * vertex;
    const [x, y, z] = [positions[at], positions[at + 1], positions[at + 2]];
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0, next = nearest; k < count && least > most; k++) {
      // One after it, one before it, two after it and so on, around the end.
      next += k % 2 === 1 ? k : -k;
      const t = next < 0 ? next + count : next < count ? next : next - count;
      const s = 4 * t;
      const reach = least + spheres[s + 3];
      if ((x - spheres[s]) ** 2 + (y - spheres[s + 1]) ** 2 + (z - spheres[s + 2]) ** 2 >= reach * reach) continue;
      let off = Math.sqrt(squareToTriangle(positions, at, index, 3 * t, foot));
      for (let i = 0; i < textures.length && off < least; i++) {
        off = Math.max(off, slideAt(textures[i], vertex, positions, index, 3 * t, foot) / slack);
      }
      if (off < least) [least, nearest] = [off, t];
    }
    if (!(least <= most)) most = least;
  }
  return most;
}

/** Vertices that a level lacks, at most `most` of them, evenly chosen. */
function someLost(count: number, index: Uint32Array, most: number): number[] {
  const isLost = new Uint8Array(count).fill(1);
  for (const vertex of index) isLost[vertex] = 0;
  const step = Math.max(1, isLost.reduce((sum, is) => sum + is, 0) / most);
  const some: number[] = [];
  for (let vertex = 0, n = 0; vertex < count; vertex++) {
    if (isLost[vertex] === 1 && n++ >= step * some.length) some.push(vertex);
  }
  return some;
}

/** Around each triangle: its middle and the distance of the farthest corner, a little more for rounding. */
function spheresOf(p: Float32Array, index: Uint32Array): Float64Array {
  const spheres = new Float64Array((4 * index.length) / 3);
  for (let t = 0, s = 0; t < index.length; t += 3, s += 4) {
    const corners = [3 * index[t], 3 * index[t + 1], 3 * index[t + 2]];
    for (let axis = 0; axis < 3; axis++) for (const c of corners) spheres[s + axis] += p[c + axis] / 3;
    for (const c of corners) {
      const [x, y, z] = [p[c] - spheres[s], p[c + 1] - spheres[s + 1], p[c + 2] - spheres[s + 2]];
      spheres[s + 3] = Math.max(spheres[s + 3], 1.000001 * Math.sqrt(x * x + y * y + z * z));
    }
  }
  return spheres;
}

/** The squared distance of a vertex from a triangle (Ericson, Real-Time Collision Detection, 5.1.5), with the nearest point. */
function squareToTriangle(p: Float32Array, at: number, index: Uint32Array, t: number, foot: Foot): number {
  const [a, b, c] = [3 * index[t], 3 * index[t + 1], 3 * index[t + 2]];
  const [abx, aby, abz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [acx, acy, acz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const [apx, apy, apz] = [p[at] - p[a], p[at + 1] - p[a + 1], p[at + 2] - p[a + 2]];
  const ab = abx * abx + aby * aby + abz * abz;
  const ac = acx * acx + acy * acy + acz * acz;
  const abac = abx * acx + aby * acy + abz * acz;
  const d1 = abx * apx + aby * apy + abz * apz;
  const d2 = acx * apx + acy * apy + acz * apz;
  const area = ab * ac - abac * abac;
  foot.v = (ac * d1 - abac * d2) / area;
  foot.w = (ab * d2 - abac * d1) / area;
  const square = (v: number, w: number): number =>
    (apx - v * abx - w * acx) ** 2 + (apy - v * aby - w * acy) ** 2 + (apz - v * abz - w * acz) ** 2;
  if (foot.v >= 0 && foot.w >= 0 && foot.v + foot.w <= 1) return square(foot.v, foot.w);
  // The vertex is nearest to one of the sides; a triangle without an area has only sides.
  const onBc = clamp((ab - abac + d2 - d1) / (ab + ac - 2 * abac));
  let least = Number.POSITIVE_INFINITY;
  for (const [v, w] of [
    [clamp(d1 / ab), 0],
    [0, clamp(d2 / ac)],
    [1 - onBc, onBc],
  ] as const) {
    const found = square(v, w);
    if (!(found >= least)) [least, foot.v, foot.w] = [found, v, w];
  }
  return least;
}

/** From 0 to 1; 0 for a side without a length. */
function clamp(share: number): number {
  return share > 0 ? Math.min(share, 1) : 0;
}
