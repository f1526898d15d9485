import { BOX, FRAME, GROUP, PLACES, Places, ROW, SIDE, SLACK, STARTS, TO_MAX } from './layout';

/** See src/core/packed/Frame.ts and PackedRows.ts. */
const REACH: f64 = 1024;
const SHARE: f64 = 1.1920928955078125e-7;
const AMOUNT: f64 = 7.888609052210118e-31;
const EMPTY: f32 = 1.2676506002282294e30;

/**
 * Writes boxes to their items, and of those in rows to their slots; lists items that are not in rows, that cannot be any
 * more, or, unless all rows are made to fit afterwards, that the box of their row does not hold. Returns their number.
 */
export function move(count: i32, boxes: usize, ids: usize, left: usize, refits: bool): i32 {
  const at = changetype<Places>(PLACES);
  const originA = v128.load(FRAME);
  const originB = v128.load(FRAME, 16);
  const originC = v128.load(FRAME, 32);
  const scale = v128.load_splat<f64>(FRAME, 48);
  const reach = f64x2.splat(REACH);
  let from = boxes;
  let listed = left;
  for (let i = 0; i < count; i++, from += BOX) {
    const id = load<i32>(ids + (<usize>i << 2));
    const a = v128.load(from);
    const b = v128.load(from, 16);
    const c = v128.load(from, 32);
    const box = at.boxes + <usize>id * BOX;
    v128.store(box, a);
    v128.store(box, b, 16);
    v128.store(box, c, 32);
    const slot = load<i32>(at.slots + (<usize>id << 2));
    if (slot >= 0) {
      const x = f64x2.mul(f64x2.sub(a, originA), scale);
      const y = f64x2.mul(f64x2.sub(b, originB), scale);
      const z = f64x2.mul(f64x2.sub(c, originC), scale);
      // The sides of the middle pair point in different directions, so one of them is negated.
      const out = v128.shuffle<u64>(f64x2.neg(y), y, 0, 3);
      const isNear = v128.and(
        f64x2.le(f64x2.neg(x), reach),
        v128.and(f64x2.le(out, reach), f64x2.le(z, reach)),
      );
      if (i64x2.all_true(isNear)) {
        const xs = f32x4.demote_f64x2_zero(f64x2.sub(x, more(x)));
        const ys = f32x4.demote_f64x2_zero(f64x2.add(y, outwards(more(y))));
        const zs = f32x4.demote_f64x2_zero(f64x2.add(z, more(z)));
        write(at.rows, slot, xs, ys, zs);
        if (refits || holds(at.levels + <usize>(slot >> 6) * GROUP + (<usize>((slot >> 4) & 3) << 2), xs, ys, zs)) continue;
      }
    }
    store<i32>(listed, id);
    listed += 4;
  }
  return <i32>((listed - left) >> 2);
}

/** By how much sides are moved outwards. */
@inline
function more(side: v128): v128 {
  return f64x2.add(f64x2.mul(f64x2.abs(side), f64x2.splat(SHARE)), f64x2.splat(AMOUNT));
}

/** The same with the sign of a maximum and a minimum. */
@inline
function outwards(amount: v128): v128 {
  return v128.shuffle<u64>(f64x2.neg(amount), amount, 0, 3);
}

@inline
function write(rows: usize, slot: i32, x: v128, y: v128, z: v128): void {
  const to = rows + <usize>(slot >> 2) * GROUP + (<usize>(slot & 3) << 2);
  v128.store32_lane(to, x, 0);
  v128.store32_lane(to, x, 1, 16);
  v128.store32_lane(to, y, 0, 32);
  v128.store32_lane(to, y, 1, 48);
  v128.store32_lane(to, z, 0, 64);
  v128.store32_lane(to, z, 1, 80);
}

/** Notes for the items of rows, from one to before another, where they are, and writes their boxes there. */
export function fill(from: i32, to: i32): void {
  const at = changetype<Places>(PLACES);
  const originA = v128.load(FRAME);
  const originB = v128.load(FRAME, 16);
  const originC = v128.load(FRAME, 32);
  const scale = v128.load_splat<f64>(FRAME, 48);
  for (let row = from; row < to; row++) {
    const end = (row << 4) + <i32>load<u8>(at.sizes + row);
    for (let slot = row << 4; slot < end; slot++) {
      const id = load<i32>(at.ids + (<usize>slot << 2));
      const box = at.boxes + <usize>id * BOX;
      store<i32>(at.slots + (<usize>id << 2), slot);
      const x = f64x2.mul(f64x2.sub(v128.load(box), originA), scale);
      const y = f64x2.mul(f64x2.sub(v128.load(box, 16), originB), scale);
      const z = f64x2.mul(f64x2.sub(v128.load(box, 32), originC), scale);
      const xs = f32x4.demote_f64x2_zero(f64x2.sub(x, more(x)));
      const ys = f32x4.demote_f64x2_zero(f64x2.add(y, outwards(more(y))));
      const zs = f32x4.demote_f64x2_zero(f64x2.add(z, more(z)));
      write(at.rows, slot, xs, ys, zs);
    }
  }
}

