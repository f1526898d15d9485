import { NUMBERS } from '../packed/layout';

/** How far a number is from an interval, and how far its farther end is. */
@inline
function gap(x: f64, low: f64, high: f64): f64 {
  return (x < low ? low : x > high ? high : x) - x;
}

@inline
function reach(x: f64, low: f64, high: f64): f64 {
  return max<f64>(x - low, high - x);
}

export function boxInSphere(box: usize): i32 {
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
