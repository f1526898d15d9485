/**
 * Covers pixels with the triangles of one mesh after the other.
 *
 * Each pixel holds a nearness: drawn triangles at least as near cover every point of its square. Proof:
 *
 * Let Q be the square of a pixel, grown by the guard g on all sides. Rasterisers draw each point of a triangle less
 * than g from its position here, as errors and roundings are less than g. Take the drawn triangles of one mesh, all
 * turned counterclockwise on the screen. Triangles that hold all of Q have no edge in Q; leave them out, and let S be
 * the other triangles that touch Q. For each point of Q count the triangles of S that hold it. This number is the
 * winding number of the *border* around the point. The border is made of the edges that S does not pass as often in one
 * direction as in the other. If no border touches Q, the number is the same all over Q, and it is at least 1 if one
 * triangle of S holds the middle. When a rasteriser moves vertices, the border still does not enter the square itself,
 * so the number stays. A triangle that flips counts -1 and is not drawn, so over each point at least one drawn triangle
 * is left. The point drawn there is a point of the same triangle here, with the same shares of the corners, in Q: so it
 * is no farther than the farthest point in Q of the planes of S, nor than the farthest corner of its triangle.
 *
 * So a pixel is covered in two ways: one triangle holds all of Q (*whole*), or several touch it, one of them holds its
 * middle, and no border touches Q (*fused*). Every mesh covers a pixel by itself or not: the nearest mesh counts.
 *
 * Clipping planes leave out fragments by the middles of real pixels. If they may leave out a fragment of a triangle in
 * a pixel, the triangle does not cover the pixel whole, and does not let it fuse if it touches the pixel in part.
 */
import { SECTION, SECTIONS } from '../../occlusionLayout';
import { bordered, clear, f, height, high, list, low, middle, near, numberAt, shared, spans, touched, width } from './memory';

/** Bytes of a corner of a polygon: x, y and nearness. */
export const CORNER: usize = 24;
/** Bytes of a row of a polygon: left and right in all of its strip, at its lower and upper line, and in the middle. */
const SPANS: usize = 64;
/** A polygon of less area, or of less area for the square of its reach, is too thin to tell its plane. */
const LEAST_AREA: f64 = 1e-3;
const LEAST_SHARE: f64 = 1e-7;
/** Rounding of stored numbers in single precision, for each unit of nearness and of a pixel's slope. */
const STORED: f64 = 4.76837158203125e-7;

export let changed: i32 = 0;
/** The present mesh: its number, its guards in pixels, and its reserves of nearness and of sections. */
let mesh: i32 = 0;
let guard: f64 = 0;
let sectionGuard: f64 = 0;
let reserve: f64 = 0;
let sectionReserve: f64 = 0;
let constantReserve: f64 = 0;
export let listLength: i32 = 0;
/** The plane of the polygon's nearness: slopes in x and y, and the nearness at 0, 0. */
let planeX: f64 = 0;
let planeY: f64 = 0;
let planeN: f64 = 0;
let isPlaneKnown: bool = false;
/** The pixels of a row in which no section cuts the polygon. */
let keptFrom: i32 = 0;
let keptTo: i32 = 0;

export function startPass(): void {
  clear();
  mesh = 0;
}

/**
 * Starts the next mesh. Guards are in pixels. Reserves are of nearness, of distances from sections divided by w, and of
 * these distances for each unit of the section's constant.
 */
export function startMesh(g: f64, sections: f64, near: f64, section: f64, constant: f64): void {
  mesh++;
  listLength = 0;
  changed = 0;
  guard = g;
  sectionGuard = sections;
  reserve = near;
  sectionReserve = section;
  constantReserve = constant;
}

