import { GROUP_BYTES, NUMBERS } from './layout';

/** How far a number is from an interval, and how far its farther end is. */
@inline
function gap(x: f64, low: f64, high: f64): f64 {
  return (x < low ? low : x > high ? high : x) - x;
}

@inline
function reach(x: f64, low: f64, high: f64): f64 {
  return max<f64>(x - low, high - x);
}

export function nodeInSphere(box: usize): i32 {
  const x = load<f64>(NUMBERS);
  const y = load<f64>(NUMBERS, 8);
  const z = load<f64>(NUMBERS, 16);
  const rr = load<f64>(NUMBERS, 24) * load<f64>(NUMBERS, 24);
  const dx = gap(x, load<f64>(box), load<f64>(box, 24));
  const dy = gap(y, load<f64>(box, 8), load<f64>(box, 32));
  const dz = gap(z, load<f64>(box, 16), load<f64>(box, 40));
  if (!(dx * dx + dy * dy + dz * dz <= rr)) return -1;
  const fx = reach(x, load<f64>(box), load<f64>(box, 24));
  const fy = reach(y, load<f64>(box, 8), load<f64>(box, 32));
  const fz = reach(z, load<f64>(box, 16), load<f64>(box, 40));
  return i32(!(fx * fx + fy * fy + fz * fz <= rr));
}

/** The squares of what `gap` gives, for two slots. */
@inline
function gapSquares(i: usize, x: v128): v128 {
  const d = f64x2.sub(f64x2.pmin(f64x2.pmax(x, v128.load(i)), v128.load(i, 96)), x);
  return f64x2.mul(d, d);
}

export function rowInSphere(row: usize, size: i32): i32 {
  const x = v128.load_splat<f64>(NUMBERS);
  const y = v128.load_splat<f64>(NUMBERS, 8);
  const z = v128.load_splat<f64>(NUMBERS, 16);
  const radius = load<f64>(NUMBERS, 24);
  const rr = f64x2.splat(radius * radius);
  let bits = 0;
  for (let slot = 0, i = row; slot < size; slot += 4, i += GROUP_BYTES) {
    const a = f64x2.add(f64x2.add(gapSquares(i, x), gapSquares(i + 32, y)), gapSquares(i + 64, z));
    const b = f64x2.add(f64x2.add(gapSquares(i + 16, x), gapSquares(i + 48, y)), gapSquares(i + 80, z));
    bits |= (i64x2.bitmask(f64x2.le(a, rr)) | (i64x2.bitmask(f64x2.le(b, rr)) << 2)) << slot;
  }
  return bits;
}
