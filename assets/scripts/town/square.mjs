// The square: two-coloured paving, the church with its tower, a fountain, market stalls and benches.

import { makeChurch } from './church.mjs';
import { square } from './plan.mjs';
import { points } from './points.mjs';
import { random } from './random.mjs';
import { group, mesh, shared } from './scene.mjs';
import { box, cone, drum, extrude, lathe, lump, merge, QUARTER, unitBox } from './solids.mjs';

export const SQUARE_TOP = 0.16;
const SLABS = { cols: 7, rows: 5 };
const CHURCH = { x: -14, z: 3, width: 11, depth: 24, turn: QUARTER };
const FOUNTAIN = { x: 10, z: 1 };
const STALLS = points('-2 13, 3 13.4, 8 13.4, 13 13, 2 -10, 7 -10.4, 12 -10');
const BENCHES = points('4.5 1 -1, 15.5 1 1, 10 6.6 0, 10 -4.6 2');
const TREES = points('-20 -13, -13 -14, -6 -14, 19.5 -12, 19.5 13, -20 14, -12 14, 20 0.5');

/** Takes its ground in `space`; returns the places for trees, in town coordinates. */
export function makeSquare(quarter, district, space) {
  space.take(square);
  const parent = group(quarter, 'Square', { x: square.x - district.x, z: square.z - district.z });
  makePaving(group(parent, 'Square paving'));
  makeChurch(group(parent, 'Church', { ...CHURCH, y: SQUARE_TOP }));
  makeFountain(group(parent, 'Fountain', { ...FOUNTAIN, y: SQUARE_TOP }));
  const rng = random(41);
  STALLS.forEach(([x, z], i) => {
    const name = `Stall ${i + 1}`;
    makeStall(group(parent, name, { x, z, y: SQUARE_TOP, turn: z > 0 ? Math.PI : 0 }), name, rng);
  });
  BENCHES.forEach(([x, z, quarterTurns], i) => {
    const turn = -quarterTurns * QUARTER;
    mesh(parent, `Bench ${i + 1}`, shared('bench', bench), 'Wood', { x, z, y: SQUARE_TOP, turn });
  });
  return TREES.map(([x, z]) => ({ x: x + square.x, z: z + square.z }));
}

function makePaving(parent) {
  const unit = unitBox();
  const [w, d] = [square.width / SLABS.cols, square.depth / SLABS.rows];
  for (let row = 0; row < SLABS.rows; row++) {
    for (let col = 0; col < SLABS.cols; col++) {
      const at = { x: (col + 0.5) * w - square.width / 2, z: (row + 0.5) * d - square.depth / 2 };
      const material = (row + col) % 2 ? 'Paving' : 'Wall cream';
      mesh(parent, `Square slab ${row + 1}-${col + 1}`, unit, material, { ...at, scale: [w, SQUARE_TOP, d] });
    }
  }
}

function makeFountain(fountain) {
  mesh(fountain, 'Fountain basin', lathe(points('3.6 0, 3.6 0.8, 3.1 0.8, 3.1 0.1'), 10), 'Stone');
  mesh(fountain, 'Fountain water', drum(3.15, 3.15, 0.5, 10), 'Water');
  mesh(fountain, 'Fountain column', lathe(points('0.9 0, 0.5 0.7, 0.4 2, 0.7 2.2'), 8), 'Stone');
  mesh(fountain, 'Fountain bowl', lathe(points('0.3 2.1, 1.6 2.6, 1.6 2.8, 1.4 2.8, 1.4 2.6'), 10), 'Stone');
  mesh(fountain, 'Fountain bowl water', drum(1.45, 1.4, 0.1, 10, 0, 2.62), 'Water');
  mesh(fountain, 'Fountain jet', cone(0.28, 1.6, 6, 0, 2.7), 'White');
}

const GOODS = ['Roof terracotta', 'Wall ochre', 'Leaf', 'Blossom'];
const CANOPIES = ['Roof terracotta', 'Wall sage', 'Wall blue', 'Wall ochre'];

function makeStall(stall, name, rng) {
  mesh(stall, `${name} frame`, shared('stall frame', stallFrame), 'Wood');
  mesh(stall, `${name} canopy`, shared('stall canopy', canopy), rng.pick(CANOPIES));
  mesh(stall, `${name} canopy stripes`, shared('stall stripes', stripes), 'White');
  mesh(stall, `${name} goods`, shared('stall goods', goods), rng.pick(GOODS));
}

function stallFrame() {
  const posts = points('-1.5 -1, 1.5 -1, -1.5 1, 1.5 1').map(([x, z]) => box(0.14, 2.5, 0.14, x, 0, z));
  return merge(...posts, box(3.2, 0.9, 1.1, 0, 0, 0.4));
}

const canopy = () => extrude(points('-1.5 2.4, 1.5 2.4, 0 3.2'), 3.8).rotateY(QUARTER);

function stripes() {
  const stripe = (x) => extrude(points('-1.6 2.37, 1.6 2.37, 0 3.26'), 0.5).rotateY(QUARTER).translate(x, 0, 0);
  return merge(stripe(-1.4), stripe(-0.2), stripe(1));
}

const goods = () => merge([-1.1, 0, 1.1].map((x) => lump(0.35, 0, random(7), 0.15, 0.8, x, 1.05, 0.4)));

// Looking to +z.
function bench() {
  const legs = [-0.8, 0.8].map((x) => box(0.12, 0.45, 0.5, x));
  const stays = [-0.7, 0.7].map((x) => box(0.1, 0.3, 0.06, x, 0.4, -0.25));
  return merge(...legs, ...stays, box(2, 0.1, 0.55, 0, 0.45), box(2, 0.45, 0.08, 0, 0.62, -0.26));
}
