import {
  BOX_CONSTANTS, BOX_N, BOX_TERMS, BOX_W, BOX_XY, DEPTH_GUARD, EYE, GUARD, PER_NEAR, RELATIVE_GUARD, ROWS,
} from '../../../occlusion/viewLayout';
import { FRAME, SIDE, TO_MAX } from '../packed/layout';
import { f, frame, height, near, numberAt, TILE, tileLeast, width } from './memory';
import { areNearer, farBottom, farLeft, farNear, farRight, farTop } from './tiles';

/**
 * What `hidesBox` says of four boxes at once, in single precision: *surely hidden*, *surely not*, or *in doubt*.
 *
 * Rows hold boxes a little larger than those of their items. Here corners are computed relative to the eye, so that they err
 * in proportion to their distance from it. Each number that `hidesBox` compares is bracketed: the rectangle of pixels by a
 * larger and a smaller one, the nearness by a greater and a lesser. A box is surely hidden when even the larger rectangle is
 * nearer than the greater nearness. It is surely not when a pixel of the smaller rectangle is no nearer than the lesser one.
 * What is so hidden hides all that it holds: all errors here grow with the box, and contain those of `hidesBox`.
 *
 * Bounds of errors, with u = 2 ** -24: a row of the matrix times a point is three products and three sums of rounded numbers,
 * 7 u of the sum of their sizes; sides of rows lie at most 4 u of the largest coordinate outside those of their items. SHARE
 * is more than either.
 *
 * Let e be the error of x, y and w by the least w: at most 1/2, or nothing is said. Then x / w is off by at most
 * (1 + |x / w|) e / (1 - e), which is at most (1 + |x / w|) 2 e. Margins take 3 e: as w is no more than the terms that SHARE
 * is taken of, e is at least 8 u, so that the rest is at least 16 u, more than what a dozen roundings lose. Beside the screen
 * places need not be told apart, so |x / w| counts as 1, and as much more as `hidesBox` widens boxes.
 *
 * A reach is off by at most 15 u of the largest coordinate, besides some roundings. Places and nearness get a share of the
 * reach that is itself some thousand u, so they are off by less than a hundredth of e, which the rest holds too.
 */

/** Offsets from `frame`: the eye, world units of one of the rows'; rows for x, y and w. */
const UNIT: usize = 12;
const X: usize = 16;
const Y: usize = 32;
const W: usize = 48;
/**
 * Nearness * w is a share of w, and a row for the rest, which for most cameras is a constant: so nearness is greatest where w
 * is least.
 */
const OF_W: usize = 64;
const REST: usize = 68;
/** Errors for each unit of distance from the eye, and besides: of x, y and w; of that rest. */
const ERROR: usize = 84;
const REST_ERROR: usize = 92;
/** What `hidesBox` adds, for each unit of reach, and besides: to places on the screen, to nearness, and that by w. */
const PLACE: usize = 100;
const NEARNESS: usize = 108;
const PER_W: usize = 116;
const RELATIVE: usize = 124;
const DEPTH: usize = 132;
const EDGE: usize = 136;
/** Half the width, half the height, and the larger of them. */
const HALF: usize = 140;
/**
 * Of four boxes each: the least and the greatest x, then y, first as places on the screen, then in pixels; by how much the
 * larger and the smaller rectangle are wider; the greater and the lesser nearness.
 */
const EXTENT: usize = 160;
const OUTER: usize = 224;
const INNER: usize = 240;
const GREATER: usize = 256;
const LESSER: usize = 272;
/** The larger rectangle in whole pixels: left, right, bottom and top. */
const PIXELS: usize = 288;

/** See above. */
const SHARE: f64 = 4.76837158203125e-7;
const DOUBLE: f64 = 1.4210854715202004e-14;
/** Larger than what is lost where numbers are too small for single precision, and smaller than all that matters. */
const TINY: f64 = 8.077935669463161e-28;
/** Less than the reach of `hidesBox`. */
const MOST_REACH: f32 = 6.338253e29;

