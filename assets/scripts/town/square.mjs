// The square: two-coloured paving, the church with its tower, a fountain, market stalls and benches.

import { square } from './plan.mjs';
import { random } from './random.mjs';
import { group, mesh, shared } from './scene.mjs';
import { box, cone, drum, extrude, lathe, lump, merge } from './solids.mjs';

export const SQUARE_TOP = 0.16;
const SLABS = { cols: 7, rows: 5 };
const CHURCH = { x: -14, z: 3, width: 11, depth: 24, turn: Math.PI / 2 };
const FOUNTAIN = { x: 10, z: 1 };
const STALLS = [[-2, 13], [3, 13.4], [8, 13.4], [13, 13], [2, -10], [7, -10.4], [12, -10]];
const BENCHES = [[4.5, 1, -1], [15.5, 1, 1], [10, 6.6, 0], [10, -4.6, 2]];
const TREES = [[-20, -13], [-13, -14], [-6, -14], [19.5, -12], [19.5, 13], [-20, 14], [-12, 14], [20, 0.5]];

/** Takes its ground in `space`; returns the places for trees, in town coordinates. */
export function makeSquare(quarter, district, space) {
  space.take(square);
  const parent = group(quarter, 'Square', { x: square.x - district.x, z: square.z - district.z });
  makePaving(group(parent, 'Square paving'));
  makeChurch(group(parent, 'Church', { ...CHURCH, y: SQUARE_TOP }));
  makeFountain(group(parent, 'Fountain', { ...FOUNTAIN, y: SQUARE_TOP }));
  const rng = random(41);
  STALLS.forEach(([x, z], i) => {
    makeStall(group(parent, `Stall ${i + 1}`, { x, z, y: SQUARE_TOP, turn: z > 0 ? Math.PI : 0 }), `Stall ${i + 1}`, rng);
  });
  BENCHES.forEach(([x, z, quarterTurns], i) => {
    const turn = (-quarterTurns * Math.PI) / 2;
    mesh(parent, `Bench ${i + 1}`, shared('bench', bench), 'Wood', { x, z, y: SQUARE_TOP, turn });
  });
  return TREES.map(([x, z]) => ({ x: x + square.x, z: z + square.z }));
}

function makePaving(parent) {
  const unit = shared('unit box', () => box(1, 1, 1));
  const [w, d] = [square.width / SLABS.cols, square.depth / SLABS.rows];
  for (let row = 0; row < SLABS.rows; row++) {
    for (let col = 0; col < SLABS.cols; col++) {
      const at = { x: (col + 0.5) * w - square.width / 2, z: (row + 0.5) * d - square.depth / 2 };
      const material = (row + col) % 2 ? 'Paving' : 'Wall cream';
      mesh(parent, `Square slab ${row + 1}-${col + 1}`, unit, material, { ...at, scale: [w, SQUARE_TOP, d] });
    }
  }
}

// The nave lies along z, its tower at +z.
function makeChurch(church) {
  const nave = [[-5, 0], [5, 0], [5, 7], [0, 12.5], [-5, 7]];
  const roof = [[5.7, 6.1], [5.7, 6.6], [0, 12.9], [-5.7, 6.6], [-5.7, 6.1], [0, 12.3]];
  mesh(church, 'Church nave', extrude(nave, 14), 'Wall cream', { z: -3 });
  mesh(church, 'Church nave roof', extrude(roof, 15), 'Roof terracotta', { z: -3.2 });
  mesh(church, 'Church plinth', merge(box(10.5, 0.5, 14.4, 0, 0, -3), box(6.5, 0.5, 6.3, 0, 0, 6.6)), 'Stone');
  mesh(church, 'Church apse', drum(3.6, 3.6, 5.5, 8), 'Wall cream', { z: -10.2, turn: Math.PI / 8 });
  mesh(church, 'Church apse roof', cone(4.2, 2.8, 8, 0, 5.4), 'Roof terracotta', { z: -10.2, turn: Math.PI / 8 });
  const buttress = (x, z) => merge(box(0.7, 4.6, 0.8, x, 0, z), box(0.4, 1.2, 0.6, x - Math.sign(x) * 0.15, 4.6, z));
  const buttresses = [-8.6, -5.2, -1.8, 1.6].flatMap((z) => [buttress(-5.3, z), buttress(5.3, z)]);
  mesh(church, 'Church buttresses', merge(buttresses), 'Stone');
  const arched = (w, h) => extrude([[-w, 0], [w, 0], [w, h], [0, h + w * 1.3], [-w, h]], 0.3);
  const sideWindows = [-6.9, -3.5, -0.1].flatMap((z) =>
    [-5, 5].map((x) => arched(0.55, 2.6).rotateY(Math.PI / 2).translate(x, 2.2, z)),
  );
  mesh(church, 'Church windows', merge(sideWindows), 'Glass');

  const tower = group(church, 'Church tower', { z: 6.6 });
  mesh(tower, 'Church tower shaft', box(6, 17, 6), 'Wall cream');
  mesh(tower, 'Church tower belts', merge(box(6.3, 0.4, 6.3, 0, 10), box(6.5, 0.5, 6.5, 0, 16.8)), 'Stone');
  const round = (make) => [0, 1, 2, 3].map((k) => make().rotateY((k * Math.PI) / 2));
  const belfry = round(() => merge([-1.1, 1.1].map((x) => arched(0.6, 2.4).translate(x, 12.2, 2.95))));
  mesh(tower, 'Church belfry openings', merge(belfry), 'Iron');
  const dial = () => drum(1.1, 1.1, 0.2, 12).rotateX(Math.PI / 2).translate(0, 8.2, 3.05);
  mesh(tower, 'Church clock', merge(round(dial)), 'White');
  const hands = () => merge(box(0.14, 0.8, 0.1, 0, 8.2, 3.26), box(0.55, 0.14, 0.1, 0.25, 8.15, 3.26));
  mesh(tower, 'Church clock hands', merge(round(hands)), 'Iron');
  mesh(tower, 'Church spire', cone(4.5, 13, 4), 'Roof slate', { y: 17.25, turn: Math.PI / 4 });
  mesh(tower, 'Church spire ball', lump(0.45, 1, random(1)), 'Wall ochre', { y: 30.3 });
  mesh(tower, 'Church spire cross', merge(box(0.16, 1.7, 0.16), box(0.9, 0.16, 0.15, 0, 1)), 'Wall ochre', { y: 30.6 });
  mesh(tower, 'Church door', arched(1.1, 2.6), 'Wood', { z: 3 });
  mesh(tower, 'Church door arch', arched(1.45, 2.75), 'Stone', { z: 2.92 });
  mesh(tower, 'Church steps', merge(box(4, 0.2, 1.6, 0, 0, 3.9), box(3.2, 0.2, 1, 0, 0.2, 3.6)), 'Stone');
}

