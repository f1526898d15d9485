// Plain tests of the box at place `o` of a flat array, in double precision: what all answers are measured by, and what a
// peer is given that finds candidates only.

/** True if the box is not wholly behind one of six planes. */
export function inPlanes(boxes, o, { planes }) {
  for (let i = 0; i < 24; i += 4) {
    const x = planes[i];
    const y = planes[i + 1];
    const z = planes[i + 2];
    const far = x * boxes[x > 0 ? o + 3 : o] + y * boxes[y > 0 ? o + 4 : o + 1] + z * boxes[z > 0 ? o + 5 : o + 2];
    if (far + planes[i + 3] < 0) return false;
  }
  return true;
}

/** Touching counts. */
export function overlaps(boxes, o, other, p = 0) {
  return (
    boxes[o] <= other[p + 3] &&
    boxes[o + 3] >= other[p] &&
    boxes[o + 1] <= other[p + 4] &&
    boxes[o + 4] >= other[p + 1] &&
    boxes[o + 2] <= other[p + 5] &&
    boxes[o + 5] >= other[p + 2]
  );
}

/** Of the nearest place in the box; 0 within it. */
export function squaredDistance(boxes, o, point) {
  const x = Math.max(boxes[o] - point[0], 0, point[0] - boxes[o + 3]);
  const y = Math.max(boxes[o + 1] - point[1], 0, point[1] - boxes[o + 4]);
  const z = Math.max(boxes[o + 2] - point[2], 0, point[2] - boxes[o + 5]);
  return x * x + y * y + z * z;
}

/** How far along the ray it enters the box: 0 from within, Infinity for a miss. */
export function rayEntry(boxes, o, { origin, inverse }) {
  const ax = (boxes[o] - origin[0]) * inverse[0];
  const bx = (boxes[o + 3] - origin[0]) * inverse[0];
  const ay = (boxes[o + 1] - origin[1]) * inverse[1];
  const by = (boxes[o + 4] - origin[1]) * inverse[1];
  const az = (boxes[o + 2] - origin[2]) * inverse[2];
  const bz = (boxes[o + 5] - origin[2]) * inverse[2];
  const enter = Math.max(0, Math.min(ax, bx), Math.min(ay, by), Math.min(az, bz));
  const leave = Math.min(Math.max(ax, bx), Math.max(ay, by), Math.max(az, bz));
  return enter <= leave ? enter : Number.POSITIVE_INFINITY;
}

/** By the methods that find all boxes for which something holds: what that is. */
export const HOLDS = {
  cull: inPlanes,
  rayAll: (boxes, o, ray) => rayEntry(boxes, o, ray) < Number.POSITIVE_INFINITY,
  box: overlaps,
  sphere: (boxes, o, { center, radius }) => squaredDistance(boxes, o, center) <= radius * radius,
};

/** By the methods that find the box of which something is the least. */
export const MEASURES = { rayFirst: rayEntry, nearest: squaredDistance };

/** The methods of an adapter that are alike but for what each needs. */
export const methods = (needs, make) =>
  Object.fromEntries(Object.entries(needs).map(([method, need]) => [method, make(need, method)]));
