/**
 * Draws meshes, and bounds the errors of programs.
 *
 * Positions and depths are computed in double precision. A program computes them in single, so a rasteriser draws a
 * point somewhere near the point here: for clip coordinates x, y, w with errors of dx, dy, dw, the position on the
 * screen errs by at most (dx + dw) / w, as x / w and y / w are at most 1 on the screen. Each error is at most `UNIT` of
 * the sum of the sizes of all terms, see `OcclusionView`. Nearness n / w errs by (dn + n / w * dw) / w. Only two parts
 * of this matter: the terms of view coordinates, as z and w share their errors, and the roundings of z itself. w is
 * least at a vertex, or at the cut of an edge, so errors there hold for the mesh. These errors are part of the guard;
 * meshes with large errors hide nothing.
 */
import { CLIP, DEPTH_GUARD, DEPTH_TERMS, FROM_ORIGIN, GUARD, IN_WORLD, MAGNITUDE, SECTION_GUARD, SIZE_CONSTANT, SIZES_N, SIZES_W, SIZES_XY, UNIT, VIEW, VIEW_SUMS } from '../../occlusionLayout';
import { changed, CORNER, cross, fill, fuse, listLength, mark, startMesh, startPass } from './coverage';
import { f, height, numberAt, width } from './memory';

/** Bytes of a vertex in clip space: x, y, w, and the distance from the plane where triangles are cut. */
const VERTEX: usize = 32;
/**
 * Triangles are cut at this nearness. Rasterisers cut at 1: there an error of depth moves the cut any distance along a
 * triangle that is parallel to the plane. All rasterisers draw points that are farther by more than the error.
 */
const CUT: f64 = 0.9990234375;
/** The largest errors of a mesh that is drawn: in pixels, and of nearness. */
const MOST_PIXELS: f64 = 0.5;
const MOST_NEARNESS: f64 = 2.44140625e-4;

export let occluders: i32 = 0;
export let triangles: i32 = 0;

/** Addresses of the present mesh. */
let toView: usize = 0;
let toClip: usize = 0;
let clip: usize = 0;
let screen: usize = 0;
/** By edge: the number of drawn triangles that pass it from its first vertex, less the number from its second. */
let balance: usize = 0;
let polygon: usize = 0;
let point: usize = 0;
let edges: usize = 0;
let vertexCount: i32 = 0;
let edgeCount: i32 = 0;
/** The corner at which the side of the polygon along the cut starts; -1 for none. */
let cutFrom: i32 = -1;

export function beginPass(): void {
  occluders = 0;
  triangles = 0;
  startPass();
}

/**
 * Draws a mesh. In memory it is: numbers of vertices, triangles and edges, and one unused (i32), reach on three axes
 * (f64), positions (f64), triangles, edges of triangles, edges (i32). `world` is the address of its matrix, `scratch`
 * the address of room for 440 bytes, 56 for each vertex and 4 for each edge.
 */
export function draw(mesh: usize, world: usize, side: i32, scratch: usize): i32 {
  vertexCount = load<i32>(mesh);
  const triangleCount = load<i32>(mesh, 4);
  edgeCount = load<i32>(mesh, 8);
  const reach = mesh + 16;
  const positions = mesh + 40;
  const corners = positions + 24 * <usize>vertexCount;
  const triangleEdges = corners + 12 * <usize>triangleCount;
  edges = triangleEdges + 12 * <usize>triangleCount;
  toView = scratch;
  toClip = toView + 96;
  polygon = toClip + 128;
  point = polygon + 5 * CORNER;
  clip = point + CORNER + 72;
  screen = clip + VERTEX * <usize>vertexCount;
  balance = screen + CORNER * <usize>vertexCount;
  moveTo(world);
  const crosses = project(positions);
  if (!setGuards(reach, world, crosses)) return 0;
  memory.fill(balance, 0, 4 * <usize>edgeCount);
  // A mirrored matrix turns all triangles, and renderers turn the front with them.
  const facing: f64 = determinant(world) < 0 ? -side : side;
  for (let t: usize = 0; t < 12 * <usize>triangleCount; t += 12) {
    const count = cutTriangle(load<i32>(corners + t), load<i32>(corners + t, 4), load<i32>(corners + t, 8), crosses);
    if (count < 3) continue;
    let area: f64 = 0;
    for (let k = polygon + CORNER; k < polygon + CORNER * <usize>(count - 1); k += CORNER) area += cross(polygon, k);
    if (!(area * facing > 0 || (side === 0 && area !== 0))) continue;
    const turned: i32 = area < 0 ? 1 : 0;
    for (let k = triangleEdges + t; k < triangleEdges + t + 12; k += 4) {
      const e = load<i32>(k);
      const at = balance + (<usize>(e >> 1) << 2);
      store<i32>(at, load<i32>(at) + 1 - 2 * ((e & 1) ^ turned));
    }
    if (cutFrom >= 0) {
      const a = polygon + CORNER * <usize>cutFrom;
      const b = polygon + CORNER * <usize>((cutFrom + 1) % count);
      mark(load<f64>(a), load<f64>(a, 8), load<f64>(b), load<f64>(b, 8));
    }
    triangles++;
    fill(polygon, count, turned === 0);
  }
  if (listLength > 0) {
    markBorders(crosses);
    fuse();
  }
  occluders++;
  return changed;
}

