// The river and the bay: a faceted water surface, banks of earth and sand, and stone quays where the town meets it.

import { beside } from './flat.mjs';
import { bankDistance, banks, HALF, onLand, streetClearance } from './plan.mjs';
import { random } from './random.mjs';
import { ribbon, runs, stretch } from './ribbon.mjs';
import { group, mesh } from './scene.mjs';
import { faces } from './solids.mjs';

export const WATER = -2;
const BED = -3.6;
const BEACH = 12;
// What lies under the land ends a hair inside the border, so that its edges do not flicker in the sides of the slab.
const RIM = HALF - 0.03;
const CELL = 8;
const TILE = 24;

/** How the sand falls away from the rim of the beach: height by distance. */
export const BEACH_SLOPE = BED / BEACH;

export function makeRiver(town) {
  const river = group(town, 'River');
  makeWater(group(river, 'Water'));
  makeBanks(group(river, 'West bank'), 'West', banks.west, -1);
  makeBanks(group(river, 'East bank'), 'East', banks.east, 1);
}

// A square that is not quite level, as two triangles from its first corner.
const fan = (a, b, c, d) => [
  [a, b, c],
  [a, c, d],
];

// Cells reach a little under the land; the banks hide their edges.
function makeWater(parent) {
  const rng = random(21);
  const count = (2 * HALF) / CELL;
  const height = Array.from({ length: (count + 1) ** 2 }, (_, i) => {
    const [col, row] = [i % (count + 1), Math.floor(i / (count + 1))];
    return col % count && row % count ? WATER + rng.between(-0.16, 0.16) : WATER;
  });
  const point = (col, row) => {
    const [x, z] = [col * CELL - HALF, row * CELL - HALF];
    const limit = onLand(x, z) ? RIM : HALF;
    const keep = (v) => Math.max(-limit, Math.min(limit, v));
    return [keep(x), height[row * (count + 1) + col], keep(z)];
  };
  const wet = (col, row) => {
    const [x, , z] = point(col, row).map((v) => v + CELL / 2);
    return !onLand(x, z) || bankDistance(x, z) < CELL * 0.8;
  };
  const perTile = TILE / CELL;
  for (let tile = 0; tile < (count / perTile) ** 2; tile++) {
    const [tileCol, tileRow] = [tile % (count / perTile), Math.floor(tile / (count / perTile))];
    const polygons = [];
    for (let k = 0; k < perTile ** 2; k++) {
      const [col, row] = [tileCol * perTile + (k % perTile), tileRow * perTile + Math.floor(k / perTile)];
      if (!wet(col, row)) continue;
      const [a, b, c, d] = [point(col, row), point(col, row + 1), point(col + 1, row + 1), point(col + 1, row)];
      polygons.push(...((col + row) % 2 ? fan(a, b, c, d) : fan(b, c, d, a)));
    }
    if (polygons.length) mesh(parent, `Water ${tileRow + 1}-${tileCol + 1}`, faces(polygons), 'Water');
  }
}

// How far the bank runs out under water: a quay is upright, a meadow bank slopes, the beach is wide.
function bankKind({ x, z }) {
  const harbour = z > 44 && z < 104 && x < 54;
  if (harbour || (z > -36 && z < 28)) return { material: 'Stone', out: 0.3, quay: true };
  if (x > 66 && z > 30) return { material: 'Sand', out: BEACH };
  return { material: 'Earth', out: 2.6 };
}

// The samples inside the border, and the two points where the line crosses it.
function cutLine(samples) {
  const beyond = ({ x, z }) => Math.max(Math.abs(x), Math.abs(z)) - RIM;
  return samples.flatMap((a, i) => {
    const kept = beyond(a) < 0 ? [a] : [];
    const b = samples[i + 1];
    if (!b || beyond(a) < 0 === beyond(b) < 0) return kept;
    const t = beyond(a) / (beyond(a) - beyond(b));
    return [...kept, { ...a, x: a.x + t * (b.x - a.x), z: a.z + t * (b.z - a.z) }];
  });
}

// `toWater`: 1 when the water is to the right of the line, -1 when it is to the left.
function makeBanks(parent, name, line, toWater) {
  const bank = cutLine(line);
  const at = ([x, z], y) => [x, y, z];
  const out = bank.map((_, i) => {
    const near = bank.slice(Math.max(0, i - 2), i + 3);
    return near.reduce((sum, sample) => sum + bankKind(sample).out, 0) / near.length;
  });
  // At the border the bank runs out along the border.
  const foot = (i) => {
    const { x, z } = bank[i];
    const [fx, fz] = beside(bank[i], toWater * out[i]);
    return [Math.abs(x) > RIM - 1e-6 ? x : fx, Math.abs(z) > RIM - 1e-6 ? z : fz];
  };
  for (const material of ['Stone', 'Sand', 'Earth']) {
    const ranges = runs(bank, 6, (s) => bankKind(s).material === material);
    ranges.forEach(([from, to], n) => {
      const polygons = [];
      // One step further, so that neighbouring kinds of bank meet.
      for (let i = from; i < Math.min(to + 1, bank.length - 1); i++) {
        const [rim, next] = [beside(bank[i], 0), beside(bank[i + 1], 0)];
        const wall = [at(rim, 0), at(foot(i), BED), at(foot(i + 1), BED), at(next, 0)];
        polygons.push(toWater > 0 ? wall : wall.toReversed());
      }
      mesh(parent, `${name} bank ${material.toLowerCase()} ${n + 1}`, faces(polygons), material);
    });
  }
  // What shows between bank and water in the side of the slab.
  [0, bank.length - 1].forEach((i, n) => {
    const rim = beside(bank[i], 0);
    const wet = foot(i).map((v, axis) => rim[axis] + ((v - rim[axis]) * WATER) / BED);
    const onBorder = ([x, z], y) => [x, y, z].map((v) => (Math.abs(v) > RIM - 1e-6 ? Math.sign(v) * HALF : v));
    const end = [onBorder(rim, 0), onBorder(rim, WATER), onBorder(wet, WATER)];
    const face = faces([toWater > 0 === (i === 0) ? end : end.toReversed()]);
    mesh(parent, `${name} bank end ${n + 1}`, face, bankKind(bank[i]).material);
  });
  const free = (s) => bankKind(s).quay && streetClearance(s.x, s.z) > 1;
  runs(bank, 6, free).forEach(([from, to], n) => {
    const [left, right] = toWater > 0 ? [-1.6, 0.5] : [-0.5, 1.6];
    const coping = ribbon(stretch(bank, from, to, 1), { left, right, top: 0.3, bottom: -0.5 });
    mesh(parent, `${name} quay ${n + 1}`, coping, 'Paving');
  });
}
