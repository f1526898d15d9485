import { FAR, GROUP_BYTES, NUMBERS, PAIRS, placeOf, SIDE, TO_MAX } from './layout';

/** Bytes of two planes. */
const PAIR_BYTES: usize = 112;

/**
 * For each plane, in x y z, how many bytes behind a box's minimum the coordinate of its farthest corner lies; and the planes
 * two by two: x y z and constant, then for each axis ones where the farthest corner is at the maximum.
 */
export function setPlanes(planes: i32): void {
  const count = popcnt(planes);
  for (let p = 0; p < count; p++) {
    const lane = PAIRS + <usize>(p >> 1) * PAIR_BYTES + (<usize>(p & 1) << 3);
    for (let c: usize = 0; c < 4; c++) {
      const number = load<f64>(NUMBERS + (<usize>p << 5) + (c << 3));
      store<f64>(lane + (c << 4), number);
      if (c === 3) break;
      store<i64>(lane + ((c + 4) << 4), number > 0 ? -1 : 0);
      store<i32>(FAR + (<usize>(3 * p) << 2) + (c << 2), number > 0 ? 24 : 0);
    }
  }
}

/** Two planes at a time, without a branch until all that is known of the two is. */
export function nodeInPlanes(box: usize, mask: i32): i32 {
  const minX = v128.load_splat<f64>(box);
  const minY = v128.load_splat<f64>(box, 8);
  const minZ = v128.load_splat<f64>(box, 16);
  const maxX = v128.load_splat<f64>(box, 24);
  const maxY = v128.load_splat<f64>(box, 32);
  const maxZ = v128.load_splat<f64>(box, 40);
  const zero = f64x2.splat(0);
  let doubt = 0;
  for (let p = 0, pair = PAIRS; mask >> p !== 0; p += 2, pair += PAIR_BYTES) {
    const asked = (mask >> p) & 3;
    if (asked === 0) continue;
    const x = v128.load(pair);
    const y = v128.load(pair, 16);
    const z = v128.load(pair, 32);
    const w = v128.load(pair, 48);
    const upX = v128.load(pair, 64);
    const upY = v128.load(pair, 80);
    const upZ = v128.load(pair, 96);
    const farX = f64x2.mul(x, v128.bitselect(maxX, minX, upX));
    const farY = f64x2.mul(y, v128.bitselect(maxY, minY, upY));
    const farZ = f64x2.mul(z, v128.bitselect(maxZ, minZ, upZ));
    const far = f64x2.add(f64x2.add(f64x2.add(farX, farY), farZ), w);
    if ((i64x2.bitmask(f64x2.lt(far, zero)) & asked) !== 0) return -1;
    const nearX = f64x2.mul(x, v128.bitselect(minX, maxX, upX));
    const nearY = f64x2.mul(y, v128.bitselect(minY, maxY, upY));
    const nearZ = f64x2.mul(z, v128.bitselect(minZ, maxZ, upZ));
    const near = f64x2.add(f64x2.add(f64x2.add(nearX, nearY), nearZ), w);
    doubt |= (~i64x2.bitmask(f64x2.ge(near, zero)) & asked) << p;
  }
  return doubt;
}

@inline
function negative(x: v128, y: v128, z: v128, w: v128, i: usize, j: usize, k: usize): i32 {
  const d = f64x2.add(
    f64x2.add(f64x2.add(f64x2.mul(x, v128.load(i)), f64x2.mul(y, v128.load(j))), f64x2.mul(z, v128.load(k))),
    w,
  );
  return i64x2.bitmask(f64x2.lt(d, f64x2.splat(0)));
}

export function rowInPlanes(row: usize, size: i32, mask: i32): i32 {
  const all = (1 << size) - 1;
  let outside = 0;
  for (let left = mask; left !== 0; left &= left - 1) {
    const p = ctz(left);
    const plane = NUMBERS + (<usize>p << 5);
    const far = FAR + <usize>p * 12;
    const x = v128.load_splat<f64>(plane);
    const y = v128.load_splat<f64>(plane, 8);
    const z = v128.load_splat<f64>(plane, 16);
    const w = v128.load_splat<f64>(plane, 24);
    let i = row + (<usize>load<i32>(far) << 2);
    let j = row + (<usize>load<i32>(far, 4) << 2) + SIDE;
    let k = row + (<usize>load<i32>(far, 8) << 2) + 2 * SIDE;
    for (let slot = 0; slot < size; slot += 4) {
      outside |= (negative(x, y, z, w, i, j, k) | (negative(x, y, z, w, i + 16, j + 16, k + 16) << 2)) << slot;
      i += GROUP_BYTES;
      j += GROUP_BYTES;
      k += GROUP_BYTES;
    }
    if ((~outside & all) === 0) return 0;
  }
  return ~outside & all;
}

export function rowInsidePlanes(row: usize, size: i32, mask: i32): i32 {
  let inside = -1;
  for (let left = mask; left !== 0; left &= left - 1) {
    const p = ctz(left);
    const plane = NUMBERS + (<usize>p << 5);
    const far = FAR + <usize>p * 12;
    const i = row + TO_MAX - (<usize>load<i32>(far) << 2);
    const j = row + TO_MAX + SIDE - (<usize>load<i32>(far, 4) << 2);
    const k = row + TO_MAX + 2 * SIDE - (<usize>load<i32>(far, 8) << 2);
    for (let slot = 0; slot < size; slot++) {
      const o = placeOf(slot);
      const x = load<f64>(plane) * load<f64>(i + o);
      const d = x + load<f64>(plane, 8) * load<f64>(j + o) + load<f64>(plane, 16) * load<f64>(k + o);
      if (!(d + load<f64>(plane, 24) >= 0)) inside &= ~(1 << slot);
    }
  }
  return inside;
}
