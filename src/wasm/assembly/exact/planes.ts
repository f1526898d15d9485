import { NUMBERS } from '../packed/layout';

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
