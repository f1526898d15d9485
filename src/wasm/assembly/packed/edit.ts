import { BOX, FRAME, QUAD, NOWHERE, ADDRESSES, Addresses, ROW, SIDE, SLACK, STARTS, TO_MAX } from './layout';

/** The values of src/packed/PackedRows.ts. */
const MAX_COORDINATE: f64 = 1024;
const MARGIN: f64 = 1.1920928955078125e-7;
const LEAST_MARGIN: f64 = 7.888609052210118e-31;
const EMPTY: f32 = 1.2676506002282294e30;

/**
 * True when all `count` ids are below `limit` and belong to items, and no box has a side that is NaN or a minimum above
 * its maximum. Ids count up from `first`; if that is negative, they are listed at `ids`. Boxes lie `stride` bytes
 * apart, three minima in single precision at `low` and three maxima at `high`; with a stride of 0 each box is six
 * numbers in double precision at `low`.
 */
export function verify(limit: u32, first: i32, count: i32, ids: usize, low: usize, high: usize, stride: usize): bool {
  const seats = changetype<Addresses>(ADDRESSES).seats;
  let areBoxes = i32x4.splat(-1);
  for (let i = 0, at = ids; i < count; i++, at += 4) {
    const id = first < 0 ? load<u32>(at) : first + i;
    if (id >= limit || load<i32>(seats + (<usize>id << 2)) === NOWHERE) return false;
    if (stride !== 0) {
      // The fourth number belongs to another box.
      areBoxes = v128.and(areBoxes, f32x4.le(v128.load(low), v128.load(high)));
      low += stride;
      high += stride;
      continue;
    }
    const a = v128.load(low);
    const b = v128.load(low, 16);
    const c = v128.load(low, 32);
    const xy = f64x2.le(a, v128.shuffle<u64>(b, c, 1, 2));
    const xz = f64x2.le(v128.shuffle<u64>(a, b, 0, 2), v128.shuffle<u64>(b, c, 1, 3));
    areBoxes = v128.and(areBoxes, v128.and(xy, xz));
    low += BOX;
  }
  return (i32x4.bitmask(areBoxes) & 7) === 7;
}

/**
 * Stores the boxes of moved items, given as for `verify`, by id and in their seats; with a `low` of 0 boxes lie by id
 * already. Lists at `left` the items in no row, the items that rows cannot hold any more, and, unless `refits`, the
 * items outside the box of their row; returns the number listed.
 */
export function move(first: i32, count: i32, ids: usize, low: usize, high: usize, stride: usize, left: usize, refits: bool): i32 {
  const at = changetype<Addresses>(ADDRESSES);
  const originA = v128.load(FRAME);
  const originB = v128.load(FRAME, 16);
  const originC = v128.load(FRAME, 32);
  const scale = v128.load_splat<f64>(FRAME, 48);
  const own = at.boxes;
  const seats = at.seats;
  const rows = at.rows;
  const tiers = at.tiers;
  let listed = left;
  if (stride !== 0 && first >= 0) {
    // A loop of its own is faster for consecutive ids. Listed ids may repeat, and each box counts, see PackedItems.ts.
    for (let i = 0; i < count; i++, low += stride, high += stride) widen(low, high, own + <usize>(first + i) * BOX);
    low = stride = 0;
  }
  for (let i = 0; i < count; i++) {
    const id = <usize>(first < 0 ? load<i32>(ids + (<usize>i << 2)) : first + i);
    const box = own + id * BOX;
    let from = box;
    if (stride !== 0) {
      widen(low, high, box);
      low += stride;
      high += stride;
    } else if (low !== 0) {
      v128.store(box, v128.load(low));
      v128.store(box, v128.load(low, 16), 16);
      v128.store(box, v128.load(low, 32), 32);
      from = low;
      low += BOX;
    }
    const seat = load<i32>(seats + (id << 2));
    if (seat >= 0) {
      const to = rows + <usize>(seat >> 2) * QUAD + (<usize>(seat & 3) << 2);
      const isWritten = writeBox(from, to, originA, originB, originC, scale);
      if (isWritten && (refits || holds(tiers + <usize>(seat >> 6) * QUAD + (<usize>((seat >> 4) & 3) << 2), to))) continue;
    }
    store<i32>(listed, <i32>id);
    listed += 4;
  }
  return <i32>((listed - left) >> 2);
}