/** Marks the pixels that a border touches. */
export function mark(ax: f64, ay: f64, bx: f64, by: f64): void {
  const g = guard;
  const isUp = ay <= by;
  const x0 = isUp ? ax : bx;
  const y0 = isUp ? ay : by;
  const x1 = isUp ? bx : ax;
  const y1 = isUp ? by : ay;
  const slope = y1 > y0 ? (x1 - x0) / (y1 - y0) : 0;
  const first = low(y0 - g, 0);
  const last = high(y1 + g, height - 1);
  const meshes = i32x4.splat(mesh);
  for (let r = first; r <= last; r++) {
    const a = <f64>r - g;
    const b = <f64>r + 1 + g;
    const xa = a > y0 ? x0 + (a - y0) * slope : x0;
    const xb = b < y1 ? x0 + (b - y0) * slope : x1;
    const left = low(min(xa, xb) - g, 0);
    const right = high(max(xa, xb) + g, width - 1);
    let at = bordered + (<usize>(r * width + left) << 2);
    const end = bordered + (<usize>(r * width + right) << 2);
    if (left > right) continue;
    for (; at + 12 <= end; at += 16) v128.store(at, meshes);
    for (; at <= end; at += 4) store<i32>(at, mesh);
  }
}

/** Fills a polygon: covers pixels wholly inside now; pixels shared with other polygons are covered in `fuse`. */
export function fill(polygon: usize, corners: i32, isCcw: bool): void {
  const g = guard;
  let minX = Infinity;
  let maxX = -Infinity;
  let minY = Infinity;
  let maxY = -Infinity;
  let leastN = Infinity;
  let mostN: f64 = 0;
  for (let k = 0; k < 3 * corners; k += 3) {
    const x = f(polygon, k);
    const y = f(polygon, k + 1);
    const n = f(polygon, k + 2);
    minX = min(minX, x);
    maxX = max(maxX, x);
    minY = min(minY, y);
    maxY = max(maxY, y);
    leastN = min(leastN, n);
    mostN = max(mostN, n);
  }
  const first = low(minY - g, 0);
  const last = high(maxY + g, height - 1);
  if (first > last || maxX + g < 0 || minX - g > <f64>width) return;
  setSpans(polygon, corners, isCcw, first, last);
  setPlane(polygon, corners, leastN, max(max(abs(minX), abs(maxX)), max(abs(minY), abs(maxY))));
  const gx = planeX;
  const gy = planeY;
  const held = reserve + STORED * (mostN + abs(gx) + abs(gy));
  // The least nearness over the grown square of a pixel, as an offset from the nearness at its lower corner.
  const offset = planeN - held + (gx < 0 ? gx * (1 + g) : -gx * g) + (gy < 0 ? gy * (1 + g) : -gy * g);
  const least = <f32>(leastN - held);
  const leasts = f32x4.splat(least);
  const slope = <f32>gx;
  const ramp = f32x4.mul(f32x4.splat(slope), f32x4(0, 1, 2, 3));
  const hasSections = numberAt(SECTIONS) > 0;
  let count = changed;
  for (let r = first, o = spans + SPANS * <usize>first; r <= last; r++, o += SPANS) {
    const outLeft = load<f64>(o);
    const outRight = load<f64>(o, 8);
    if (!(outLeft < Infinity && outRight > -Infinity)) continue;
    // Rounding may swap the sides of a sliver.
    const left = low(min(outLeft, outRight) - g, 0);
    const right = high(max(outLeft, outRight) + g, width - 1);
    if (left > right) continue;
    const inLeft = max(load<f64>(o, 16), load<f64>(o, 32));
    const inRight = min(load<f64>(o, 24), load<f64>(o, 40));
    let from = right + 1;
    let to = right;
    if (inLeft <= inRight) {
      from = <i32>min(max(ceil(inLeft + g), <f64>left), 1e9);
      to = min(right, high(inRight - g, right + 1) - 1);
      if (from > to) {
        from = right + 1;
        to = right;
      }
    }
    const base = offset + gy * <f64>r;
    const row = r * width;
    let x = from;
    let end = to;
    if (hasSections) {
      keep(r);
      x = max(from, keptFrom);
      end = min(to, keptTo);
    }
    let at = near + (<usize>(row + x) << 2);
    for (; x + 3 <= end; x += 4, at += 16) {
      const n = f32x4.pmax(leasts, f32x4.add(f32x4.splat(<f32>(base + gx * <f64>x)), ramp));
      const old = v128.load(at);
      count += popcnt(i32x4.bitmask(f32x4.gt(n, old)));
      v128.store(at, f32x4.pmax(old, n));
    }
    if (x <= end) {
      const start = <f32>(base + gx * <f64>x);
      for (let k: f32 = 0; x <= end; x++, k++, at += 4) {
        const n = max(start + slope * k, least);
        if (n > load<f32>(at)) {
          store<f32>(at, n);
          count++;
        }
      }
    }
    share(r, left, from - 1, base, gx, least, hasSections, o);
    share(r, to + 1, right, base, gx, least, hasSections, o);
  }
  changed = count;
}

