// Roadways, pavements, dashes and crossings. At a junction the earlier street of the plan goes through.

import { beside } from './flat.mjs';
import { cutToBorder, HALF, streets } from './plan.mjs';
import { ribbon, runs, stretch } from './ribbon.mjs';
import { group, mesh } from './scene.mjs';
import { faces } from './solids.mjs';

const DASHED = ['Main Street', 'North Street'];
const CROSSINGS = { 'Main Street': [-50, 10, 70], 'North Street': [-10, 70], 'Harbour Street': [29] };

export const roadTop = (street) => 0.12 - 0.008 * street.order;
export const WALK_TOP = 0.26;

/** Distance from (x, z) to the middle of a street. */
export const distanceTo = (street, x, z) =>
  street.samples.reduce((best, s) => Math.min(best, Math.hypot(s.x - x, s.z - z)), Infinity);

const onRoad = (x, z, except) => streets.some((s) => s !== except && distanceTo(s, x, z) < s.half + 0.1);
export const inBorder = ({ x, z }, margin = 0) => Math.abs(x) < HALF - margin && Math.abs(z) < HALF - margin;

/** The street's own group holds its parts, its cars and its lamps. */
export function makeStreets(town) {
  const parent = group(town, 'Streets');
  return new Map(
    streets.map((street) => {
      const own = group(parent, street.name);
      makeRoad(own, street);
      makePavements(own, street);
      if (DASHED.includes(street.name)) makeDashes(own, street);
      makeCrossings(own, street);
      return [street, own];
    }),
  );
}

function makeRoad(parent, street) {
  runs(street.samples, 26, (s) => inBorder(s, -6)).forEach(([from, to], n) => {
    const shape = { left: -street.half, right: street.half, top: roadTop(street), sides: false };
    mesh(parent, `${street.name} road ${n + 1}`, ribbon(stretch(street.samples, from, to, 3), shape), 'Asphalt');
  });
}

// A pavement stops at any roadway, and at the pavement of a street that goes through.
const keptClear = (other, street) => other.half + (other.order < street.order ? other.walk : 0);

function makePavements(parent, street) {
  const { half, walk, samples } = street;
  for (const side of [-1, 1]) {
    const name = side < 0 ? 'left' : 'right';
    const free = (s) => {
      const [x, z] = beside(s, side * (half + walk / 2));
      const givesWay = (other) => other !== street && distanceTo(other, x, z) < keptClear(other, street);
      return inBorder(s, -3) && !streets.some(givesWay);
    };
    const [left, right] = side < 0 ? [-half - walk, -half] : [half, half + walk];
    runs(samples, 26, free).forEach(([from, to], n) => {
      const slab = ribbon(stretch(samples, from, to, 5), { left, right, top: WALK_TOP });
      mesh(parent, `${street.name} pavement ${name} ${n + 1}`, slab, 'Paving');
    });
  }
}

const stripe = (s, along, from, to, y) => {
  const shift = (d, offset) => {
    const [x, z] = beside(s, offset);
    return [x + s.tx * d, z + s.tz * d];
  };
  const outline = [shift(-along, from), shift(-along, to), shift(along, to), shift(along, from)];
  return cutToBorder(outline).map(([x, z]) => [x, y, z]);
};

function makeDashes(parent, street) {
  const y = roadTop(street) + 0.07;
  runs(street.samples, 52, (s) => inBorder(s)).forEach(([from, to], n) => {
    const polygons = [];
    for (let i = from + 3; i < to; i += 6) {
      const s = street.samples[i];
      const nearCrossing = (CROSSINGS[street.name] ?? []).some((x) => Math.abs(x - s.x) < 4);
      if (!nearCrossing && !onRoad(s.x, s.z, street)) polygons.push(stripe(s, 1.2, -0.1, 0.1, y));
    }
    if (polygons.length) mesh(parent, `${street.name} dashes ${n + 1}`, faces(polygons), 'White');
  });
}

function makeCrossings(parent, street) {
  (CROSSINGS[street.name] ?? []).forEach((x, n) => {
    const s = street.samples.reduce((best, t) => (Math.abs(t.x - x) < Math.abs(best.x - x) ? t : best));
    const polygons = [];
    for (let offset = -street.half + 0.5; offset < street.half - 0.6; offset += 1.1) {
      polygons.push(stripe(s, 1.3, offset, offset + 0.6, roadTop(street) + 0.07));
    }
    mesh(parent, `${street.name} crossing ${n + 1}`, faces(polygons), 'White');
  });
}