/** Stores a box in double precision. */
function widen(low: usize, high: usize, to: usize): void {
  const minima = v128.load(low);
  const maxima = v128.load(high);
  v128.store(to, f64x2.promote_low_f32x4(minima));
  v128.store(to, f64x2.promote_low_f32x4(v128.shuffle<u32>(minima, maxima, 2, 4, 2, 4)), 16);
  v128.store(to, f64x2.promote_low_f32x4(v128.shuffle<u32>(maxima, maxima, 1, 2, 1, 2)), 32);
}

/** Sets seats and rounded boxes of the items listed in a row; the boxes in other seats become zero. */
export function fillRow(row: i32): void {
  const at = changetype<Addresses>(ADDRESSES);
  const originA = v128.load(FRAME);
  const originB = v128.load(FRAME, 16);
  const originC = v128.load(FRAME, 32);
  const scale = v128.load_splat<f64>(FRAME, 48);
  const size = <i32>load<u8>(at.sizes + row);
  const ids = at.ids + (<usize>row << 6);
  const boxesAt = at.rows + <usize>row * ROW;
  memory.fill(boxesAt, 0, ROW);
  for (let k = 0; k < size; k++) {
    const id = <usize>load<i32>(ids + (<usize>k << 2));
    store<i32>(at.seats + (id << 2), (row << 4) + k);
    writeBox(at.boxes + id * BOX, boxesAt + <usize>(k >> 2) * QUAD + (<usize>(k & 3) << 2), originA, originB, originC, scale);
  }
}

/** Writes a box, rounded outwards, to a seat; false if rows cannot hold it. */
export function writeOne(box: usize, to: usize): bool {
  const originA = v128.load(FRAME);
  const originB = v128.load(FRAME, 16);
  const originC = v128.load(FRAME, 32);
  const scale = v128.load_splat<f64>(FRAME, 48);
  return writeBox(box, to, originA, originB, originC, scale);
}

/** Like `writeOne`, for loops: with more loads in each iteration, a processor would run fewer of them at a time. */
@inline
function writeBox(box: usize, to: usize, originA: v128, originB: v128, originC: v128, scale: v128): bool {
  const x = f64x2.mul(f64x2.sub(v128.load(box), originA), scale);
  const y = f64x2.mul(f64x2.sub(v128.load(box, 16), originB), scale);
  const z = f64x2.mul(f64x2.sub(v128.load(box, 32), originC), scale);
  const moreY = more(y);
  // The middle pair is a minimum and a maximum, so the margin of the minimum is negated.
  const a = f32x4.demote_f64x2_zero(f64x2.sub(x, more(x)));
  const b = f32x4.demote_f64x2_zero(f64x2.add(y, v128.shuffle<u64>(f64x2.neg(moreY), moreY, 0, 3)));
  const c = f32x4.demote_f64x2_zero(f64x2.add(z, more(z)));
  v128.store32_lane(to, a, 0);
  v128.store32_lane(to, a, 1, 16);
  v128.store32_lane(to, b, 0, 32);
  v128.store32_lane(to, b, 1, 48);
  v128.store32_lane(to, c, 0, 64);
  v128.store32_lane(to, c, 1, 80);
  return isNear(x, y, z);
}

/** True when rows can hold a box; x, y and z are its six sides in coordinates of rows, as `writeBox` pairs them. */
@inline
export function isNear(x: v128, y: v128, z: v128): bool {
  const reach = f64x2.splat(MAX_COORDINATE);
  const sides = v128.and(
    f64x2.le(f64x2.neg(x), reach),
    v128.and(f64x2.le(v128.shuffle<u64>(f64x2.neg(y), y, 0, 3), reach), f64x2.le(z, reach)),
  );
  return i64x2.all_true(sides);
}

/** The distance by which sides move outwards. */
@inline
function more(side: v128): v128 {
  return f64x2.add(f64x2.mul(f64x2.abs(side), f64x2.splat(MARGIN)), f64x2.splat(LEAST_MARGIN));
}

/** True when the box of a row holds the box in a seat. */
@inline
export function holds(row: usize, seat: usize): bool {
  return (
    load<f32>(seat) >= load<f32>(row) &&
    load<f32>(seat, 16) >= load<f32>(row, 16) &&
    load<f32>(seat, 32) >= load<f32>(row, 32) &&
    load<f32>(seat, 48) <= load<f32>(row, 48) &&
    load<f32>(seat, 64) <= load<f32>(row, 64) &&
    load<f32>(seat, 80) <= load<f32>(row, 80)
  );
}

