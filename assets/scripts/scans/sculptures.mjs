// Three sculptures, as blends of solids: a bust, a great stone head and an owl. Metres; the front is at +z.

import { ease, mix, noise, rough } from './noise.mjs';
import { ball, block, carve, ellipsoid, join, mirrored, rod } from './solids.mjs';
import { sculpted } from './surface.mjs';

const { abs, min, max, sin } = Math;

export const bust = {
  name: 'Bust',
  surface: sculpted(bustAt, { top: 1, heart: 0.74 }),
  ramps: [['#6f6a66', '#b3ada4', '#ddd7cb', '#f6f2e8']],
  tone([x, y, z], cavity) {
    const warp = 0.35 * rough(4 * x, 4 * y, 4 * z, 3);
    const vein = 1 - ease(11 * abs(noise(4.1 * x + warp, 2.6 * y - warp, 4.1 * z + 2 * warp)));
    return [0, 0.84 + 0.07 * rough(9 * x, 9 * y, 9 * z, 3) - 0.42 * vein - 13 * max(0, cavity) + 6 * max(0, -cavity)];
  },
};

function bustAt(p) {
  const side = mirrored(p);
  const [x, y, z] = p;
  const socle = block(p, [0, 0.045, 0], [0.13, 0.045, 0.13], 0.012);
  const stem = rod(p, [0, 0.05, 0], [0, 0.2, 0], 0.075, 0.12);
  let body = ellipsoid(side, [0.13, 0.31, 0], [0.2, 0.12, 0.13]);
  body = join(body, ellipsoid(p, [0, 0.28, 0.01], [0.21, 0.17, 0.145]), 0.08);
  // The cloak falls in folds.
  body += 0.012 * sin(34 * (x + 0.55 * y) + 5 * z) * ease((0.4 - y) / 0.1);
  const neck = rod(p, [0, 0.34, -0.02], [0, 0.56, 0.005], 0.092, 0.078);
  let head = ellipsoid(p, [0, 0.72, 0.005], [0.128, 0.17, 0.155]);
  head = join(head, ellipsoid(p, [0, 0.625, 0.05], [0.094, 0.105, 0.1]), 0.06);
  head = join(head, ball(p, [0, 0.545, 0.112], 0.03), 0.05);
  head = join(head, rod(side, [0, 0.748, 0.14], [0.075, 0.752, 0.118], 0.02), 0.03);
  head = carve(head, ball(side, [0.052, 0.716, 0.168], 0.032), 0.03);
  head = join(head, ball(side, [0.05, 0.714, 0.126], 0.026), 0.006);
  head = join(head, rod(p, [0, 0.74, 0.15], [0, 0.655, 0.186], 0.015, 0.022), 0.022);
  head = join(head, ball(side, [0.02, 0.652, 0.163], 0.014), 0.014);
  head = join(head, rod(side, [0, 0.607, 0.157], [0.032, 0.601, 0.138], 0.0125), 0.008);
  head = join(head, rod(side, [0, 0.584, 0.152], [0.026, 0.589, 0.138], 0.0135), 0.008);
  head = join(head, ellipsoid(side, [0.128, 0.69, -0.01], [0.02, 0.042, 0.028]), 0.014);
  const curls = 0.013 * noise(24 * x, 24 * y, 24 * z) + 0.008 * noise(47 * x, 47 * y, 47 * z);
  const hair = ellipsoid(p, [0, 0.76, -0.045], [0.15, 0.165, 0.165]) - curls;
  const nape = ellipsoid(p, [0, 0.64, -0.1], [0.1, 0.13, 0.085]) - curls;
  const whole = join(join(head, join(hair, nape, 0.05), 0.012), neck, 0.05);
  return min(socle, join(stem, join(body, whole, 0.06), 0.04));
}

export const colossus = {
  name: 'Colossus',
  surface: sculpted(colossusAt, { top: 1, heart: 0.7 }),
  ramps: [['#3a3531', '#6b645b', '#978d7e', '#c4b9a3']],
  tone([x, y, z], cavity) {
    const pores = ease((noise(38 * x, 38 * y, 38 * z) - 0.35) * 4);
    const lichen = 0.3 * ease(2.2 * rough(5 * x, 5 * y, 5 * z, 4) - 0.35);
    const light = 0.5 + 0.16 * rough(7 * x, 11 * y, 7 * z, 4) - 0.22 * pores + lichen;
    return [0, light - 14 * max(0, cavity) + 7 * max(0, -cavity)];
  },
};

