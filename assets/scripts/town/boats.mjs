// Boats, bow at +x, keel on y = 0: sailing boats, rowing boats and a few fishing boats.

import { points } from './points.mjs';
import { mesh, shared } from './scene.mjs';
import { box, drum, extrude, faces, loft, merge } from './solids.mjs';

const HULLS = ['White', 'Wall blue', 'Roof terracotta', 'Wall ochre', 'Pine', 'White'];

const SAILS = ['White', 'White', 'Wall rose', 'Roof terracotta'];

const KINDS = {
  sail: {
    hull: () => hull(5.2, 1.7, 1.15),
    cabin: () => box(1.7, 0.5, 1, -0.3, 1.1),
    mast: () => merge(drum(0.07, 0.09, 7, 6, 0.6, 1), box(2.7, 0.1, 0.1, -0.8, 2)),
  },
  fishing: {
    hull: () => hull(5.2, 2.1, 1.15),
    cabin: () => merge(box(1.6, 1.5, 1.4, -1, 1.1), box(1.9, 0.15, 1.7, -1, 2.6)),
    windows: () => box(1.2, 0.5, 1.46, -0.76, 1.9),
    mast: () => merge(drum(0.06, 0.08, 3, 6, 0.8, 1), box(0.5, 0.3, 0.5, 1.4, 1.1)),
  },
  row: {
    hull: () => hull(3.4, 1.3, 0.75),
    thwarts: () => merge(box(0.4, 0.14, 1.2, -0.8, 0.72), box(0.4, 0.14, 1.1, 0.4, 0.72)),
  },
};

/** The kind is drawn when left out; a boat asked for as 'sail' is under sail. */
export function makeBoat(boat, name, rng, wanted) {
  const kind = wanted ?? rng.pick(['sail', 'sail', 'row', 'fishing']);
  const colours = { hull: rng.pick(HULLS), cabin: 'White', windows: 'Glass', mast: 'Wood', thwarts: 'Wood' };
  for (const [part, make] of Object.entries(KINDS[kind])) {
    mesh(boat, `${name} ${part}`, shared(`${kind} ${part}`, make), colours[part]);
  }
  const underSail = wanted || (kind === 'sail' && rng.chance(0.5));
  if (underSail) mesh(boat, `${name} sail`, shared('sail', sail), rng.pick(SAILS));
}

// Pointed at the bow, narrower at the keel, with a rim round the deck.
function hull(length, width, height) {
  const outline = (k) => {
    const [l, w] = [(length / 2) * (0.86 + 0.14 * k), (width / 2) * (0.6 + 0.4 * k)];
    return [
      [-l, -w * 0.8],
      [-l, w * 0.8],
      [l * 0.35, w],
      [l * 0.8, w * 0.5],
      [l, 0],
      [l * 0.8, -w * 0.5],
      [l * 0.35, -w],
    ];
  };
  return loft(outline(0), outline(1), height);
}

function sail() {
  const outline = points('0.5 2.2, 0.5 7.6, -2 2.2');
  const jib = faces([
    points('0.8 1.6 0.02, 2.4 1.5 0.02, 0.8 6.6 0.02'),
    points('0.8 6.6 -0.02, 2.4 1.5 -0.02, 0.8 1.6 -0.02'),
  ]);
  return merge(extrude(outline, 0.06), jib);
}