/** Records the pixels of a row that the polygon touches in part. */
function share(r: i32, from: i32, to: i32, base: f64, gx: f64, least: f32, hasSections: bool, span: usize): void {
  const row = r * width;
  // The middle may lie almost on the edge: any point of the square will do.
  const middleLeft = load<f64>(span, 48) - 0.5 - 1e-6;
  const middleRight = load<f64>(span, 56) - 0.5 + 1e-6;
  for (let x = from; x <= to; x++) {
    const k = <usize>(row + x);
    const n = max(<f32>(base + gx * <f64>x), least);
    if (load<i32>(touched + (k << 2)) !== mesh) {
      store<i32>(touched + (k << 2), mesh);
      store<f32>(shared + (k << 2), n);
      store<u8>(middle + k, 0);
      store<i32>(list + (<usize>listLength << 2), <i32>k);
      listLength++;
    } else if (n < load<f32>(shared + (k << 2))) store<f32>(shared + (k << 2), n);
    if (<f64>x >= middleLeft && <f64>x <= middleRight) store<u8>(middle + k, 1);
    if (hasSections && (x < keptFrom || x > keptTo)) store<i32>(bordered + (k << 2), mesh);
  }
}

/** Covers the pixels that triangles share and no border touches. */
export function fuse(): void {
  for (let i = 0; i < listLength; i++) {
    const k = <usize>load<i32>(list + (<usize>i << 2));
    if (load<u8>(middle + k) === 0 || load<i32>(bordered + (k << 2)) === mesh) continue;
    const n = load<f32>(shared + (k << 2));
    if (!(n > load<f32>(near + (k << 2)))) continue;
    store<f32>(near + (k << 2), n);
    changed++;
  }
}

/** For each row of the polygon, computes the passage of its sides through the strip of the row, grown by the guard. */
function setSpans(polygon: usize, corners: i32, isCcw: bool, first: i32, last: i32): void {
  const g = guard;
  const open = f64x2(Infinity, -Infinity);
  for (let o = spans + SPANS * <usize>first, end = spans + SPANS * <usize>(last + 1); o < end; o += SPANS) {
    v128.store(o, open);
    v128.store(o, open, 16);
    v128.store(o, open, 32);
    v128.store(o, open, 48);
  }
  for (let k = 0; k < corners; k++) {
    const p = polygon + CORNER * <usize>k;
    const q = k + 1 < corners ? p + CORNER : polygon;
    // A horizontal edge is no side: its ends are ends of other edges.
    if (load<f64>(p, 8) === load<f64>(q, 8)) continue;
    const isUp = load<f64>(p, 8) < load<f64>(q, 8);
    const i = isUp ? p : q;
    const j = isUp ? q : p;
    const x0 = load<f64>(i);
    const y0 = load<f64>(i, 8);
    const x1 = load<f64>(j);
    const y1 = load<f64>(j, 8);
    const slope = (x1 - x0) / (y1 - y0);
    const from = low(y0 - g, first);
    const to = high(y1 + g, last);
    // On a counterclockwise outline, edges that lead up are on the right.
    const isRight = isUp === isCcw;
    let o = spans + SPANS * <usize>from + (isRight ? 8 : 0);
    for (let r = from; r <= to; r++, o += SPANS) {
      const a = <f64>r - g;
      const b = <f64>r + 1 + g;
      const m = <f64>r + 0.5;
      if (a > y1 || b < y0) continue;
      let xa = x0;
      let xb = x1;
      if (a >= y0) {
        xa = x0 + (a - y0) * slope;
        store<f64>(o, xa, 16);
      }
      if (b <= y1) {
        xb = x0 + (b - y0) * slope;
        store<f64>(o, xb, 32);
      }
      if (m >= y0 && m <= y1) store<f64>(o, x0 + (m - y0) * slope, 48);
      const x = load<f64>(o);
      store<f64>(o, isRight ? max(x, max(xa, xb)) : min(x, min(xa, xb)));
    }
  }
}