function makeFountain(fountain) {
  mesh(fountain, 'Fountain basin', lathe([[3.6, 0], [3.6, 0.8], [3.1, 0.8], [3.1, 0.1]], 10), 'Stone');
  mesh(fountain, 'Fountain water', drum(3.15, 3.15, 0.5, 10), 'Water');
  mesh(fountain, 'Fountain column', lathe([[0.9, 0], [0.5, 0.7], [0.4, 2], [0.7, 2.2]], 8), 'Stone');
  mesh(fountain, 'Fountain bowl', lathe([[0.3, 2.1], [1.6, 2.6], [1.6, 2.8], [1.4, 2.8], [1.4, 2.6]], 10), 'Stone');
  mesh(fountain, 'Fountain bowl water', drum(1.45, 1.4, 0.1, 10, 0, 2.62), 'Water');
  mesh(fountain, 'Fountain jet', cone(0.28, 1.6, 6, 0, 2.7), 'White');
}

function makeStall(stall, name, rng) {
  const posts = [[-1.5, -1], [1.5, -1], [-1.5, 1], [1.5, 1]].map(([x, z]) => box(0.14, 2.5, 0.14, x, 0, z));
  mesh(stall, `${name} frame`, shared('stall frame', () => merge(...posts, box(3.2, 0.9, 1.1, 0, 0, 0.4))), 'Wood');
  const slope = (k) => [[-1.5, 2.4], [1.5, 2.4], [0, 3.2]].map(([z, y]) => [z * k, y]);
  const canopy = () => extrude(slope(1), 3.8).rotateY(Math.PI / 2);
  mesh(stall, `${name} canopy`, shared('stall canopy', canopy), rng.pick(['Roof terracotta', 'Wall sage', 'Wall blue', 'Wall ochre']));
  const stripes = () =>
    merge([-1.4, -0.2, 1].map((x) => extrude([[-1.6, 2.37], [1.6, 2.37], [0, 3.26]], 0.5).rotateY(Math.PI / 2).translate(x, 0, 0)));
  mesh(stall, `${name} canopy stripes`, shared('stall stripes', stripes), 'White');
  const goods = () => merge([-1.1, 0, 1.1].map((x) => lump(0.35, 0, random(7), 0.15, 0.8, x, 1.05, 0.4)));
  mesh(stall, `${name} goods`, shared('stall goods', goods), rng.pick(['Roof terracotta', 'Wall ochre', 'Leaf', 'Blossom']));
}

/** Looking to +z, on y = 0. */
export function bench() {
  const legs = [-0.8, 0.8].map((x) => box(0.12, 0.45, 0.5, x));
  const back = box(2, 0.45, 0.08, 0, 0.62, -0.26);
  return merge(...legs, box(2, 0.1, 0.55, 0, 0.45), back, box(0.1, 0.3, 0.06, -0.7, 0.4, -0.25), box(0.1, 0.3, 0.06, 0.7, 0.4, -0.25));
}
