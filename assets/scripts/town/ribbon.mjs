// A strip along a line of samples: roads, pavements, quays. Cut at the border of the town.

import { beside } from './flat.mjs';
import { alongBorder, cutToBorder, HALF } from './plan.mjs';
import { faces } from './solids.mjs';

/**
 * From `left` to `right` of the line (metres, right is positive), its top at `top`, sides down to `bottom`.
 * `sides: false` leaves the sides out, for strips lying in another surface.
 * Where the border cuts the strip, it is closed.
 */
export function ribbon(samples, { left, right, top, bottom = 0, sides = true }) {
  const polygons = [];
  const at = ([x, z], y) => [x, y, z];
  const kept = ([x, z]) => Math.max(Math.abs(x), Math.abs(z)) < HALF + 1e-6;
  const wall = (p, q) => {
    if (kept(p) && kept(q)) polygons.push([at(p, top), at(p, bottom), at(q, bottom), at(q, top)]);
  };
  for (let i = 1; i < samples.length; i++) {
    const [l0, r0] = [beside(samples[i - 1], left), beside(samples[i - 1], right)];
    const [l1, r1] = [beside(samples[i], left), beside(samples[i], right)];
    const outline = cutToBorder([l0, r0, r1, l1]);
    polygons.push(outline.map((p) => at(p, top)));
    outline.forEach((p, k) => {
      const q = outline[(k + 1) % outline.length];
      if (alongBorder(p, q)) wall(p, q);
    });
    if (!sides) continue;
    wall(r0, r1);
    wall(l1, l0);
    if (i === 1) wall(l0, r0);
    if (i === samples.length - 1) wall(r1, l1);
  }
  return faces(polygons);
}

/** Samples [from, to], thinned to every `stride`-th; both ends stay. */
export function stretch(samples, from, to, stride) {
  const result = [];
  for (let i = from; i < to; i += stride) result.push(samples[i]);
  return [...result, samples[to]];
}

/** The index ranges [from, to] in which `test(sample)` holds, each at most `longest` long. */
export function runs(samples, longest, test) {
  const result = [];
  let from = -1;
  samples.forEach((sample, i) => {
    const good = test(sample);
    if (from < 0 && good) from = i;
    if (from >= 0 && (!good || i === samples.length - 1)) {
      const to = good ? i : i - 1;
      const parts = Math.max(1, Math.ceil((to - from) / longest));
      const mark = (k) => Math.round(from + ((to - from) * k) / parts);
      for (let k = 0; k < parts; k++) if (mark(k + 1) > mark(k)) result.push([mark(k), mark(k + 1)]);
      from = -1;
    }
  });
  return result;
}
