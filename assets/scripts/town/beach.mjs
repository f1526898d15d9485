// The beach on the east side of the bay: parasols and towels on the sand.

import { beside } from './flat.mjs';
import { banks } from './plan.mjs';
import { random } from './random.mjs';
import { BEACH_SLOPE } from './river.mjs';
import { group, mesh, shared } from './scene.mjs';
import { cone, drum, unitBox } from './solids.mjs';

const COLOURS = ['Roof terracotta', 'White', 'Wall ochre', 'Wall blue', 'Wall rose'];

export function makeBeach(quarter, district) {
  const rng = random(121);
  const beach = group(quarter, 'Beach', { x: -district.x, z: -district.z });
  const sand = banks.east.filter(({ x, z }) => x > 76 && x < 100 && z > 30);
  for (let i = 0; 2 * i < sand.length; i++) {
    const { tx, tz } = sand[2 * i];
    const down = 2.2 + (i % 2) * 1.2;
    const [x, z] = beside(sand[2 * i], down);
    const at = { x, z, y: down * BEACH_SLOPE, turn: Math.atan2(-tz, tx) };
    const spot = group(beach, `Beach spot ${i + 1}`, at);
    const name = `Parasol ${i + 1}`;
    const parasol = group(spot, name, { y: -0.3, tilt: rng.between(-0.15, 0.15), roll: rng.between(-0.15, 0.15) });
    mesh(parasol, `${name} pole`, shared('parasol pole', pole), 'White');
    mesh(parasol, `${name} canopy`, shared('parasol canopy', canopy), COLOURS[i % COLOURS.length]);
    // Towels lie on the slope, a little proud of the sand.
    const towel = { x: 1.7, y: 0.02, tilt: -Math.atan(BEACH_SLOPE), scale: [0.95, 0.06, 1.9] };
    mesh(spot, `Towel ${i + 1}`, unitBox(), COLOURS[(i + 2) % COLOURS.length], towel);
  }
}

const pole = () => drum(0.05, 0.05, 2.8, 6);
const canopy = () => cone(1.5, 0.7, 8, 0, 2.4);
