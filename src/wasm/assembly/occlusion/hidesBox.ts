import { BOX_CONSTANTS, BOX_N, BOX_TERMS, BOX_W, BOX_XY, DEPTH_GUARD, EYE, GUARD, PER_NEAR, RELATIVE_GUARD, ROWS } from '../../occlusionLayout';
import { f, height, high, low, near, numberAt, view, width } from './memory';
import { areNearer } from './tiles';

/**
 * Nodes are tested with errors this many times as large, so that a hidden node holds hidden items only. By its reach
 * and least w, a node has errors no less than its items; twice as large, they widen the node beyond an item by far more
 * than corners err in double precision. All further operations are monotone.
 */
export const NODE: f64 = 2;
/** Boxes that reach farther, or come nearer to the eye's plane, are never hidden; numbers of other boxes are finite. */
const MOST_REACH: f64 = 1.2676506002282294e30;
const LEAST_W: f64 = 7.888609052210118e-31;

export function isHidden(box: usize): bool {
  return hidesBox(f(box, 0), f(box, 1), f(box, 2), f(box, 3), f(box, 4), f(box, 5), 1);
}

/**
 * True when all pixels that objects in a world box may touch are nearer than the box.
 *
 * Position on the screen and nearness are greatest and least at corners, as the whole box is beyond the eye's plane.
 * They are widened by the errors of programs, see `OcclusionView`. A box that reaches the near plane is never hidden.
 * @param share The factor for the errors of an item.
 */
export function hidesBox(x0: f64, y0: f64, z0: f64, x1: f64, y1: f64, z1: f64, share: f64): bool {
  const reach =
    max(abs(x0 - numberAt(EYE)), abs(x1 - numberAt(EYE))) +
    max(abs(y0 - numberAt(EYE + 1)), abs(y1 - numberAt(EYE + 1))) +
    max(abs(z0 - numberAt(EYE + 2)), abs(z1 - numberAt(EYE + 2)));
  // Written so that NaN fails.
  if (!(reach < MOST_REACH)) return false;
  if (isSeen(0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * (z0 + z1))) return false;
  const rows = view + 8 * ROWS;
  // Lanes are the corners with the lesser and the greater x.
  const xs = f64x2(x0, x1);
  const zero = f64x2.splat(0);
  let minX = f64x2.splat(Infinity);
  let maxX = f64x2.splat(-Infinity);
  let minY = minX;
  let maxY = maxX;
  let mosts = zero;
  let leastW = minX;
  const rx = f64x2.mul(v128.load64_splat(rows), xs);
  const ry = f64x2.mul(v128.load64_splat(rows, 32), xs);
  const rw = f64x2.mul(v128.load64_splat(rows, 64), xs);
  const rn = f64x2.mul(v128.load64_splat(rows, 96), xs);
  const leastWs = f64x2.splat(LEAST_W);
  for (let corner = 0; corner < 4; corner++) {
    const y = f64x2.splat((corner & 1) !== 0 ? y1 : y0);
    const z = f64x2.splat((corner & 2) !== 0 ? z1 : z0);
    const w = sum(rw, rows + 64, y, z);
    const n = sum(rn, rows + 96, y, z);
    if (!i64x2.all_true(v128.and(f64x2.gt(f64x2.sub(w, n), zero), f64x2.gt(w, leastWs)))) return false;
    const i = f64x2.div(f64x2.splat(1), w);
    const x = f64x2.mul(sum(rx, rows, y, z), i);
    const cy = f64x2.mul(sum(ry, rows + 32, y, z), i);
    minX = f64x2.pmin(minX, x);
    maxX = f64x2.pmax(maxX, x);
    minY = f64x2.pmin(minY, cy);
    maxY = f64x2.pmax(maxY, cy);
    mosts = f64x2.pmax(mosts, f64x2.mul(n, i));
    leastW = f64x2.pmin(leastW, w);
  }
  const errors = share / least(leastW);
  const xy = (numberAt(BOX_XY) * reach + numberAt(BOX_CONSTANTS)) * errors;
  let most = greatest(mosts);
  most +=
    (numberAt(BOX_N) * reach +
      numberAt(BOX_CONSTANTS + 1) +
      most * (numberAt(BOX_W) * reach + numberAt(BOX_CONSTANTS + 2)) +
      numberAt(BOX_TERMS) * reach) *
    errors;
  most += numberAt(RELATIVE_GUARD) * 2 * most * (1 + most * numberAt(PER_NEAR));
  // A number of single precision above `bound` is not below the exact sum, even if `bound` was rounded down.
  const bound = <f32>(most + numberAt(DEPTH_GUARD));
  if (!(bound < 1)) return false;
  const w = <f64>width;
  const h = <f64>height;
  const guard = numberAt(GUARD) + xy * 0.5 * max(w, h);
  return areNearer(
    low((least(minX) + 1) * 0.5 * w - guard, 0),
    high((greatest(maxX) + 1) * 0.5 * w + guard, width - 1),
    low((least(minY) + 1) * 0.5 * h - guard, 0),
    high((greatest(maxY) + 1) * 0.5 * h + guard, height - 1),
    bound,
  );
}

/**
 * True for a point on the screen with nothing before it. Most visible boxes show their middle, and their corners need
 * no test then: the middle lies in the rectangle of the corners, no nearer than the nearest corner.
 */
function isSeen(x: f64, y: f64, z: f64): bool {
  const i = 1 / rowTimes(8, x, y, z);
  const column = (rowTimes(0, x, y, z) * i + 1) * 0.5 * <f64>width;
  const row = (rowTimes(4, x, y, z) * i + 1) * 0.5 * <f64>height;
  // Written so that NaN fails.
  if (!(i > 0 && column >= 0 && row >= 0 && column < <f64>width && row < <f64>height)) return false;
  return <f64>load<f32>(near + (<usize>(<i32>row * width + <i32>column) << 2)) <= rowTimes(12, x, y, z) * i;
}

@inline
function rowTimes(k: i32, x: f64, y: f64, z: f64): f64 {
  return numberAt(ROWS + k) * x + numberAt(ROWS + k + 1) * y + numberAt(ROWS + k + 2) * z + numberAt(ROWS + k + 3);
}

/** A row of a matrix times points, given the products with x. */
@inline
function sum(part: v128, row: usize, y: v128, z: v128): v128 {
  return f64x2.add(
    f64x2.add(f64x2.add(part, f64x2.mul(v128.load64_splat(row, 8), y)), f64x2.mul(v128.load64_splat(row, 16), z)),
    v128.load64_splat(row, 24),
  );
}

@inline
function least(lanes: v128): f64 {
  return min(f64x2.extract_lane(lanes, 0), f64x2.extract_lane(lanes, 1));
}

@inline
function greatest(lanes: v128): f64 {
  return max(f64x2.extract_lane(lanes, 0), f64x2.extract_lane(lanes, 1));
}
