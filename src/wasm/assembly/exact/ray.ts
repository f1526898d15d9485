import { NUMBERS } from '../packed/layout';

/** The numbers of the ray: interval, inverse direction, origin of the sides met first, origin of the sides met last. */
export const NEAR: usize = NUMBERS;
export const LIMIT: usize = NUMBERS + 8;
const INVERSE: usize = NUMBERS + 16;
const FIRST: usize = NUMBERS + 40;
const LAST: usize = NUMBERS + 64;

/** Bytes from a box to the side met first on each axis, set by `setSides`. */
let firstX: usize = 0;
let firstY: usize = 0;
let firstZ: usize = 0;

export function setSides(): void {
  firstX = load<f64>(INVERSE) > 0 ? 0 : 24;
  firstY = load<f64>(INVERSE, 8) > 0 ? 8 : 32;
  firstZ = load<f64>(INVERSE, 16) > 0 ? 16 : 40;
}

/**
 * The distance at which the ray enters a box; Infinity when it misses the box. Branches would be mispredicted half of
 * the time. pmax and pmin return their first argument if the second is NaN, which leaves the interval unchanged.
 */
@inline
export function entry(box: usize): f64 {
  // Lanes are x and y.
  const first = v128.load64_lane(box + firstY, v128.load64_zero(box + firstX), 1);
  const last = v128.load64_lane(box + 40 - firstY, v128.load64_zero(box + 24 - firstX), 1);
  const inverse = v128.load(INVERSE);
  const enters = f64x2.mul(f64x2.sub(first, v128.load(FIRST)), inverse);
  const leaves = f64x2.mul(f64x2.sub(last, v128.load(LAST)), inverse);
  const a = f64x2.pmax(v128.load_splat<f64>(NEAR), enters);
  const z = f64x2.pmin(v128.load_splat<f64>(LIMIT), leaves);
  const inverseZ = load<f64>(INVERSE, 16);
  const enterZ = (load<f64>(box + firstZ) - load<f64>(FIRST, 16)) * inverseZ;
  const leaveZ = (load<f64>(box + 56 - firstZ) - load<f64>(LAST, 16)) * inverseZ;
  const enter = f64x2.pmax(f64x2.pmax(a, v128.shuffle<u64>(a, a, 1, 0)), f64x2.splat(enterZ));
  const leave = f64x2.pmin(f64x2.pmin(z, v128.shuffle<u64>(z, z, 1, 0)), f64x2.splat(leaveZ));
  const at = f64x2.extract_lane(enter, 0);
  return at > f64x2.extract_lane(leave, 0) ? Infinity : at;
}
