// Rows of houses along the streets, the square and the quay. Each walks along a line, picks a design that fits the
// quarter, and builds where the ground is free; front gardens get a path and a hedge.

import { designs } from './designs.mjs';
import { beside } from './flat.mjs';
import { houseParts } from './houseParts.mjs';
import { doorSpot } from './openings.mjs';
import { districtAt, square, streets } from './plan.mjs';
import { random } from './random.mjs';
import { group, mesh, shared } from './scene.mjs';
import { unitBox } from './solids.mjs';

const OLD = ['tallGable', 'gable', 'timbered', 'wideTimbered', 'town', 'slimTown', 'town', 'timbered'];
const SUBURB = ['cottage', 'house', 'longCottage', 'angle', 'lowAngle', 'gable', 'wideHouse', 'house', 'angle'];
const DOCK = ['warehouse', 'gable', 'warehouse', 'tallGable', 'timbered'];
const KINDS = { 'Old Town': OLD, Harbour: DOCK };

const WALLS = ['Wall cream', 'Wall rose', 'Wall blue', 'Wall ochre', 'Wall sage', 'Wall cream', 'White'];
const ROOFS = ['Roof terracotta', 'Roof terracotta', 'Roof terracotta', 'Roof brown', 'Roof slate'];
const ACCENTS = ['Pine', 'Roof brown', 'Roof slate', 'Wood'];

/** `quarters`: district → group. Houses take their place in `space`. Returns how many were built. */
export function makeHouses(quarters, space) {
  const rng = random(31);
  const town = { quarters, space, rng, count: 0, hedges: 0 };
  const { x, z, width, depth } = square;
  const edge = (x0, z0, tx, tz, length) =>
    Array.from({ length: length + 1 }, (_, i) => ({ x: x0 + tx * i, z: z0 + tz * i, tx, tz }));
  // The square: its east, west and south side, each a line with the houses to its right (1) or left (-1).
  buildRow(town, edge(x + width / 2, z + depth / 2, 0, -1, depth - 3), { side: 1, kerb: 1, tight: 0.35 });
  buildRow(town, edge(x - width / 2, z - depth / 2 + 2, 0, 1, depth - 2), { side: 1, kerb: 1, tight: 0.35 });
  buildRow(town, edge(x + width / 2, z + depth / 2, -1, 0, width), { side: -1, kerb: 1.2, tight: 0.35 });
  for (const street of streets) {
    for (const side of [-1, 1]) buildRow(town, street.samples, { side, kerb: street.half + street.walk });
  }
  return town.count;
}

// `kerb`: from the line to where the plots begin; `tight`: the gap between houses, else it depends on the quarter.
function buildRow(town, samples, { side, kerb, tight }) {
  const { rng, space } = town;
  let wait = rng.between(0, 4);
  let last = '';
  for (const sample of samples) {
    wait -= 1;
    if (wait > 0) continue;
    const quarter = districtAt(sample.x, sample.z).name.replace(/^District \d+ /, '');
    if (quarter === 'Southfields' && rng.chance(0.5)) {
      wait = 12;
      continue;
    }
    const old = quarter === 'Old Town';
    const kinds = (KINDS[quarter] ?? SUBURB).filter((kind) => kind !== last);
    const gap = tight ?? (old ? rng.between(0.6, 1.6) : rng.between(1.6, 5));
    const setback = old || tight ? 0.9 : rng.between(2.4, 4.6);
    const turn = Math.atan2(sample.tz * side, -sample.tx * side);
    for (let attempt = 0; attempt < 6; attempt++) {
      const kind = rng.pick(kinds);
      const { width, depth, wing } = designs[kind];
      const front = wing === undefined ? 0 : 1.6;
      const [x, z] = beside(sample, side * (kerb + setback + front + depth / 2));
      const footprint = { x, z, width: width + 1, depth: depth + 2 * front + 1, turn };
      if (!space.isBuildable(footprint, { street: 0.2, bank: 3.2 }) || !space.isFree(footprint, gap / 2)) continue;
      space.take(footprint);
      buildHouse(town, kind, footprint, setback + front);
      last = kind;
      wait = width / 2 + 3;
      break;
    }
  }
}

function buildHouse(town, kind, { x, z, turn }, setback) {
  const { rng, quarters } = town;
  const district = districtAt(x, z);
  const name = `House ${++town.count}`;
  const design = designs[kind];
  const place = { x: x - district.x, z: z - district.z, turn };
  const house = group(quarters.get(district), name, place);
  const parts = shared(`house ${kind}`, () => houseParts(design));
  const accent = rng.pick(ACCENTS);
  const colors = {
    body: design.plain
      ? rng.pick(['Roof brown', 'Stone', 'Wall ochre'])
      : rng.pick(design.timber ? ['White', 'Wall cream'] : WALLS),
    roof: design.plain ? 'Roof slate' : rng.pick(ROOFS),
    door: design.plain ? 'Wood' : accent,
    trim: 'White',
    panes: 'Glass',
    chimney: rng.pick(['Roof brown', 'Stone']),
    shutters: accent,
    beams: 'Wood',
    awning: rng.pick(['Roof terracotta', 'Wall sage', 'Wall blue', 'White']),
  };
  for (const [part, geometry] of Object.entries(parts)) mesh(house, `${name} ${part}`, geometry, colors[part]);
  if (setback < 1.5) {
    const scale = [design.width + 0.8, 0.2, setback + 0.4];
    const forecourt = { z: design.depth / 2 + setback / 2 - 0.15, scale };
    mesh(house, `${name} forecourt`, unitBox(), 'Paving', forecourt);
  }
  if (setback > 2) makeFrontGarden(town, house, name, kind, setback);
}

// A path to the door and a hedge on either side of it, along the pavement.
function makeFrontGarden(town, house, name, kind, setback) {
  const { width, depth } = designs[kind];
  const doorX = doorSpot(designs[kind]).x;
  const start = depth / 2 + 1.2;
  const end = depth / 2 + setback - 0.05;
  const unit = unitBox();
  const path = { x: doorX, z: (start + end) / 2, scale: [1.3, 0.1, end - start] };
  mesh(house, `${name} path`, unit, 'Paving', path);
  if (!town.rng.chance(0.6)) return;
  const edges = [
    [-width / 2, doorX - 1],
    [doorX + 1, width / 2],
  ];
  for (const [from, to] of edges) {
    const scale = [to - from, 0.9, 0.6];
    mesh(house, `Hedge ${++town.hedges}`, unit, 'Pine', { x: (from + to) / 2, z: end - 0.45, scale });
  }
}
