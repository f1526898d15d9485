// Boats, bow at +x, keel on y = 0: sailing boats, rowing boats and a few fishing boats.

import { mesh, shared } from './scene.mjs';
import { box, drum, extrude, faces, loft, merge } from './solids.mjs';

const HULLS = ['White', 'Wall blue', 'Roof terracotta', 'Wall ochre', 'Pine', 'White'];

/** `kind` is drawn when left out; a boat asked for as 'sail' is under sail. */
export function makeBoat(boat, name, rng, wanted) {
  const kind = wanted ?? rng.pick(['sail', 'sail', 'row', 'fishing']);
  const colour = rng.pick(HULLS);
  if (kind === 'row') {
    mesh(boat, `${name} hull`, shared('row hull', () => hull(3.4, 1.3, 0.75)), colour);
    mesh(boat, `${name} thwarts`, shared('thwarts', () => merge(box(0.4, 0.14, 1.2, -0.8, 0.72), box(0.4, 0.14, 1.1, 0.4, 0.72))), 'Wood');
    return;
  }
  mesh(boat, `${name} hull`, shared(`${kind} hull`, () => hull(5.2, kind === 'sail' ? 1.7 : 2.1, 1.15)), colour);
  const cabin = kind === 'sail' ? () => box(1.7, 0.5, 1, -0.3, 1.1) : () => merge(box(1.6, 1.5, 1.4, -1, 1.1), box(1.9, 0.15, 1.7, -1, 2.6));
  mesh(boat, `${name} cabin`, shared(`${kind} cabin`, cabin), 'White');
  const mast = kind === 'sail' ? () => merge(drum(0.07, 0.09, 7, 6, 0.6, 1), box(2.7, 0.1, 0.1, -0.8, 2)) : () => merge(drum(0.06, 0.08, 3, 6, 0.8, 1), box(0.5, 0.3, 0.5, 1.4, 1.1));
  mesh(boat, `${name} mast`, shared(`${kind} mast`, mast), 'Wood');
  if (kind === 'fishing') mesh(boat, `${name} windows`, shared('boat windows', () => box(1.2, 0.5, 1.46, -0.76, 1.9)), 'Glass');
  else if (wanted || rng.chance(0.5)) mesh(boat, `${name} sail`, shared('sail', sail), rng.pick(['White', 'White', 'Wall rose', 'Roof terracotta']));
}

// Pointed at the bow, narrower at the keel, with a rim round the deck.
function hull(length, width, height) {
  const outline = (k) => {
    const [l, w] = [(length / 2) * (0.86 + 0.14 * k), (width / 2) * (0.6 + 0.4 * k)];
    return [[-l, -w * 0.8], [-l, w * 0.8], [l * 0.35, w], [l * 0.8, w * 0.5], [l, 0], [l * 0.8, -w * 0.5], [l * 0.35, -w]];
  };
  return loft(outline(0), outline(1), height);
}

function sail() {
  const outline = [[0.5, 2.2], [0.5, 7.6], [-2, 2.2]];
  const jib = faces([[[0.8, 1.6, 0.02], [2.4, 1.5, 0.02], [0.8, 6.6, 0.02]], [[0.8, 6.6, -0.02], [2.4, 1.5, -0.02], [0.8, 1.6, -0.02]]]);
  return merge(extrude(outline, 0.06), jib);
}
