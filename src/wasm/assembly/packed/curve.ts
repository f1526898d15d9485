import { BOX, CURVE, NEXT, Addresses, ADDRESSES } from './layout';

/** The value of src/packed/PackedItems.ts. */
const STRAY_DISTANCE: i32 = 2;

/** Spreads the bits of four numbers: each line doubles their distance. Two axes need one gap bit, three need two. */
@inline
function spread(v: v128, isPlanar: bool): v128 {
  const shift = isPlanar ? 1 : 2;
  let bits = v128.and(v128.or(v, i32x4.shl(v, 8 * shift)), i32x4.splat(isPlanar ? 0x00ff00ff : 0x030000ff));
  bits = v128.and(v128.or(bits, i32x4.shl(bits, 4 * shift)), i32x4.splat(isPlanar ? 0x0f0f0f0f : 0x0300f00f));
  bits = v128.and(v128.or(bits, i32x4.shl(bits, 2 * shift)), i32x4.splat(isPlanar ? 0x33333333 : 0x030c30c3));
  return v128.and(v128.or(bits, i32x4.shl(bits, shift)), i32x4.splat(isPlanar ? 0x55555555 : 0x09249249));
}

/** Like `HilbertCurve.keyOf`. For a planar curve the factor of y, `perUnit`, is 0. */
export function keyOf(box: usize): i32 {
  const steps = load<f64>(CURVE, 48);
  const a = v128.load(box);
  const b = v128.load(box, 16);
  const c = v128.load(box, 32);
  // Upper sides of x and y; the upper side of z, in the first lane.
  const upper = v128.shuffle<u64>(b, c, 1, 2);
  const upperZ = v128.shuffle<u64>(c, c, 1, 1);
  const perUnit = v128.load(CURVE, 16);
  const perUnitZ = v128.load(CURVE, 32);
  const xy = f64x2.mul(f64x2.sub(f64x2.add(a, upper), v128.load(CURVE)), perUnit);
  const z = f64x2.mul(f64x2.sub(f64x2.add(b, upperZ), v128.load_splat<f64>(CURVE, 40)), perUnitZ);
  const whole = v128.shuffle<u32>(i32x4.trunc_sat_f64x2_s_zero(xy), i32x4.trunc_sat_f64x2_s_zero(z), 0, 1, 4, 4);
  const most = i32x4.splat(<i32>steps - 1);
  const bits = spread(i32x4.max_s(i32x4.min_s(whole, most), i32x4.splat(0)), steps > 1024);
  const code = i32x4.extract_lane(bits, 0) | (i32x4.extract_lane(bits, 2) << 1) | (i32x4.extract_lane(bits, 1) << 2);
  let at = digit(0, code >>> 24);
  let key = at & 63;
  at = digit(at, code >>> 18);
  key = (key << 6) | (at & 63);
  at = digit(at, code >>> 12);
  key = (key << 6) | (at & 63);
  at = digit(at, code >>> 6);
  key = (key << 6) | (at & 63);
  at = digit(at, code);
  key = (key << 6) | (at & 63);
  const edges = f64x2.mul(f64x2.sub(upper, a), perUnit);
  const edgeZ = f64x2.mul(f64x2.sub(upperZ, b), perUnitZ);
  const longest = f64x2.pmax(f64x2.pmax(edges, v128.shuffle<u64>(edges, edges, 1, 0)), edgeZ);
  const edge = 2 * f64x2.extract_lane(longest, 0);
  const size = <i32>(edge > steps / 64) + <i32>(edge > steps / 16) + <i32>(edge > steps / 4);
  return (size << 28) | (key >> 2);
}

@inline
function digit(state: i32, code: i32): i32 {
  return <i32>load<u16>(NEXT + (<usize>((state & ~63) | (code & 63)) << 1));
}

/** Lists the strays in every `step`-th row from `from` to `to` - 1 as results; returns their number. */
export function listStrays(from: i32, to: i32, step: i32): i32 {
  const at = changetype<Addresses>(ADDRESSES);
  let out = at.out;
  for (let row = from; row < to; row += step) {
    if (row + 2 * step < to) touch(row + 2 * step);
    const least = load<i32>(at.firstKeys + (<usize>max(row - STRAY_DISTANCE, 0) << 2));
    const end = row + STRAY_DISTANCE + 1;
    const beyond = end < at.count ? load<i32>(at.firstKeys + (<usize>end << 2)) : i32.MAX_VALUE;
    const ids = at.ids + (<usize>row << 6);
    const last = ids + (<usize>load<u8>(at.sizes + row) << 2);
    for (let p = ids; p < last; p += 4) {
      const id = load<i32>(p);
      const key = keyOf(at.boxes + <usize>id * BOX);
      if (key >= least && key < beyond) continue;
      store<i32>(out, id);
      out += 4;
    }
  }
  return <i32>((out - at.out) >> 2);
}

let touched: i32 = 0;

/** Reads from all boxes of a row, to bring them into the cache while other rows are searched: they lie far apart. */
export function touch(row: i32): void {
  const at = changetype<Addresses>(ADDRESSES);
  const ids = at.ids + (<usize>row << 6);
  const last = ids + (<usize>load<u8>(at.sizes + row) << 2);
  for (let p = ids; p < last; p += 4) {
    const box = at.boxes + <usize>load<i32>(p) * BOX;
    touchWord(box);
    touchWord(box + 44);
  }
}

@inline
export function touchWord(at: usize): void {
  touched ^= load<i32>(at);
}