function colossusAt(p) {
  const side = mirrored(p);
  const [x, y, z] = p;
  const taper = 1 - 0.16 * y;
  let head = block([x / taper, y, (z - 0.04 * y) / taper], [0, 0.47, -0.02], [0.2, 0.47, 0.15], 0.1);
  head = join(head, ellipsoid(p, [0, 0.12, -0.02], [0.28, 0.15, 0.19]), 0.12);
  // The long face lies deeper than the brow and the jaw.
  head = carve(head, ellipsoid(side, [0.1, 0.6, 0.21], [0.075, 0.17, 0.07]), 0.05);
  head = join(head, block(side, [0.07, 0.775, 0.155], [0.105, 0.032, 0.035], 0.03), 0.04);
  head = join(head, rod(p, [0, 0.75, 0.15], [0, 0.5, 0.225], 0.028, 0.048), 0.035);
  head = join(head, ball(side, [0.042, 0.485, 0.2], 0.03), 0.02);
  head = join(head, block(p, [0, 0.395, 0.165], [0.085, 0.017, 0.03], 0.016), 0.012);
  head = join(head, block(p, [0, 0.352, 0.163], [0.075, 0.016, 0.03], 0.016), 0.012);
  head = join(head, block(p, [0, 0.255, 0.13], [0.12, 0.05, 0.05], 0.045), 0.05);
  head = join(head, block(side, [0.185, 0.6, -0.03], [0.028, 0.17, 0.045], 0.025), 0.02);
  return head + 0.006 * rough(9 * x, 9 * y, 9 * z, 3);
}

export const owl = {
  name: 'Owl',
  surface: sculpted(owlAt, { top: 1.05, heart: 0.78 }),
  ramps: [
    ['#173a34', '#2b6a5c', '#57a58f', '#a5d8c2'],
    ['#2a1d12', '#5c3e22', '#8d6335', '#c69a58'],
  ],
  tone([x, y, z], cavity) {
    const shine = 0.42 - 17 * cavity;
    // Verdigris lies where rain runs, bronze where hands touch.
    const green = rough(5 * x, 3 * y, 5 * z, 4) + 26 * cavity + 0.15;
    return [green > 0 ? 0 : 1, shine + 0.2 * rough(14 * x, 8 * y, 14 * z, 3)];
  },
};

function owlAt(p) {
  const side = mirrored(p);
  const [x, y, z] = p;
  let body = ellipsoid(p, [0, 0.42, -0.01], [0.245, 0.37, 0.22]);
  const angle = Math.atan2(x, z);
  const row = Math.floor(19 * y);
  const feather = abs(sin(9 * angle + (row % 2 ? Math.PI / 2 : 0)));
  body -= 0.014 * feather * mix(1, 0.3, 19 * y - row) * ease((0.66 - y) / 0.1) * ease((y - 0.1) / 0.1);
  let head = ellipsoid(p, [0, 0.8, 0.01], [0.215, 0.18, 0.185]);
  head = join(head, rod(side, [0.12, 0.9, 0], [0.165, 1.0, 0.01], 0.04, 0.012), 0.05);
  head = carve(head, ellipsoid(side, [0.085, 0.805, 0.2], [0.082, 0.085, 0.045]), 0.02);
  head = join(head, ball(side, [0.08, 0.81, 0.135], 0.047), 0.006);
  head = join(head, rod(p, [0, 0.81, 0.175], [0, 0.725, 0.215], 0.026, 0.01), 0.02);
  head = join(head, rod(side, [0.015, 0.87, 0.17], [0.14, 0.93, 0.09], 0.017), 0.03);
  let wings = ellipsoid(side, [0.205, 0.43, -0.03], [0.075, 0.31, 0.165]);
  wings -= 0.01 * sin(46 * (y - 0.5 * z)) * ease((0.6 - y) / 0.2);
  const stump = rod(p, [0, 0, 0], [0, 0.12, 0], 0.2, 0.17) + 0.012 * sin(16 * angle);
  const feet = rod(side, [0.07, 0.1, 0.15], [0.08, 0.085, 0.215], 0.035, 0.022);
  return join(join(join(body, head, 0.05), wings, 0.02), join(stump, feet, 0.02), 0.03);
}
