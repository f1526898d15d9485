// The harbour: a promenade along the quay, wooden piers with boats on both sides, a crane and heaps of goods, boats
// at sea, and the lighthouse.

import { makeBoat } from './boats.mjs';
import { beside } from './flat.mjs';
import { makeLighthouse } from './lighthouse.mjs';
import { banks } from './plan.mjs';
import { points } from './points.mjs';
import { random } from './random.mjs';
import { ribbon, runs, stretch } from './ribbon.mjs';
import { WATER } from './river.mjs';
import { group, mesh, shared } from './scene.mjs';
import { box, drum, lathe, merge, unitBox } from './solids.mjs';
import { Space } from './space.mjs';

const PIERS = points('54 18, 66 26, 78 26, 90 18');
const DECK = -0.7;
const WIDTH = 2.6;
const OUT_AT_SEA = points('62 100 0.5, 84 106 2.4, 48 110 1.2, 74 66 2.9, 46 -40 1.2');

export function makeHarbour(quarter, district, space) {
  const harbour = group(quarter, 'Harbour', { x: -district.x, z: -district.z });
  const rng = random(61);
  const onQuay = (s) => s.z > 48 && s.z < 102;
  runs(banks.west, 6, onQuay).forEach(([from, to], n) => {
    const strip = ribbon(stretch(banks.west, from, to, 1), { left: 1.5, right: 6, top: 0.1 });
    mesh(harbour, `Promenade ${n + 1}`, strip, 'Sand');
    for (const sample of banks.west.slice(from, to + 1)) {
      const [x, z] = beside(sample, 1.5);
      space.take({ x, z, width: 3, depth: 3 });
    }
  });
  const boats = { count: 0, rng };
  PIERS.forEach(([z, length], i) => {
    makePier(harbour, `Pier ${i + 1}`, bankAt(z), length, boats);
  });
  const goods = new Space();
  makeCrane(harbour, bankAt(72), goods);
  makeCrates(harbour, goods, rng);
  OUT_AT_SEA.forEach(([x, z, turn]) => {
    const boat = `Boat ${++boats.count}`;
    makeBoat(group(harbour, boat, { x, z, y: WATER - 0.25, turn }), boat, rng, 'sail');
  });
  makeLighthouse(harbour);
}

const bankAt = (z) => banks.west.reduce((best, s) => (Math.abs(s.z - z) < Math.abs(best.z - z) ? s : best));

// A pier's group has its x axis from the quay out to sea.
function makePier(harbour, name, start, length, boats) {
  const turn = -Math.atan2(-start.tx, start.tz);
  const pier = group(harbour, name, { x: start.x, z: start.z, turn });
  const deck = () => box(length, 0.3, WIDTH, length / 2, DECK);
  mesh(pier, `${name} deck`, shared(`deck ${length}`, deck), 'Wood');
  const steps = () => box(1.2, 0.3, WIDTH - 0.4, 0.4, DECK + 0.35);
  mesh(pier, `${name} steps`, shared('pier steps', steps), 'Wood');
  const posts = () => pierPosts(length);
  mesh(pier, `${name} posts`, shared(`pier posts ${length}`, posts), 'Wood');
  for (let x = 5; x < length - 1; x += boats.rng.between(5.4, 6.6)) {
    for (const side of [-1, 1]) {
      if (boats.rng.chance(0.25)) continue;
      const boat = `Boat ${++boats.count}`;
      const away = boats.rng.between(2.9, 3.2);
      const at = { x, z: side * away, y: WATER - 0.25, turn: boats.rng.chance(0.5) ? 0 : Math.PI };
      makeBoat(group(pier, boat, at), boat, boats.rng);
    }
  }
}

function pierPosts(length) {
  const posts = [];
  for (let x = 2; x < length; x += 4.2) {
    for (const k of [-1, 1]) posts.push(box(0.3, 4, 0.3, x, -3.8, k * (WIDTH / 2 + 0.1)));
  }
  return merge(posts);
}

function makeCrane(harbour, at, goods) {
  const [x, z] = beside(at, 3.6);
  goods.take({ x, z, width: 4, depth: 4 });
  const crane = group(harbour, 'Crane', { x, z, y: 0.1, turn: -Math.atan2(-at.tx, at.tz) });
  mesh(crane, 'Crane base', drum(1.5, 1.8, 1.2, 8), 'Stone');
  mesh(crane, 'Crane mast', box(0.8, 7, 0.8, 0, 1.2), 'Wood');
  mesh(crane, 'Crane house', box(2.6, 2.2, 2.2, -0.6, 3.4), 'Roof terracotta');
  mesh(crane, 'Crane jib', box(9, 0.4, 0.4, 3.6, 0), 'Wood', { y: 7.6, roll: 0.32 });
  mesh(crane, 'Crane rope', merge(box(0.08, 6.4, 0.08, 7.4, 3.6), box(0.4, 0.5, 0.3, 7.4, 3.2)), 'Iron');
}

// Heaps of goods near the piers, some crates on top of others.
function makeCrates(harbour, goods, rng) {
  const unit = unitBox();
  const barrel = shared('barrel', () => lathe(points('0.38 0, 0.48 0.5, 0.38 1, 0 1'), 8));
  let [crates, barrels] = [0, 0];
  for (let i = 0; i < 70; i++) {
    const [z0] = rng.pick(PIERS);
    const sample = bankAt(z0 + rng.between(-6, 6));
    const [x, z] = beside(sample, rng.between(2.6, 5.4));
    const footprint = { x, z, width: 1.7, depth: 1.7 };
    if (Math.abs(sample.z - z0) < 2.5 || !goods.isFree(footprint)) continue;
    goods.take(footprint);
    const at = { x, z, y: 0.1, turn: rng.between(0, 1.5) };
    if (rng.chance(0.35)) {
      mesh(harbour, `Barrel ${++barrels}`, barrel, 'Roof brown', at);
      continue;
    }
    const size = rng.between(0.9, 1.3);
    const colour = rng.pick(['Wood', 'Wall ochre']);
    mesh(harbour, `Crate ${++crates}`, unit, colour, { ...at, scale: [size, size * 0.8, size] });
    if (!rng.chance(0.3)) continue;
    const above = { x, z, y: 0.1 + size * 0.8, turn: at.turn + 0.4, scale: 0.75 };
    mesh(harbour, `Crate ${++crates}`, unit, 'Wall ochre', above);
  }
}