@inline
function holds(at: usize, x: v128, y: v128, z: v128): bool {
  return (
    f32x4.extract_lane(x, 0) >= load<f32>(at) &&
    f32x4.extract_lane(x, 1) >= load<f32>(at, 16) &&
    f32x4.extract_lane(y, 0) >= load<f32>(at, 32) &&
    f32x4.extract_lane(y, 1) <= load<f32>(at, 48) &&
    f32x4.extract_lane(z, 0) <= load<f32>(at, 64) &&
    f32x4.extract_lane(z, 1) <= load<f32>(at, 80)
  );
}

/** Makes the boxes of rows, from one to before another, fit their contents, with the slack, and those above fit. */
export function refit(from: i32, to: i32): void {
  const at = changetype<Places>(PLACES);
  const slack = load<f32>(SLACK);
  for (let row = from; row < to; row++) {
    const target = at.levels + <usize>(row >> 2) * GROUP + (<usize>(row & 3) << 2);
    const size = i32x4.splat(<i32>load<u8>(at.sizes + row));
    const boxes = at.rows + <usize>row * ROW;
    const used0 = i32x4.lt_s(i32x4(0, 1, 2, 3), size);
    const used1 = i32x4.lt_s(i32x4(4, 5, 6, 7), size);
    const used2 = i32x4.lt_s(i32x4(8, 9, 10, 11), size);
    const used3 = i32x4.lt_s(i32x4(12, 13, 14, 15), size);
    for (let c: usize = 0; c < TO_MAX; c += SIDE) {
      const empty = f32x4.splat(EMPTY);
      const least = f32x4.min(
        f32x4.min(used(boxes + c, used0, empty), used(boxes + c + GROUP, used1, empty)),
        f32x4.min(used(boxes + c + 2 * GROUP, used2, empty), used(boxes + c + 3 * GROUP, used3, empty)),
      );
      store<f32>(target + c, leastOf(least) - slack);
    }
    for (let c: usize = TO_MAX; c < GROUP; c += SIDE) {
      const empty = f32x4.splat(-EMPTY);
      const most = f32x4.max(
        f32x4.max(used(boxes + c, used0, empty), used(boxes + c + GROUP, used1, empty)),
        f32x4.max(used(boxes + c + 2 * GROUP, used2, empty), used(boxes + c + 3 * GROUP, used3, empty)),
      );
      store<f32>(target + c, mostOf(most) + slack);
    }
  }
  let first = from;
  let last = to - 1;
  for (let h = 0; h < at.top; h++) {
    first >>= 2;
    last >>= 2;
    const groups = at.levels + load<usize>(STARTS + (<usize>h << 2));
    const above = at.levels + load<usize>(STARTS + (<usize>(h + 1) << 2));
    for (let group = first; group <= last; group++) {
      const source = groups + <usize>group * GROUP;
      const target = above + <usize>(group >> 2) * GROUP + (<usize>(group & 3) << 2);
      for (let c: usize = 0; c < TO_MAX; c += SIDE) {
        store<f32>(target + c, leastOf(v128.load(source + c)));
        store<f32>(target + c, mostOf(v128.load(source + c + TO_MAX)), TO_MAX);
      }
    }
  }
}

@inline
function used(at: usize, mask: v128, empty: v128): v128 {
  return v128.bitselect(v128.load(at), empty, mask);
}

@inline
function leastOf(v: v128): f32 {
  const w = f32x4.min(v, v128.shuffle<u32>(v, v, 2, 3, 0, 1));
  return min<f32>(f32x4.extract_lane(w, 0), f32x4.extract_lane(w, 1));
}

@inline
function mostOf(v: v128): f32 {
  const w = f32x4.max(v, v128.shuffle<u32>(v, v, 2, 3, 0, 1));
  return max<f32>(f32x4.extract_lane(w, 0), f32x4.extract_lane(w, 1));
}