function moveTo(world: usize): void {
  for (let r = 0; r < 12; r += 4) {
    for (let c = 0; c < 4; c++) {
      const k = 4 * c;
      const sum = numberAt(VIEW + r) * f(world, k) + numberAt(VIEW + r + 1) * f(world, k + 1) + numberAt(VIEW + r + 2) * f(world, k + 2);
      store<f64>(toView + (<usize>(r + c) << 3), c === 3 ? sum + numberAt(VIEW + r + 3) : sum);
    }
  }
  for (let r = 0; r < 16; r += 4) {
    for (let c = 0; c < 4; c++) {
      const sum = numberAt(CLIP + r) * f(toView, c) + numberAt(CLIP + r + 1) * f(toView, 4 + c) + numberAt(CLIP + r + 2) * f(toView, 8 + c);
      store<f64>(toClip + (<usize>(r + c) << 3), c === 3 ? sum + numberAt(CLIP + r + 3) : sum);
    }
  }
}

/** Writes all vertices to `clip`, and vertices behind the cut to `screen`; true when some are before the cut. */
function project(positions: usize): bool {
  const m = toClip;
  const m0 = f(m, 0), m1 = f(m, 1), m2 = f(m, 2), m3 = f(m, 3), m4 = f(m, 4), m5 = f(m, 5), m6 = f(m, 6), m7 = f(m, 7);
  const m8 = f(m, 8), m9 = f(m, 9), m10 = f(m, 10), m11 = f(m, 11), m12 = f(m, 12), m13 = f(m, 13), m14 = f(m, 14), m15 = f(m, 15);
  const halfWidth = 0.5 * <f64>width;
  const halfHeight = 0.5 * <f64>height;
  let crosses = false;
  let p = positions;
  let c = clip;
  let s = screen;
  for (let v = 0; v < vertexCount; v++, p += 24, c += VERTEX, s += CORNER) {
    const x = load<f64>(p);
    const y = load<f64>(p, 8);
    const z = load<f64>(p, 16);
    const cx = m0 * x + m1 * y + m2 * z + m3;
    const cy = m4 * x + m5 * y + m6 * z + m7;
    const w = m8 * x + m9 * y + m10 * z + m11;
    const n = m12 * x + m13 * y + m14 * z + m15;
    const d = w * CUT - n;
    store<f64>(c, cx);
    store<f64>(c, cy, 8);
    store<f64>(c, w, 16);
    store<f64>(c, d, 24);
    if (d < 0) {
      crosses = true;
      continue;
    }
    const i = 1 / w;
    store<f64>(s, (cx * i + 1) * halfWidth);
    store<f64>(s, (cy * i + 1) * halfHeight, 8);
    store<f64>(s, n * i, 16);
  }
  return crosses;
}

/** Starts the mesh with its guards; false when errors are too large, or no vertex is behind the cut. */
function setGuards(reach: usize, world: usize, crosses: bool): bool {
  let leastW = Infinity;
  let mostN: f64 = crosses ? CUT : 0;
  for (let v = 0; v < vertexCount; v++) {
    if (isBefore(v)) continue;
    leastW = min(leastW, load<f64>(clip + VERTEX * <usize>v, 16));
    mostN = max(mostN, load<f64>(screen + CORNER * <usize>v, 16));
  }
  if (crosses) leastW = min(leastW, leastCutW());
  let inWorld = numberAt(MAGNITUDE);
  if (numberAt(IN_WORLD) === 1) {
    for (let r = 0; r < 3; r++) {
      let size = abs(f(world, 12 + r));
      for (let c = 0; c < 3; c++) size += abs(f(world, 4 * c + r)) * f(reach, c);
      inWorld = max(inWorld, size);
    }
  }
  let fromOrigin: f64 = 0;
  for (let r = 0; r < 12; r += 4) fromOrigin += sizeOf(r, reach);
  fromOrigin *= numberAt(FROM_ORIGIN);
  let xy = numberAt(SIZE_CONSTANT);
  let near: f64 = 0;
  let w: f64 = 0;
  let all: f64 = 0;
  let oblique = numberAt(DEPTH_TERMS + 2);
  for (let k = 0, r = 0; k < 3; k++, r += 4) {
    let size = sizeOf(r, reach) + fromOrigin;
    size += numberAt(VIEW_SUMS + k) * inWorld + numberAt(IN_WORLD) * abs(numberAt(VIEW + r + 3));
    xy += numberAt(SIZES_XY + k) * size;
    near += numberAt(SIZES_N + k) * size;
    w += numberAt(SIZES_W + k) * size;
    all += size;
    if (k < 2) oblique += numberAt(DEPTH_TERMS + k) * size;
  }
  const pixels = ((UNIT * xy) / leastW) * 0.5 * <f64>max(width, height);
  const nearness = (UNIT * (near + mostN * w) + oblique) / leastW;
  // Written so that NaN fails. A vertex behind the eye, but beyond an oblique near plane, has a w of 0 or less.
  if (!(leastW > 0 && pixels < MOST_PIXELS && nearness < MOST_NEARNESS)) return false;
  const unit = UNIT / leastW;
  startMesh(numberAt(GUARD) + pixels, numberAt(SECTION_GUARD) + pixels, numberAt(DEPTH_GUARD) + nearness, unit * all, unit);
  return true;
}

