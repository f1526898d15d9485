// What stands and moves along the streets: lamps, cars on the right-hand side, people on the pavements.

import { beside } from './flat.mjs';
import { onLand, square, streets } from './plan.mjs';
import { points } from './points.mjs';
import { random } from './random.mjs';
import { group, mesh, shared } from './scene.mjs';
import { box, drum, extrude, lump, merge, QUARTER } from './solids.mjs';
import { SQUARE_TOP } from './square.mjs';
import { distanceTo, inBorder, roadTop, WALK_TOP } from './streets.mjs';

const PAINT = ['White', 'Roof terracotta', 'Wall blue', 'Wall ochre', 'Wall sage', 'Roof slate', 'Wall rose'];
const CLOTHES = ['Roof terracotta', 'Wall blue', 'Wall ochre', 'Roof slate', 'Pine', 'White', 'Blossom', 'Wall sage'];

export function makeTraffic(roads) {
  const rng = random(101);
  const counts = { cars: 0, lamps: 0, people: 0 };
  for (const [street, parent] of roads) {
    makeLamps(parent, street, counts);
    makeCars(parent, street, counts, rng);
    makeWalkers(parent, street, counts, rng);
  }
  makeCrowd(roads.get(streets[0]), counts, rng);
  return counts;
}

const clearOfOthers = (street, x, z, margin) =>
  streets.every((other) => other === street || distanceTo(other, x, z) > other.half + margin);

const heading = ({ tx, tz }) => -Math.atan2(tz, tx);

function makeLamps(parent, street, counts) {
  const { samples, half, walk } = street;
  let side = 1;
  for (let i = 6; i < samples.length - 4; i += 17) {
    const [x, z] = beside(samples[i], side * (half + walk - 0.5));
    if (inBorder({ x, z }, 2) && clearOfOthers(street, x, z, 1.2)) {
      const name = `Lamp ${++counts.lamps}`;
      const lamp = group(parent, name, { x, z, y: WALK_TOP, turn: heading(samples[i]) + (side > 0 ? Math.PI : 0) });
      mesh(lamp, `${name} post`, shared('lamp post', lampPost), 'Iron');
      mesh(lamp, `${name} lantern`, shared('lantern', lantern), 'Glow');
      side = -side;
    }
  }
}

const lantern = () => drum(0.26, 0.16, 0.5, 6, 0, 3.75, 0.9);

// The arm reaches to +z.
function lampPost() {
  const arm = box(0.09, 0.09, 1.05, 0, 4.45, 0.5);
  const hood = drum(0.06, 0.36, 0.24, 6, 0, 4.24, 0.9);
  return merge(drum(0.16, 0.2, 0.6, 6), drum(0.07, 0.09, 4, 6, 0, 0.5), arm, hood);
}

function makeCars(parent, street, counts, rng) {
  const { samples, half } = street;
  for (const side of [-1, 1]) {
    for (let i = Math.floor(rng.between(4, 20)); i < samples.length - 4; i += Math.floor(rng.between(16, 50))) {
      const [x, z] = beside(samples[i], side * half * 0.5);
      if (!inBorder({ x, z }, 5) || !clearOfOthers(street, x, z, 3.5)) continue;
      const name = `Car ${++counts.cars}`;
      const turn = heading(samples[i]) + (side > 0 ? 0 : Math.PI);
      const kind = rng.pick(['saloon', 'saloon', 'hatch', 'van']);
      makeCar(group(parent, name, { x, z, y: roadTop(street), turn }), name, kind, rng.pick(PAINT));
    }
  }
}

// Front at +x. Side outlines are [x, y]: body without cabin, cabin glass, roof panel.
const CARS = {
  saloon: {
    body: points('-2.1 0.35, 2.1 0.35, 2.15 0.7, 1.1 0.92, -1.5 0.95, -2.1 0.9'),
    cabin: points('-1.6 0.9, 0.95 0.88, 0.35 1.42, -1.15 1.42'),
    roof: points('-1.18 1.4, 0.38 1.4, 0.3 1.5, -1.1 1.5'),
  },
  hatch: {
    body: points('-1.8 0.35, 1.8 0.35, 1.85 0.72, 0.95 0.98, -1.8 1'),
    cabin: points('-1.75 0.95, 0.9 0.94, 0.35 1.52, -1.5 1.52'),
    roof: points('-1.55 1.5, 0.38 1.5, 0.3 1.6, -1.45 1.6'),
  },
  van: {
    body: points('-2.3 0.4, 2.2 0.4, 2.25 1, 1.75 1.15, 0.7 1.15, 0.5 2.1, -2.3 2.1'),
    cabin: points('0.4 1.1, 1.7 1.12, 1.2 1.95, 0.4 2'),
    roof: points('-2.2 2.05, 1.15 1.9, 1 2.15, -2.2 2.2'),
  },
};

function makeCar(car, name, kind, paint) {
  const { body, cabin, roof } = CARS[kind];
  const shell = () => merge(extrude(body, 1.8), extrude(roof, 1.5));
  mesh(car, `${name} body`, shared(`${kind} body`, shell), paint);
  const glass = () => extrude(cabin, 1.56);
  mesh(car, `${name} windows`, shared(`${kind} cabin`, glass), 'Glass');
  mesh(car, `${name} wheels`, shared('wheels', wheels), 'Iron');
}

function wheels() {
  const wheel = (x, z) => drum(0.36, 0.36, 0.26, 10).rotateX(QUARTER).translate(x, 0.36, z);
  return merge([-1.25, 1.25].flatMap((x) => [wheel(x, -0.94), wheel(x, 0.68)]));
}

function makePerson(parent, counts, rng, at) {
  const name = `Person ${++counts.people}`;
  const person = group(parent, name, { ...at, scale: rng.between(0.85, 1.05) });
  mesh(person, `${name} body`, shared('person body', personBody), rng.pick(CLOTHES));
  mesh(person, `${name} head`, shared('person head', personHead), 'Wall rose');
}

const personBody = () => merge(drum(0.2, 0.3, 0.75, 6), drum(0.14, 0.28, 0.65, 6, 0, 0.75));
const personHead = () => lump(0.19, 1, random(5), 0, 1.1, 0, 1.58);

function makeWalkers(parent, street, counts, rng) {
  const { samples, half, walk } = street;
  for (let i = 10; i < samples.length - 6; i += Math.floor(rng.between(26, 64))) {
    const side = rng.pick([-1, 1]);
    const [x, z] = beside(samples[i], side * (half + walk * rng.between(0.25, 0.55)));
    if (!inBorder({ x, z }, 4) || !clearOfOthers(street, x, z, 1) || !onLand(x, z)) continue;
    makePerson(parent, counts, rng, { x, z, y: WALK_TOP, turn: rng.between(0, 6) });
  }
}

// A market crowd, between the fountain and the stalls.
function makeCrowd(parent, counts, rng) {
  for (let i = 0; i < 12; i++) {
    const [x, z] = [square.x + rng.between(-3, 18), square.z + rng.pick([rng.between(8, 11), rng.between(-7.6, -5.8)])];
    makePerson(parent, counts, rng, { x, z, y: SQUARE_TOP, turn: rng.between(0, 6) });
  }
}