/** Fits the boxes of rows `from` to `to` - 1 to their contents, with some slack, and then the boxes above. */
export function refit(from: i32, to: i32): void {
  const slack = load<f32>(SLACK);
  for (let row = from; row < to; row++) refitRow(row, slack);
  refitTiers(from, to);
}

export function refitRow(row: i32, slack: f32): void {
  const at = changetype<Addresses>(ADDRESSES);
  const size = i32x4.splat(<i32>load<u8>(at.sizes + row));
  const boxes = at.rows + <usize>row * ROW;
  const used0 = i32x4.lt_s(i32x4(0, 1, 2, 3), size);
  const used1 = i32x4.lt_s(i32x4(4, 5, 6, 7), size);
  const used2 = i32x4.lt_s(i32x4(8, 9, 10, 11), size);
  const used3 = i32x4.lt_s(i32x4(12, 13, 14, 15), size);
  const low = across(
    true,
    outermost(true, boxes, used0, used1, used2, used3),
    outermost(true, boxes + SIDE, used0, used1, used2, used3),
    outermost(true, boxes + 2 * SIDE, used0, used1, used2, used3),
  );
  const upper = boxes + TO_MAX;
  const high = across(
    false,
    outermost(false, upper, used0, used1, used2, used3),
    outermost(false, upper + SIDE, used0, used1, used2, used3),
    outermost(false, upper + 2 * SIDE, used0, used1, used2, used3),
  );
  const target = at.tiers + <usize>(row >> 2) * QUAD + (<usize>(row & 3) << 2);
  store3(target, f32x4.sub(low, f32x4.splat(slack)));
  store3(target + TO_MAX, f32x4.add(high, f32x4.splat(slack)));
}

/** The outer of two sides: the lesser of minima, the larger of maxima. `isLow` is constant once inlined. */
@inline
function outer(isLow: bool, a: v128, b: v128): v128 {
  return isLow ? f32x4.pmin(a, b) : f32x4.pmax(a, b);
}

/** The outermost numbers of one side of a row's boxes, one for every fourth seat. */
@inline
function outermost(isLow: bool, at: usize, used0: v128, used1: v128, used2: v128, used3: v128): v128 {
  const empty = f32x4.splat(isLow ? EMPTY : -EMPTY);
  const a = v128.bitselect(v128.load(at), empty, used0);
  const b = v128.bitselect(v128.load(at, QUAD), empty, used1);
  const c = v128.bitselect(v128.load(at, 2 * QUAD), empty, used2);
  const d = v128.bitselect(v128.load(at, 3 * QUAD), empty, used3);
  return outer(isLow, outer(isLow, a, b), outer(isLow, c, d));
}

/** The outermost lane of each of three vectors, in the first three lanes. */
@inline
function across(isLow: bool, x: v128, y: v128, z: v128): v128 {
  const xy = outer(isLow, v128.shuffle<u32>(x, y, 0, 1, 4, 5), v128.shuffle<u32>(x, y, 2, 3, 6, 7));
  const zz = outer(isLow, z, v128.shuffle<u32>(z, z, 2, 3, 0, 1));
  return outer(isLow, v128.shuffle<u32>(xy, zz, 0, 2, 4, 4), v128.shuffle<u32>(xy, zz, 1, 3, 5, 5));
}

/** Stores three numbers in the same lane of three sides. */
@inline
function store3(at: usize, v: v128): void {
  v128.store32_lane(at, v, 0);
  v128.store32_lane(at, v, 1, SIDE);
  v128.store32_lane(at, v, 2, 2 * SIDE);
}

export function refitTiers(from: i32, to: i32): void {
  const at = changetype<Addresses>(ADDRESSES);
  let first = from;
  let last = to - 1;
  for (let h = 0; h < at.top; h++) {
    first >>= 2;
    last >>= 2;
    const quads = at.tiers + load<usize>(STARTS + (<usize>h << 2));
    const above = at.tiers + load<usize>(STARTS + (<usize>(h + 1) << 2));
    for (let quad = first; quad <= last; quad++) {
      const source = quads + <usize>quad * QUAD;
      const target = above + <usize>(quad >> 2) * QUAD + (<usize>(quad & 3) << 2);
      store3(target, across(true, v128.load(source), v128.load(source, SIDE), v128.load(source, 2 * SIDE)));
      const high = source + TO_MAX;
      store3(target + TO_MAX, across(false, v128.load(high), v128.load(high, SIDE), v128.load(high, 2 * SIDE)));
    }
  }
}
