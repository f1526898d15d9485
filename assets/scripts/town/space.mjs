// What is taken. A footprint is { x, z, width, depth, turn }, a rectangle turned about its middle; trees and lamps
// are small squares. Two footprints collide unless one of their four edge directions separates them.

import { bankDistance, HALF, onLand, streetClearance } from './plan.mjs';
import { points } from './points.mjs';

const SIGNS = points('-1 -1, 1 -1, 1 1, -1 1');

export class Space {
  #taken = [];

  take(footprint) {
    this.#taken.push(corners(footprint));
  }

  /** Whether a footprint, grown by `gap`, meets nothing that is taken. */
  isFree({ x, z, width, depth, turn = 0 }, gap = 0) {
    const wanted = corners({ x, z, width: width + 2 * gap, depth: depth + 2 * gap, turn });
    return !this.#taken.some((other) => !separated(wanted, other) && !separated(other, wanted));
  }

  /** Whether a footprint lies on dry ground inside the border, `bank` off the water and `street` off every street. */
  isBuildable(footprint, { street = 0.4, bank = 4, edge = 2 } = {}) {
    return outlinePoints(footprint).every(
      ([x, z]) =>
        Math.abs(x) < HALF - edge &&
        Math.abs(z) < HALF - edge &&
        onLand(x, z) &&
        bankDistance(x, z) > bank &&
        streetClearance(x, z) > street,
    );
  }
}

function corners({ x, z, width, depth, turn = 0 }) {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  return SIGNS.map(([i, k]) => {
    const [u, v] = [(i * width) / 2, (k * depth) / 2];
    return [x + u * c + v * s, z - u * s + v * c];
  });
}

// Along the two edge directions of `a`.
function separated(a, b) {
  return [0, 1].some((i) => {
    const [dx, dz] = [a[i + 1][0] - a[i][0], a[i + 1][1] - a[i][1]];
    const along = (p) => p[0] * dx + p[1] * dz;
    const [pa, pb] = [a.map(along), b.map(along)];
    return Math.max(...pa) <= Math.min(...pb) || Math.max(...pb) <= Math.min(...pa);
  });
}

function outlinePoints(footprint) {
  const c = corners(footprint);
  return c.flatMap(([x, z], i) => {
    const [nx, nz] = c[(i + 1) % 4];
    return [0, 0.25, 0.5, 0.75].map((t) => [x + t * (nx - x), z + t * (nz - z)]);
  });
}