/** The sum of the sizes of all terms of a row of `toView` times a vertex. */
function sizeOf(r: i32, reach: usize): f64 {
  return abs(f(toView, r)) * f(reach, 0) + abs(f(toView, r + 1)) * f(reach, 1) + abs(f(toView, r + 2)) * f(reach, 2) + abs(f(toView, r + 3));
}

/** The least w at which an edge passes through the cut. */
function leastCutW(): f64 {
  let least = Infinity;
  for (let e = edges, end = edges + 8 * <usize>edgeCount; e < end; e += 8) {
    const a = load<i32>(e);
    const b = load<i32>(e, 4);
    if (isBefore(a) === isBefore(b)) continue;
    const p = clip + VERTEX * <usize>a;
    const q = clip + VERTEX * <usize>b;
    const d = load<f64>(p, 24);
    const w = load<f64>(p, 16) + (d / (d - load<f64>(q, 24))) * (load<f64>(q, 16) - load<f64>(p, 16));
    // Written so that NaN stays.
    if (!(w >= least)) least = w;
  }
  return least;
}

/** Writes a triangle to the polygon, without the part before the cut; returns the number of corners left. */
function cutTriangle(a: i32, b: i32, c: i32, crosses: bool): i32 {
  cutFrom = -1;
  if (!crosses || (!isBefore(a) && !isBefore(b) && !isBefore(c))) {
    memory.copy(polygon, screen + CORNER * <usize>a, CORNER);
    memory.copy(polygon + CORNER, screen + CORNER * <usize>b, CORNER);
    memory.copy(polygon + 2 * CORNER, screen + CORNER * <usize>c, CORNER);
    return 3;
  }
  let count = 0;
  let from = c;
  for (let k = 0; k < 3; k++) {
    const to = k === 0 ? a : k === 1 ? b : c;
    const isToBefore = isBefore(to);
    if (isBefore(from) !== isToBefore) {
      // The side along the cut starts where the outline leaves through it.
      if (isToBefore) cutFrom = count;
      cut(from, to, polygon + CORNER * <usize>(count++));
    }
    if (!isToBefore) memory.copy(polygon + CORNER * <usize>(count++), screen + CORNER * <usize>to, CORNER);
    from = to;
  }
  return count;
}

/** Writes the point of an edge on the cut, the same for both directions of the edge. */
function cut(from: i32, to: i32, out: usize): void {
  const a = clip + VERTEX * <usize>min(from, to);
  const b = clip + VERTEX * <usize>max(from, to);
  const t = load<f64>(a, 24) / (load<f64>(a, 24) - load<f64>(b, 24));
  const i = 1 / (load<f64>(a, 16) + t * (load<f64>(b, 16) - load<f64>(a, 16)));
  store<f64>(out, ((load<f64>(a) + t * (load<f64>(b) - load<f64>(a))) * i + 1) * 0.5 * <f64>width);
  store<f64>(out, ((load<f64>(a, 8) + t * (load<f64>(b, 8) - load<f64>(a, 8))) * i + 1) * 0.5 * <f64>height, 8);
  store<f64>(out, CUT, 16);
}

function markBorders(crosses: bool): void {
  for (let e = 0; e < edgeCount; e++) {
    if (load<i32>(balance + (<usize>e << 2)) === 0) continue;
    let a = load<i32>(edges + (<usize>e << 3));
    const b = load<i32>(edges + (<usize>e << 3), 4);
    let q = screen + CORNER * <usize>b;
    if (crosses && isBefore(a) !== isBefore(b)) {
      cut(a, b, point);
      q = point;
      if (isBefore(a)) a = b;
    } else if (crosses && isBefore(a)) continue;
    const p = screen + CORNER * <usize>a;
    mark(load<f64>(p), load<f64>(p, 8), load<f64>(q), load<f64>(q, 8));
  }
}

@inline
function isBefore(v: i32): bool {
  return load<f64>(clip + VERTEX * <usize>v, 24) < 0;
}

function determinant(m: usize): f64 {
  return (
    f(m, 0) * (f(m, 5) * f(m, 10) - f(m, 6) * f(m, 9)) -
    f(m, 4) * (f(m, 1) * f(m, 10) - f(m, 2) * f(m, 9)) +
    f(m, 8) * (f(m, 1) * f(m, 6) - f(m, 2) * f(m, 5))
  );
}