/** Computes what is the same for all boxes. @param most The largest coordinate in rows. */
export function setRough(most: f64): void {
  const scale = load<f64>(FRAME, 48);
  const unit = 1 / scale;
  for (let c = 0; c < 3; c++) put(<usize>c << 2, (numberAt(EYE + c) - f(FRAME, c)) * scale);
  put(UNIT, unit);
  let square: f64 = 0;
  let product: f64 = 0;
  for (let c = 0; c < 3; c++) {
    square += numberAt(ROWS + 8 + c) * numberAt(ROWS + 8 + c);
    product += numberAt(ROWS + 8 + c) * numberAt(ROWS + 12 + c);
  }
  const ofW = square > 0 ? product / square : 0;
  put(OF_W, ofW);
  store<f64>(frame + ERROR, 0);
  setRow(X, ROWS, 0, most, unit, ERROR);
  setRow(Y, ROWS + 4, 0, most, unit, ERROR);
  setRow(W, ROWS + 8, 0, most, unit, ERROR);
  store<f64>(frame + REST_ERROR, 0);
  setRow(REST, ROWS + 12, ofW, most, unit, REST_ERROR);
  put(PLACE, numberAt(BOX_XY));
  put(PLACE + 4, numberAt(BOX_CONSTANTS));
  put(NEARNESS, numberAt(BOX_N) + numberAt(BOX_TERMS));
  put(NEARNESS + 4, numberAt(BOX_CONSTANTS + 1));
  put(PER_W, numberAt(BOX_W));
  put(PER_W + 4, numberAt(BOX_CONSTANTS + 2));
  put(RELATIVE, 2 * numberAt(RELATIVE_GUARD));
  put(RELATIVE + 4, numberAt(PER_NEAR));
  put(DEPTH, numberAt(DEPTH_GUARD));
  put(EDGE, numberAt(GUARD));
  put(HALF, 0.5 * <f64>width);
  put(HALF + 4, 0.5 * <f64>height);
  put(HALF + 8, 0.5 * <f64>max(width, height));
}

/** Sets a row, less a share of that for w, and raises the errors at an offset to its own. */
function setRow(to: usize, row: i32, ofW: f64, most: f64, unit: f64, errors: usize): void {
  let constant = numberAt(row + 3) - ofW * numberAt(ROWS + 11);
  let terms = abs(numberAt(row + 3)) + abs(ofW * numberAt(ROWS + 11));
  let sum: f64 = 0;
  let largest: f64 = 0;
  for (let c = 0; c < 3; c++) {
    const w = ofW * numberAt(ROWS + 8 + c);
    const x = numberAt(row + c) - w;
    const origin = f(FRAME, c);
    const eye = origin + <f64>load<f32>(frame + (<usize>c << 2)) * unit;
    put(to + (<usize>c << 2), x * unit);
    constant += x * eye;
    terms += (abs(numberAt(row + c)) + abs(w)) * (abs(origin) + abs(eye) + most * unit);
    sum += abs(x) * unit;
    largest = max(largest, abs(x) * unit);
  }
  put(to + 12, constant);
  // In double precision `hidesBox` errs, too.
  const besides = SHARE * (abs(constant) + sum * most) + DOUBLE * terms + TINY;
  put(errors, max(<f64>load<f32>(frame + errors), SHARE * largest));
  put(errors + 4, max(<f64>load<f32>(frame + errors + 4), besides));
}

/** As bits, those of the four boxes of which something can be said, and some that are surely not hidden. */
export let said: i32 = 0;
export let seen: i32 = 0;

