import { GROUP_BYTES, NUMBERS } from './layout';

export function nodeInBox(box: usize): i32 {
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

/** Of two slots those whose numbers at `i` do not exceed those of the box's maximum, and the other way round at its minimum. */
@inline
function reaches(i: usize, low: v128, high: v128): v128 {
  return v128.and(f64x2.le(v128.load(i), high), f64x2.ge(v128.load(i, 96), low));
}

export function rowInBox(row: usize, size: i32): i32 {
  const minX = v128.load_splat<f64>(NUMBERS);
  const minY = v128.load_splat<f64>(NUMBERS, 8);
  const minZ = v128.load_splat<f64>(NUMBERS, 16);
  const maxX = v128.load_splat<f64>(NUMBERS, 24);
  const maxY = v128.load_splat<f64>(NUMBERS, 32);
  const maxZ = v128.load_splat<f64>(NUMBERS, 40);
  let bits = 0;
  for (let slot = 0, i = row; slot < size; slot += 4, i += GROUP_BYTES) {
    const a = v128.and(reaches(i, minX, maxX), v128.and(reaches(i + 32, minY, maxY), reaches(i + 64, minZ, maxZ)));
    const j = i + 16;
    const b = v128.and(reaches(j, minX, maxX), v128.and(reaches(j + 32, minY, maxY), reaches(j + 64, minZ, maxZ)));
    bits |= (i64x2.bitmask(a) | (i64x2.bitmask(b) << 2)) << slot;
  }
  return bits;
}
