// The plan of the town: where the streets, the river, the sea, the hills and the districts are.
// x points east, z south, the middle is (0, 0). Everything else asks here before it puts something down.

import { clip, inside, smooth } from './flat.mjs';
import { points } from './points.mjs';

export const HALF = 120;
export const BORDER = [
  [-HALF, -HALF],
  [HALF, -HALF],
  [HALF, HALF],
  [-HALF, HALF],
];

// `half`: half the roadway; `walk`: the pavement on each side. Streets run past the border and are cut there.
// An earlier street goes through at a junction, a later one gives way.
export const streets = [
  ['Main Street', 4, 2, '-128 -24, -104 -18, -80 -10, -46 -6, -18 -6, 10 -6, 36 -8, 56 -10, 80 -12, 104 -8, 128 -4'],
  ['North Street', 3, 1.6, '-46 -68, -20 -70, 8 -65, 32 -62, 60 -62, 84 -66, 104 -73, 128 -76'],
  ['Harbour Street', 3, 1.6, '24 -7, 26 14, 32 36, 32 56, 20 74, 2 88, -9 104, -12 128'],
  ['Church Street', 3, 1.6, '-18 34, -20 52, -34 72, -46 92, -48 128'],
  ['West Street', 3, 1.6, '-86 -12, -85 14, -80 42, -62 62, -34 72'],
  ['Mill Lane', 3, 1.6, '-58 -7, -61 -30, -52 -52, -46 -68'],
  ['Linden Street', 3, 1.6, '-61 -30, -34 -33, 0 -34, 19 -27, 24 -7'],
  ['East Street', 3, 1.6, '73 -64, 76 -40, 78 -12, 82 14, 92 34, 108 41, 128 40'],
  ['Garden Street', 3, 1.6, '98 -71, 101 -42, 97 -9'],
].map(([name, half, walk, course], order) => ({ name, half, walk, order, samples: smooth(points(course), 1) }));

/** River banks, north to south, running on along the coast of the bay. */
export const banks = {
  west: smooth(points('42 -150, 38 -120, 30 -92, 41 -60, 37 -22, 41 12, 52 38, 50 62, 37 82, 19 97, 7 120, 2 150'), 3),
  east: smooth(points('58 -150, 54 -120, 46 -92, 57 -60, 53 -22, 57 12, 69 36, 86 50, 103 55, 120 53, 150 50'), 3),
};

const line = (bank) => bank.map(({ x, z }) => [x, z]);
const far = 150;
export const land = {
  west: [[-far, -far], ...line(banks.west), [-far, far]],
  east: [...line(banks.east), [far, -far]],
};
export const water = [...line(banks.west), [far, far], ...line(banks.east).reverse()];
export const onLand = (x, z) => !inside(water, x, z);

/** Whether the edge from p to q runs along the border. */
export function alongBorder([px, pz], [qx, qz]) {
  const on = (u, v) => Math.abs(u - v) < 1e-6 && Math.abs(Math.abs(u) - HALF) < 1e-6;
  return on(px, qx) || on(pz, qz);
}

export const cutToBorder = (outline) => clip(outline, BORDER);

export const square = { x: -18, z: 17, width: 48, depth: 34 };

export const hills = [
  { name: 'Mill Hill', x: -85, z: -84, radius: 33, height: 11 },
  { name: 'Pine Hill', x: 86, z: -96, radius: 22, height: 6 },
];

export function hillHeight(x, z) {
  for (const hill of hills) {
    const r = Math.hypot(x - hill.x, z - hill.z) / hill.radius;
    if (r < 1) return hill.height * (1 - r * r) ** 2 * (1 + 0.9 * r * r);
  }
  return 0;
}

export const districts = [
  ['Old Town', -18, 2],
  ['Northgate', 0, -66],
  ['Westend', -88, 22],
  ['Harbour', 20, 72],
  ['Eastside', 86, -14],
  ['Mill Hill', -88, -86],
  ['Pine Hill', 86, -96],
  ['Southfields', -74, 92],
].map(([name, x, z], i) => ({ name: `District ${i + 1} ${name}`, x, z }));

export const districtAt = (x, z) =>
  districts.reduce((best, d) => (Math.hypot(d.x - x, d.z - z) < Math.hypot(best.x - x, best.z - z) ? d : best));

/** Free ground between (x, z) and the nearest street's outer edge; negative on a street. */
export function streetClearance(x, z) {
  let best = Infinity;
  for (const street of streets) {
    for (const s of street.samples) best = Math.min(best, Math.hypot(s.x - x, s.z - z) - street.half - street.walk);
  }
  return best;
}

/** Distance to the nearest bank of the river or the bay. */
export function bankDistance(x, z) {
  let best = Infinity;
  for (const s of banks.west) best = Math.min(best, Math.hypot(s.x - x, s.z - z));
  for (const s of banks.east) best = Math.min(best, Math.hypot(s.x - x, s.z - z));
  return best;
}