/** Brackets what `hidesBox` compares of the group of four boxes at an address. */
export function bracket(at: usize): void {
  const c = frame;
  const ex = v128.load32_splat(c);
  const ey = v128.load32_splat(c, 4);
  const ez = v128.load32_splat(c, 8);
  const x0 = f32x4.sub(v128.load(at), ex);
  const x1 = f32x4.sub(v128.load(at, TO_MAX), ex);
  const y0 = f32x4.sub(v128.load(at, SIDE), ey);
  const y1 = f32x4.sub(v128.load(at, SIDE + TO_MAX), ey);
  const z0 = f32x4.sub(v128.load(at, 2 * SIDE), ez);
  const z1 = f32x4.sub(v128.load(at, 2 * SIDE + TO_MAX), ez);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const wx0 = times(c + W, x0);
  const wx1 = times(c + W, x1);
  const wy0 = times(c + W + 4, y0);
  const wy1 = times(c + W + 4, y1);
  const wz0 = linear(c + W + 8, z0);
  const wz1 = linear(c + W + 8, z1);
  const leastW = f32x4.add(f32x4.pmin(wx0, wx1), f32x4.add(f32x4.pmin(wy0, wy1), f32x4.pmin(wz0, wz1)));
  const mostW = f32x4.add(f32x4.pmax(wx0, wx1), f32x4.add(f32x4.pmax(wy0, wy1), f32x4.pmax(wz0, wz1)));
  const w00 = f32x4.add(wy0, wz0);
  const w10 = f32x4.add(wy1, wz0);
  const w01 = f32x4.add(wy0, wz1);
  const w11 = f32x4.add(wy1, wz1);
  const i000 = f32x4.div(one, f32x4.add(wx0, w00));
  const i100 = f32x4.div(one, f32x4.add(wx1, w00));
  const i010 = f32x4.div(one, f32x4.add(wx0, w10));
  const i110 = f32x4.div(one, f32x4.add(wx1, w10));
  const i001 = f32x4.div(one, f32x4.add(wx0, w01));
  const i101 = f32x4.div(one, f32x4.add(wx1, w01));
  const i011 = f32x4.div(one, f32x4.add(wx0, w11));
  const i111 = f32x4.div(one, f32x4.add(wx1, w11));
  extent(c + EXTENT, c + X, x0, x1, y0, y1, z0, z1, i000, i100, i010, i110, i001, i101, i011, i111);
  extent(c + EXTENT + 32, c + Y, x0, x1, y0, y1, z0, z1, i000, i100, i010, i110, i001, i101, i011, i111);
  const minX = v128.load(c, EXTENT);
  const maxX = v128.load(c, EXTENT + 16);
  const minY = v128.load(c, EXTENT + 32);
  const maxY = v128.load(c, EXTENT + 48);
  const dx = f32x4.pmax(f32x4.neg(x0), x1);
  const dy = f32x4.pmax(f32x4.neg(y0), y1);
  const dz = f32x4.pmax(f32x4.neg(z0), z1);
  const sum = f32x4.add(f32x4.add(dx, dy), dz);
  const error = linear(c + ERROR, sum);
  const inverse = f32x4.div(one, leastW);
  const share = f32x4.mul(f32x4.mul(error, inverse), f32x4.splat(3));
  const reach = f32x4.mul(sum, v128.load32_splat(c, UNIT));
  // The rectangle.
  const half = v128.load32_splat(c, HALF + 8);
  const place = f32x4.mul(linear(c + PLACE, reach), inverse);
  const offPlace = f32x4.mul(f32x4.add(half, half), f32x4.mul(f32x4.add(one, place), share));
  const guard = f32x4.add(v128.load32_splat(c, EDGE), f32x4.mul(half, place));
  const outer = f32x4.add(guard, offPlace);
  const inner = f32x4.sub(guard, offPlace);
  const halfWidth = v128.load32_splat(c, HALF);
  const halfHeight = v128.load32_splat(c, HALF + 4);
  const left = f32x4.mul(f32x4.add(minX, one), halfWidth);
  const right = f32x4.mul(f32x4.add(maxX, one), halfWidth);
  const bottom = f32x4.mul(f32x4.add(minY, one), halfHeight);
  const top = f32x4.mul(f32x4.add(maxY, one), halfHeight);
  v128.store(c + EXTENT, left);
  v128.store(c + EXTENT, right, 16);
  v128.store(c + EXTENT, bottom, 32);
  v128.store(c + EXTENT, top, 48);
  v128.store(c + OUTER, outer);
  v128.store(c + INNER, inner);
  // The nearness: the rest divided by w is greatest for the most of it and the least w, or is negative; at the corner of the
  // least w it is at least the least of it, and at that of the most of it, if positive, no less than divided by the greatest w.
  const rx0 = times(c + REST, x0);
  const rx1 = times(c + REST, x1);
  const ry0 = times(c + REST + 4, y0);
  const ry1 = times(c + REST + 4, y1);
  const rz0 = linear(c + REST + 8, z0);
  const rz1 = linear(c + REST + 8, z1);
  const leastRest = f32x4.add(f32x4.pmin(rx0, rx1), f32x4.add(f32x4.pmin(ry0, ry1), f32x4.pmin(rz0, rz1)));
  const mostRest = f32x4.add(f32x4.pmax(rx0, rx1), f32x4.add(f32x4.pmax(ry0, ry1), f32x4.pmax(rz0, rz1)));
  const ofW = v128.load32_splat(c, OF_W);
  const most = f32x4.pmax(zero, f32x4.add(ofW, f32x4.mul(f32x4.pmax(zero, mostRest), inverse)));
  const atLeastW = f32x4.mul(leastRest, inverse);
  const least = f32x4.pmax(
    zero,
    f32x4.add(
      ofW,
      v128.bitselect(f32x4.pmax(f32x4.div(mostRest, mostW), atLeastW), atLeastW, f32x4.ge(mostRest, zero)),
    ),
  );
  const perW = f32x4.mul(linear(c + PER_W, reach), inverse);
  const wide = f32x4.add(f32x4.add(most, f32x4.mul(linear(c + NEARNESS, reach), inverse)), f32x4.mul(most, perW));
  const relative = f32x4.add(
    one,
    f32x4.mul(
      v128.load32_splat(c, RELATIVE),
      f32x4.add(one, f32x4.mul(wide, v128.load32_splat(c, RELATIVE + 4))),
    ),
  );
  // By no more than this does the nearness grow with what is multiplied by it.
  const steep = f32x4.mul(relative, relative);
  const restError = linear(c + REST_ERROR, sum);
  const offNear = f32x4.mul(
    f32x4.add(
      f32x4.mul(f32x4.add(wide, f32x4.abs(ofW)), share),
      f32x4.mul(f32x4.add(restError, restError), inverse),
    ),
    steep,
  );
  const nearness = f32x4.add(f32x4.mul(wide, relative), v128.load32_splat(c, DEPTH));
  const greater = f32x4.add(nearness, offNear);
  const spread = f32x4.mul(f32x4.mul(f32x4.sub(most, least), steep), f32x4.add(one, perW));
  const lesser = f32x4.sub(f32x4.sub(nearness, offNear), spread);
  v128.store(c + GREATER, greater);
  v128.store(c + LESSER, lesser);
  // Written so that NaN fails. Less than 1 is what is behind the near plane. Where the error is finite by far, so are x, y, w.
  const isSaid = v128.and(
    v128.and(f32x4.gt(leastW, f32x4.add(error, error)), f32x4.lt(greater, one)),
    v128.and(f32x4.lt(reach, f32x4.splat(MOST_REACH)), f32x4.lt(error, f32x4.splat(MOST_REACH))),
  );
  said = i32x4.bitmask(isSaid);
  // Many that are seen are so in the middle.
  const middleX = f32x4.mul(f32x4.add(left, right), f32x4.splat(0.5));
  const middleY = f32x4.mul(f32x4.add(bottom, top), f32x4.splat(0.5));
  const column = i32x4.trunc_sat_f32x4_s(middleX);
  const row = i32x4.trunc_sat_f32x4_s(middleY);
  const isIn = v128.and(
    v128.and(
      f32x4.ge(f32x4.pmin(f32x4.pmin(middleX, middleY), inner), zero),
      v128.and(i32x4.lt_s(column, i32x4.splat(width)), i32x4.lt_s(row, i32x4.splat(height))),
    ),
    isSaid,
  );
  const pixels = v128.and(i32x4.add(i32x4.mul(row, i32x4.splat(width)), column), isIn);
  seen = i32x4.bitmask(v128.and(f32x4.le(gather(near, pixels), lesser), isIn));
}

