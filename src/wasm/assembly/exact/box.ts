import { NUMBERS } from '../packed/layout';

export function boxInBox(box: usize): i32 {
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
