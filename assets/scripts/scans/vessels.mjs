// Pots and fossils: forms of one line that turns or winds. Metres.

import { ease, mix, noise, rough } from './noise.mjs';
import { turned } from './surface.mjs';

const { abs, cos, exp, floor, max, min, PI, sin } = Math;

export const amphora = {
  name: 'Amphora',
  height: 512,
  surface: turned(
    [
      [0, 0],
      [0.13, 0],
      [0.14, 0.03],
      [0.09, 0.07],
      [0.13, 0.16],
      [0.25, 0.36],
      [0.3, 0.56],
      [0.25, 0.74],
      [0.12, 0.84],
      [0.095, 0.93],
      [0.12, 1.02],
      [0.165, 1.04],
      [0.155, 1.06],
      [0.1, 1.05],
      [0.07, 0.94],
      [0, 0.9],
    ],
    (angle, height) => 0.004 * sin(70 * height) * ease((0.2 - abs(height - 0.55)) / 0.1) + 0.003 * cos(3 * angle),
  ),
  ramps: [
    ['#7a3517', '#b5582a', '#d27a43', '#e69a62'],
    ['#14110f', '#2a2320', '#41372f', '#5d5146'],
  ],
  tone([x, y, z], cavity, around) {
    const light = 0.6 + 0.2 * rough(6 * x, 14 * y, 6 * z, 3) - 20 * max(0, cavity);
    const worn = rough(17 * x, 17 * y, 17 * z, 3) > 0.62;
    return [!worn && isGlazed(y, around) ? 1 : 0, light];
  },
};

/** Bands, rays at the foot, tongues at the neck, and a key pattern between two lines. */
function isGlazed(y, around) {
  const part = (times) => times * around - floor(times * around);
  if (y < 0.08 || y > 0.98) return true;
  if (y < 0.25) return abs(part(16) - 0.5) < 0.5 * ((0.25 - y) / 0.17);
  if (y > 0.78 && y < 0.86) return abs(part(28) - 0.5) < 0.3;
  if (abs(y - 0.56) < 0.055) {
    const [u, v] = [floor(8 * part(12)), floor((8 * (y - 0.505)) / 0.11)];
    return (
      v === 0 ||
      v === 7 ||
      (u === 0 && v < 6) ||
      (v === 5 && u < 6) ||
      (u === 5 && v > 2) ||
      (v === 2 && u > 2 && u < 6)
    );
  }
  return (y > 0.27 && y < 0.33) || (y > 0.37 && y < 0.48) || (y > 0.64 && y < 0.74) || (y > 0.88 && y < 0.94);
}

export const porcelain = {
  name: 'Porcelain jar',
  height: 512,
  roughness: 0.0007,
  surface: turned(
    [
      [0, 0],
      [0.15, 0],
      [0.17, 0.02],
      [0.16, 0.07],
      [0.19, 0.22],
      [0.27, 0.42],
      [0.32, 0.58],
      [0.3, 0.71],
      [0.2, 0.79],
      [0.11, 0.83],
      [0.1, 0.9],
      [0.13, 0.94],
      [0.11, 0.95],
      [0.06, 0.9],
      [0, 0.88],
    ],
    (angle, height) => 0.006 * cos(12 * angle) * ease((0.25 - abs(height - 0.45)) / 0.2),
  ),
  ramps: [
    ['#a9b4ba', '#dde4e6', '#f2f6f6', '#ffffff'],
    ['#0f2160', '#1f3f94', '#3f67bb', '#7b9cd6'],
  ],
  tone([x, y, z], cavity, around) {
    const a = 2 * PI * around;
    const band = min(abs(y - 0.1), abs(y - 0.16), abs(y - 0.73), abs(y - 0.86)) < 0.008;
    // Three blossoms and their tendrils, wound around the belly.
    const [u, v] = [sin(1.5 * a) * 0.19, y - 0.47 - 0.05 * sin(3 * a)];
    const [far, turn] = [Math.hypot(u, v), Math.atan2(v, u)];
    const blossom = far < 0.11 * (0.66 + 0.34 * abs(cos(4 * turn))) && abs(far - 0.06) > 0.009 && far > 0.02;
    const tendril = abs(noise(11 * x + 3, 11 * y, 11 * z)) < 0.1 && far > 0.12 && y > 0.2 && y < 0.69;
    const waves = y < 0.09 && y > 0.03 && sin(20 * a) > 90 * (y - 0.06);
    const isBlue = band || blossom || tendril || waves;
    return [isBlue ? 1 : 0, (isBlue ? 0.45 : 0.85) + 0.22 * rough(8 * x, 8 * y, 8 * z, 3) - 16 * max(0, cavity)];
  },
};