/**
 * Finds the larger rectangles of the boxes that were bracketed last. Returns bits of some that are surely hidden: those within
 * at most four tiles that are nearer.
 */
export function enclose(): i32 {
  const c = frame;
  const zero = i32x4.splat(0);
  const one = i32x4.splat(1);
  const outer = v128.load(c, OUTER);
  // Numbers below 0 are rounded upwards, to at most 0, which leaves the rectangle too large.
  const left = i32x4.max_s(i32x4.trunc_sat_f32x4_s(f32x4.sub(v128.load(c, EXTENT), outer)), zero);
  const bottom = i32x4.max_s(i32x4.trunc_sat_f32x4_s(f32x4.sub(v128.load(c, EXTENT + 32), outer)), zero);
  const right = i32x4.min_s(
    i32x4.trunc_sat_f32x4_s(f32x4.add(v128.load(c, EXTENT + 16), outer)),
    i32x4.splat(width - 1),
  );
  const top = i32x4.min_s(
    i32x4.trunc_sat_f32x4_s(f32x4.add(v128.load(c, EXTENT + 48), outer)),
    i32x4.splat(height - 1),
  );
  v128.store(c + PIXELS, left);
  v128.store(c + PIXELS, right, 16);
  v128.store(c + PIXELS, bottom, 32);
  v128.store(c + PIXELS, top, 48);
  const x0 = i32x4.shr_s(left, TILE);
  const x1 = i32x4.shr_s(right, TILE);
  const y0 = i32x4.shr_s(bottom, TILE);
  const y1 = i32x4.shr_s(top, TILE);
  // Compared without a sign, fewer than none are many.
  const isSmall = v128.and(i32x4.le_u(i32x4.sub(x1, x0), one), i32x4.le_u(i32x4.sub(y1, y0), one));
  const across = i32x4.splat((width + 7) >> TILE);
  const row0 = i32x4.mul(y0, across);
  const row1 = i32x4.mul(y1, across);
  const at = tileLeast;
  const least = f32x4.pmin(
    f32x4.pmin(
      gather(at, v128.and(i32x4.add(row0, x0), isSmall)),
      gather(at, v128.and(i32x4.add(row0, x1), isSmall)),
    ),
    f32x4.pmin(
      gather(at, v128.and(i32x4.add(row1, x0), isSmall)),
      gather(at, v128.and(i32x4.add(row1, x1), isSmall)),
    ),
  );
  return i32x4.bitmask(v128.and(f32x4.gt(least, v128.load(c, GREATER)), isSmall)) & said;
}

