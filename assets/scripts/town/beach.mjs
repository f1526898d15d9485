// The beach on the east side of the bay: parasols and towels on the sand.

import { beside } from './flat.mjs';
import { banks } from './plan.mjs';
import { random } from './random.mjs';
import { BEACH_SLOPE } from './river.mjs';
import { group, mesh, shared } from './scene.mjs';
import { box, cone, drum } from './solids.mjs';

const COLOURS = ['Roof terracotta', 'White', 'Wall ochre', 'Wall blue', 'Wall rose'];

export function makeBeach(quarter, district) {
  const rng = random(121);
  const beach = group(quarter, 'Beach', { x: -district.x, z: -district.z });
  const sand = banks.east.filter(({ x, z }) => x > 76 && x < 100 && z > 30);
  sand.filter((_, i) => i % 2 === 0).forEach((sample, i) => {
    const turn = Math.atan2(-sample.tz, sample.tx);
    const down = 2.2 + (i % 2) * 1.2;
    const [x, z] = beside(sample, down);
    const spot = group(beach, `Beach spot ${i + 1}`, { x, z, y: down * BEACH_SLOPE, turn });
    const name = `Parasol ${i + 1}`;
    const parasol = group(spot, name, { y: -0.3, tilt: rng.between(-0.15, 0.15), roll: rng.between(-0.15, 0.15) });
    mesh(parasol, `${name} pole`, shared('parasol pole', () => drum(0.05, 0.05, 2.8, 6)), 'White');
    mesh(parasol, `${name} canopy`, shared('parasol', () => cone(1.5, 0.7, 8, 0, 2.4)), COLOURS[i % COLOURS.length]);
    // Towels lie on the slope, a little proud of the sand.
    const towel = { x: 1.7, y: 0.02, tilt: -Math.atan(BEACH_SLOPE), scale: [0.95, 0.06, 1.9] };
    mesh(spot, `Towel ${i + 1}`, shared('unit box', () => box(1, 1, 1)), COLOURS[(i + 2) % COLOURS.length], towel);
  });
}
