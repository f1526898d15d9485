// The mole, a row of rocks from the beach into the bay, and the lighthouse at its end.

import { points } from './points.mjs';
import { random } from './random.mjs';
import { WATER } from './river.mjs';
import { group, mesh, shared } from './scene.mjs';
import { box, drum, lathe, lump } from './solids.mjs';

const MOLE = points('107 55, 104.5 59, 103 63, 101 67, 99.5 71, 98 75, 96 79');
const LIGHTHOUSE = { x: 94, z: 85 };

export function makeLighthouse(harbour) {
  makeMole(harbour);
  makeTower(group(harbour, 'Lighthouse', { ...LIGHTHOUSE, y: WATER }));
}

function makeMole(harbour) {
  const rng = random(66);
  const rocks = [4, 5, 6].map((seed) => shared(`rock ${seed}`, () => lump(1, 1, random(seed), 0.22, 0.7)));
  MOLE.forEach(([x, z], i) => {
    const at = {
      x: x + rng.between(-0.5, 0.5),
      z,
      y: WATER + 0.1,
      turn: rng.between(0, 6),
      scale: rng.between(3.2, 4),
    };
    mesh(harbour, `Mole rock ${i + 1}`, rng.pick(rocks), 'Stone', at);
  });
  const { x, z } = LIGHTHOUSE;
  mesh(harbour, 'Lighthouse rock', rocks[0], 'Stone', { x, z, y: WATER - 0.8, scale: [8.5, 4.5, 8] });
  for (let i = 0; i < 9; i++) {
    const angle = (i * 2 * Math.PI) / 9;
    const r = rng.between(6.5, 8.5);
    const at = {
      x: x + r * Math.cos(angle),
      z: z + r * Math.sin(angle),
      y: WATER - 0.2,
      turn: angle,
      scale: rng.between(1.2, 2.4),
    };
    mesh(harbour, `Shore rock ${i + 1}`, rng.pick(rocks), 'Stone', at);
  }
}

function makeTower(lighthouse) {
  mesh(lighthouse, 'Lighthouse base', drum(3.6, 4, 2.4, 10, 0, 1.2), 'Paving');
  const radius = (level) => 2.7 - 0.2 * level;
  for (let level = 0; level < 6; level++) {
    const ring = drum(radius(level + 1), radius(level), 2.3, 10, 0, 3.6 + 2.3 * level);
    mesh(lighthouse, `Lighthouse band ${level + 1}`, ring, level % 2 ? 'Roof terracotta' : 'White');
  }
  mesh(lighthouse, 'Lighthouse gallery', drum(2.3, 1.6, 0.5, 10, 0, 17.3), 'Iron');
  mesh(lighthouse, 'Lighthouse lamp', drum(1, 1, 1.9, 8, 0, 17.8), 'Glow');
  mesh(lighthouse, 'Lighthouse roof', lampRoof(), 'Roof terracotta', { y: 19.7 });
  mesh(lighthouse, 'Lighthouse door', box(1.2, 2.2, 0.5, 0, 3.6, 2.6), 'Wood');
}

const lampRoof = () => lathe(points('0 0, 1.4 0, 1.4 0.2, 0.25 1.5, 0.25 1.9, 0 1.9'), 8);
