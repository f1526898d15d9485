// Mill Hill: the windmill on top (its rotor is one group, turned about its own z), stepping stones up, and sheep.

import { hillHeight, hills } from './plan.mjs';
import { points } from './points.mjs';
import { random } from './random.mjs';
import { group, mesh, shared } from './scene.mjs';
import { box, drum, lathe, lump, merge, QUARTER } from './solids.mjs';

const [hill] = hills;
const STONES = 18;
const SHEEP = 12;

export function makeMill(quarter, district, space) {
  const local = (x, z) => ({ x: x - district.x, z: z - district.z });
  space.take({ x: hill.x, z: hill.z, width: 15, depth: 15 });
  const mill = { ...local(hill.x, hill.z), y: hill.height - 0.6, turn: 0.75 };
  makeWindmill(group(quarter, 'Windmill', mill));

  const rng = random(51);
  const slab = shared('stepping stone', () => drum(0.75, 0.85, 0.5, 6));
  for (let i = 0; i < STONES; i++) {
    const t = i / (STONES - 1);
    const angle = 0.35 + t * 1.9;
    const r = hill.radius * (1.02 - 0.76 * t);
    const [x, z] = [hill.x + r * Math.cos(angle), hill.z + r * Math.sin(angle)];
    const at = { ...local(x, z), y: hillHeight(x, z) - 0.3, turn: rng.between(0, 3) };
    mesh(quarter, `Stepping stone ${i + 1}`, slab, 'Stone', at);
    space.take({ x, z, width: 2, depth: 2 });
  }
  for (let i = 0; i < SHEEP; i++) {
    const angle = rng.between(-2.6, -0.4) + Math.PI * 0.1;
    const r = hill.radius * rng.between(0.35, 0.75);
    const [x, z] = [hill.x + r * Math.cos(angle), hill.z + r * Math.sin(angle)];
    if (!space.isFree({ x, z, width: 2.4, depth: 2.4 })) continue;
    space.take({ x, z, width: 2.4, depth: 2.4 });
    const name = `Sheep ${i + 1}`;
    const at = { ...local(x, z), y: hillHeight(x, z) - 0.12, turn: rng.between(0, 6.3) };
    makeSheep(group(quarter, name, at), name);
  }
}

// An eight-sided body has a corner at +z; an eighth of a half turn gives it a face there.
const EIGHTH = { turn: Math.PI / 8 };

function makeWindmill(mill) {
  mesh(mill, 'Windmill foundation', drum(4.6, 5, 2.2, 8), 'Stone', EIGHTH);
  mesh(mill, 'Windmill tower', drum(2.7, 4, 10, 8, 0, 2.2), 'White', EIGHTH);
  mesh(mill, 'Windmill gallery', lathe(points('3.5 5, 5 5.2, 5 5.5, 3.4 5.5'), 8), 'Wood', EIGHTH);
  const rail = Array.from({ length: 8 }, (_, k) =>
    box(3.75, 0.14, 0.14, 0, 6.4, 4.45).rotateY(((k + 0.5) * Math.PI) / 4),
  );
  const stiles = Array.from({ length: 8 }, (_, k) => box(0.16, 1, 0.16, 0, 5.45, 4.8).rotateY((k * Math.PI) / 4));
  mesh(mill, 'Windmill railing', merge(...rail, ...stiles), 'Wood', EIGHTH);
  mesh(mill, 'Windmill door', box(1.3, 2.3, 0.3), 'Wood', { y: 2.2, z: 3.7, tilt: -0.12 });
  const window = (turn, y, r) => box(0.9, 1.2, 0.3, 0, y, r).rotateY(turn);
  mesh(mill, 'Windmill windows', merge([0, 2, 3, 5, 6].map((k) => window((k * Math.PI) / 4, 8.3, 2.9))), 'Glass');
  mesh(
    mill,
    'Windmill cap',
    lathe(points('0 12, 3.1 12, 3.1 12.5, 2.3 14.2, 0.9 15.3, 0 15.5'), 8),
    'Roof brown',
    EIGHTH,
  );
  mesh(mill, 'Windmill axle', drum(0.3, 0.4, 3, 6).rotateX(QUARTER), 'Wood', { y: 13.2, z: 1.6 });

  const rotor = group(mill, 'Windmill rotor', { y: 13.2, z: 4.4, roll: 0.35 });
  mesh(rotor, 'Windmill hub', lump(0.7, 1, random(2)), 'Wood');
  const rungs = Array.from({ length: 7 }, (_, k) => box(1.7, 0.1, 0.08, 0.75, 1.9 + k * 1.1, 0));
  const lattice = merge(box(0.28, 9.2, 0.24), box(0.1, 7, 0.09, 1.55, 1.8, 0), ...rungs);
  const cloth = box(1.25, 6.4, 0.06, 0.82, 2, 0.12);
  for (let i = 0; i < 4; i++) {
    const blade = group(rotor, `Windmill blade ${i + 1}`, { roll: (i * Math.PI) / 2 });
    mesh(blade, `Windmill blade ${i + 1} lattice`, lattice, 'Wood');
    mesh(blade, `Windmill blade ${i + 1} sail`, cloth, 'White');
  }
}

function makeSheep(sheep, name) {
  mesh(sheep, `${name} wool`, shared('wool', wool), 'White');
  mesh(sheep, `${name} head and legs`, shared('sheep head', headAndLegs), 'Iron');
}

const wool = () => lump(0.68, 1, random(3), 0.12, 0.8, 0, 0.85);

function headAndLegs() {
  const legs = points('-1 -1, 1 -1, -1 1, 1 1').map(([x, z]) => box(0.14, 0.5, 0.14, x * 0.28, 0, z * 0.4));
  return merge(...legs, box(0.34, 0.4, 0.5, 0, 0.9, 0.95));
}