/** A shell like a ram's horn, on its edge: the tube is cut at its mouth and grows by a share with each turn. */
export const ammonite = {
  name: 'Ammonite',
  isTube: true,
  surface(along, around) {
    const turns = 3.1;
    const angle = 2 * PI * turns * (along - 1);
    const size = exp(0.125 * angle);
    const [reach, width] = [0.36 * size, 0.172 * size];
    const ends = ease((1 - along) * 60) * ease(along * 40);
    const a = 2 * PI * around;
    const rib = 1 + 0.11 * ease(0.5 + 0.5 * sin(14 * angle)) * (0.35 + 0.65 * abs(sin(a)) + 0.3 * max(0, cos(a)));
    const out = reach + width * rib * ends * cos(a);
    const turn = angle - 0.55;
    return [out * cos(turn), 0.475 + out * sin(turn), 0.8 * width * rib * ends * sin(a)];
  },
  ramps: [['#2b160d', '#6e3d1d', '#b0713a', '#e2b679']],
  tone([x, y, z], cavity) {
    const suture = ease(6 * abs(noise(13 * x, 13 * y, 13 * z)));
    const light = 0.38 + 0.2 * suture + 0.25 * rough(4 * x, 4 * y, 9 * z, 4);
    return [0, light - 22 * max(0, cavity) + 16 * max(0, -cavity)];
  },
};

/** A sea snail with its tip upwards; its whorls bear thorns. */
export const shell = {
  name: 'Sea shell',
  isTube: true,
  surface(along, around) {
    const turns = 4.6;
    const angle = 2 * PI * turns * (along - 1);
    const size = exp(0.092 * angle);
    const ends = ease((1 - along) * 50) * ease(along * 40);
    const a = 2 * PI * around;
    const thorn = 0.34 * max(0, sin(5 * angle)) ** 4 * max(0, cos(a - 0.7)) ** 10;
    const ridges = 0.02 * sin(22 * a) + 0.015 * sin(40 * angle);
    const wide = 0.2 * size * (1 + thorn + ridges) * ends;
    const out = 0.15 * size + wide * cos(a);
    // The mouth reaches down in a long lip.
    const down = sin(a) < 0 ? 1.35 : 1.1;
    return [out * cos(angle + 1), 0.96 - 0.69 * size + down * wide * sin(a), out * sin(angle + 1)];
  },
  ramps: [['#7c3b2f', '#c77a5e', '#eab99a', '#fff1e0']],
  tone([x, y, z], cavity, along) {
    const bands = 0.5 + 0.5 * sin(46 * y + 6 * noise(3 * x, 3 * y, 3 * z));
    const flames = ease(2.5 * noise(40 * along, 6 * y, 3) - 0.4);
    return [0, 0.9 - 0.3 * bands - 0.35 * flames + 0.1 * rough(9 * x, 9 * y, 9 * z, 3) - 12 * max(0, cavity)];
  },
};

export const coral = {
  name: 'Brain coral',
  roughness: 0.001,
  surface(column, row) {
    const [a, t] = [2 * PI * column, PI * (row - 0.5)];
    const way = [cos(t) * sin(a), sin(t), cos(t) * cos(a)];
    const [x, y, z] = way;
    const bent = 0.5 * rough(2 * x, 2 * y, 2 * z, 2);
    const groove = ease(2.6 * abs(noise(4.6 * x + bent, 4.6 * y - bent, 4.6 * z + bent)));
    const lump = 1 + 0.13 * noise(1.7 * x + 4, 1.7 * y, 1.7 * z);
    const reach = lump * mix(0.4, 0.44, groove);
    return [reach * x, max(0, 0.3 + 0.9 * reach * y), reach * z];
  },
  ramps: [['#3d3346', '#7f6a72', '#c4a78b', '#f1dfb9']],
  tone([x, y, z], cavity) {
    return [0, 0.6 - 30 * cavity + 0.16 * rough(6 * x, 6 * y, 6 * z, 4)];
  },
};
