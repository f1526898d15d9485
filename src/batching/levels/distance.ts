import { Hits } from '../../core/Hits.js';
import { Packed } from '../../packed/Packed.js';

/** Vertices whose distance is measured between two steps. */
const TOGETHER = 64;

/**
 * Finds how far vertices lie from a surface: the largest distance of some, evenly chosen of those that the surface lacks.
 *
 * @param positions Of all vertices, three numbers each.
 * @param index The triangles of the surface.
 * @param samples Vertices to measure at most.
 */
export function* farthest(positions: Float32Array, index: Uint32Array, samples: number): Generator<void, number> {
  const boxes = new Packed();
  boxes.addAll(boxesOf(positions, index));
  yield;
  const missing = verticesWithout(positions.length / 3, index);
  const hits = new Hits();
  const step = Math.max(1, missing.length / samples);
  let most = 0;
  for (let i = 0, n = 0; i < missing.length; i += step, n++) {
    if (n % TOGETHER === TOGETHER - 1) yield;
    most = Math.max(most, distanceTo(boxes, hits, positions, index, 3 * missing[Math.floor(i)], most));
  }
  return Math.sqrt(most);
}

function boxesOf(positions: Float32Array, index: Uint32Array): Float64Array {
  const boxes = new Float64Array(2 * index.length);
  for (let t = 0; t < index.length; t += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const a = positions[3 * index[t] + axis];
      const b = positions[3 * index[t + 1] + axis];
      const c = positions[3 * index[t + 2] + axis];
      boxes[2 * t + axis] = Math.min(a, b, c);
      boxes[2 * t + 3 + axis] = Math.max(a, b, c);
    }
  }
  return boxes;
}

function verticesWithout(count: number, index: Uint32Array): number[] {
  const isUsed = new Uint8Array(count);
  for (const vertex of index) isUsed[vertex] = 1;
  const missing: number[] = [];
  for (let vertex = 0; vertex < count; vertex++) if (isUsed[vertex] === 0) missing.push(vertex);
  return missing;
}

/**
 * The squared distance of a vertex from the nearest triangle; of one that is nearer than the root of `enough` any number
 * up to that. Boxes are asked for by their distance, which is no more than that of what lies in them.
 */
function distanceTo(
  boxes: Packed,
  hits: Hits,
  positions: Float32Array,
  index: Uint32Array,
  at: number,
  enough: number,
): number {
  let least = Number.POSITIVE_INFINITY;
  for (let known = 0, count = 8; ; known = count, count *= 4) {
    boxes.nearest(positions[at], positions[at + 1], positions[at + 2], count, Math.sqrt(least), hits);
    for (let i = known; i < hits.length; i++) {
      if (hits.distances[i] ** 2 >= least) return least;
      least = Math.min(least, squareToTriangle(positions, at, index, 3 * hits.ids[i]));
      if (least <= enough) return least;
    }
    if (hits.length < count) return least;
  }
}

/** The squared distance of a vertex from a triangle (Ericson, Real-Time Collision Detection, 5.1.5). */
function squareToTriangle(p: Float32Array, at: number, index: Uint32Array, t: number): number {
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
  // Barycentric coordinates of the foot on the plane; within the triangle if none of the three is negative.
  const v = (ac * d1 - abac * d2) / area;
  const w = (ab * d2 - abac * d1) / area;
  if (!(v >= 0 && w >= 0 && v + w <= 1)) {
    // It lies nearest to one of the sides, of which a triangle without an area has nothing else.
    const onAb = clamp(d1 / ab);
    const onAc = clamp(d2 / ac);
    const onBc = clamp((ab - abac + d2 - d1) / (ab + ac - 2 * abac));
    const of = (s: number, r: number): number =>
      (apx - s * abx - r * acx) ** 2 + (apy - s * aby - r * acy) ** 2 + (apz - s * abz - r * acz) ** 2;
    return Math.min(of(onAb, 0), of(0, onAc), of(1 - onBc, onBc));
  }
  return (apx - v * abx - w * acx) ** 2 + (apy - v * aby - w * acy) ** 2 + (apz - v * abz - w * acz) ** 2;
}

/** From 0 to 1; 0 for a side without a length. */
function clamp(share: number): number {
  return share > 0 ? Math.min(share, 1) : 0;
}
