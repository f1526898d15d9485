import { NUMBERS } from '../packed/layout';

/** Kinds of volumes, see src/core/shapes/Volume.ts; all others are planes. */
export const BOX: i32 = 1;
export const SPHERE: i32 = 2;

/** The result of `Volume.node` for a box, in double precision. */
@inline
export function testBox(kind: i32, box: usize, all: i32): i32 {
  if (kind === BOX) return boxInBox(box);
  if (kind === SPHERE) return boxInSphere(box);
  return boxInPlanes(box, all);
}

function boxInBox(box: usize): i32 {
  const low = NUMBERS;
  if (load<f64>(box) > load<f64>(low, 24) || load<f64>(box, 24) < load<f64>(low)) return -1;
  if (load<f64>(box, 8) > load<f64>(low, 32) || load<f64>(box, 32) < load<f64>(low, 8)) return -1;
  if (load<f64>(box, 16) > load<f64>(low, 40) || load<f64>(box, 40) < load<f64>(low, 16)) return -1;
  return i32(
    !(
      load<f64>(low) <= load<f64>(box) &&
      load<f64>(box, 24) <= load<f64>(low, 24) &&
      load<f64>(low, 8) <= load<f64>(box, 8) &&
      load<f64>(box, 32) <= load<f64>(low, 32) &&
      load<f64>(low, 16) <= load<f64>(box, 16) &&
      load<f64>(box, 40) <= load<f64>(low, 40)
    ),
  );
}

export function boxInPlanes(box: usize, planes: i32): i32 {
  const minX = load<f64>(box);
  const minY = load<f64>(box, 8);
  const minZ = load<f64>(box, 16);
  const maxX = load<f64>(box, 24);
  const maxY = load<f64>(box, 32);
  const maxZ = load<f64>(box, 40);
  let doubt = 0;
  for (let p = 0; planes >> p !== 0; p++) {
    const plane = NUMBERS + (<usize>p << 5);
    const x = load<f64>(plane);
    const y = load<f64>(plane, 8);
    const z = load<f64>(plane, 16);
    const w = load<f64>(plane, 24);
    const far = x * (x > 0 ? maxX : minX) + y * (y > 0 ? maxY : minY) + z * (z > 0 ? maxZ : minZ) + w;
    if (far < 0) return -1;
    const near = x * (x > 0 ? minX : maxX) + y * (y > 0 ? minY : maxY) + z * (z > 0 ? minZ : maxZ) + w;
    if (!(near >= 0)) doubt |= 1 << p;
  }
  return doubt;
}

/** The distance from a number to an interval; `reach` is the distance to its farther end. */
@inline
function gap(x: f64, low: f64, high: f64): f64 {
  return (x < low ? low : x > high ? high : x) - x;
}

@inline
function reach(x: f64, low: f64, high: f64): f64 {
  return max<f64>(x - low, high - x);
}

function boxInSphere(box: usize): i32 {
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