/** Numbers in single precision from an address on, by place. */
@inline
function gather(at: usize, places: v128): v128 {
  let numbers = v128.load32_zero(at + (<usize>i32x4.extract_lane(places, 0) << 2));
  numbers = v128.load_lane<f32>(at + (<usize>i32x4.extract_lane(places, 1) << 2), numbers, 1);
  numbers = v128.load_lane<f32>(at + (<usize>i32x4.extract_lane(places, 2) << 2), numbers, 2);
  return v128.load_lane<f32>(at + (<usize>i32x4.extract_lane(places, 3) << 2), numbers, 3);
}

/** Writes the least and the greatest of a row of the matrix at eight corners, times the inverse of their w. */
@inline
function extent(
  to: usize, row: usize, x0: v128, x1: v128, y0: v128, y1: v128, z0: v128, z1: v128,
  i000: v128, i100: v128, i010: v128, i110: v128, i001: v128, i101: v128, i011: v128, i111: v128,
): void {
  const a0 = times(row, x0);
  const a1 = times(row, x1);
  const b0 = times(row + 4, y0);
  const b1 = times(row + 4, y1);
  const c0 = linear(row + 8, z0);
  const c1 = linear(row + 8, z1);
  const s00 = f32x4.add(b0, c0);
  const s10 = f32x4.add(b1, c0);
  const s01 = f32x4.add(b0, c1);
  const s11 = f32x4.add(b1, c1);
  const r000 = f32x4.mul(f32x4.add(a0, s00), i000);
  const r100 = f32x4.mul(f32x4.add(a1, s00), i100);
  const r010 = f32x4.mul(f32x4.add(a0, s10), i010);
  const r110 = f32x4.mul(f32x4.add(a1, s10), i110);
  const r001 = f32x4.mul(f32x4.add(a0, s01), i001);
  const r101 = f32x4.mul(f32x4.add(a1, s01), i101);
  const r011 = f32x4.mul(f32x4.add(a0, s11), i011);
  const r111 = f32x4.mul(f32x4.add(a1, s11), i111);
  v128.store(
    to,
    f32x4.pmin(
      f32x4.pmin(f32x4.pmin(r000, r100), f32x4.pmin(r010, r110)),
      f32x4.pmin(f32x4.pmin(r001, r101), f32x4.pmin(r011, r111)),
    ),
  );
  v128.store(
    to,
    f32x4.pmax(
      f32x4.pmax(f32x4.pmax(r000, r100), f32x4.pmax(r010, r110)),
      f32x4.pmax(f32x4.pmax(r001, r101), f32x4.pmax(r011, r111)),
    ),
    16,
  );
}

/** 1 for a box, of those that were enclosed last, that is surely hidden, 0 for one that surely is not, and -1. */
export function judge(lane: usize): i32 {
  const at = frame + EXTENT + (lane << 2);
  const pixels = at + PIXELS - EXTENT;
  if (
    areNearer(
      load<i32>(pixels),
      load<i32>(pixels, 16),
      load<i32>(pixels, 32),
      load<i32>(pixels, 48),
      load<f32>(at, GREATER - EXTENT),
    )
  )
    return 1;
  const inner = load<f32>(at, INNER - EXTENT);
  return farNear <= load<f32>(at, LESSER - EXTENT) &&
    <f32>farLeft > load<f32>(at) - inner - 1 && <f32>farRight <= load<f32>(at, 16) + inner &&
    <f32>farBottom > load<f32>(at, 32) - inner - 1 && <f32>farTop <= load<f32>(at, 48) + inner
    ? 0
    : -1;
}

@inline
function put(at: usize, x: f64): void {
  store<f32>(frame + at, <f32>x);
}

/** The number at an address, times others. */
@inline
function times(at: usize, x: v128): v128 {
  return f32x4.mul(v128.load32_splat(at), x);
}

/** The number at an address, times others, and the next. */
@inline
function linear(at: usize, x: v128): v128 {
  return f32x4.add(f32x4.mul(v128.load32_splat(at), x), v128.load32_splat(at, 4));
}