/** Sets the plane of the polygon's nearness; a plane parallel to the screen, at the farthest, if the polygon is too thin to tell. */
function setPlane(p: usize, corners: i32, leastN: f64, reach: f64): void {
  let best: f64 = 0;
  let b = p + CORNER;
  for (let k = p + CORNER; k < p + CORNER * <usize>(corners - 1); k += CORNER) {
    const size = abs(cross(p, k));
    if (size <= best) continue;
    best = size;
    b = k;
  }
  planeX = 0;
  planeY = 0;
  planeN = leastN;
  isPlaneKnown = best > LEAST_AREA && best > LEAST_SHARE * reach * reach;
  if (!isPlaneKnown) return;
  const area = cross(p, b);
  const px = load<f64>(p);
  const py = load<f64>(p, 8);
  const pn = load<f64>(p, 16);
  const nb = load<f64>(b, 16) - pn;
  const nc = load<f64>(b, 40) - pn;
  planeX = (nb * (load<f64>(b, 32) - py) - nc * (load<f64>(b, 8) - py)) / area;
  planeY = (nc * (load<f64>(b) - px) - nb * (load<f64>(b, 24) - px)) / area;
  planeN = pn - planeX * px - planeY * py;
}

/** Sets the pixels of a row in which no section can leave out any part of the polygon. */
function keep(r: i32): void {
  const m = sectionGuard;
  keptFrom = isPlaneKnown ? 0 : width;
  keptTo = isPlaneKnown ? width - 1 : -1;
  const count = <i32>numberAt(SECTIONS);
  for (let i = 0, s = SECTIONS + 1; i < count; i++, s += SECTION) {
    const perNear = numberAt(s + 2);
    const fx = numberAt(s) + perNear * planeX;
    const fy = numberAt(s + 1) + perNear * planeY;
    const held = sectionReserve + constantReserve * numberAt(s + 4) + 1e-9 * abs(perNear);
    // The least distance, over w, in the square of pixel x grown by the guard: fx * x + d.
    const d =
      numberAt(s + 3) + perNear * planeN + fy * <f64>r - held +
      (fx < 0 ? fx * (1 + m) : -fx * m) + (fy < 0 ? fy * (1 + m) : -fy * m);
    if (fx > 0) keptFrom = max(keptFrom, <i32>min(max(ceil(-d / fx), 0), 1e9));
    else if (fx < 0) keptTo = min(keptTo, <i32>max(min(floor(-d / fx), 1e9), -1));
    else if (!(d >= 0)) keptTo = -1;
  }
}

/** Twice the area of the triangle of the first corner with the corners at `b` and after it. */
@inline
export function cross(p: usize, b: usize): f64 {
  const x = load<f64>(p);
  const y = load<f64>(p, 8);
  return (load<f64>(b) - x) * (load<f64>(b, 32) - y) - (load<f64>(b, 24) - x) * (load<f64>(b, 8) - y);
}
