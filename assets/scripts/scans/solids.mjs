// Solids as distances: negative inside. A sculpture is a blend of them. Points are arrays of x, y, z, the front is at +z.

import { mix } from './noise.mjs';

const { hypot, min, max, abs } = Math;

export function ball([x, y, z], [cx, cy, cz], radius) {
  return hypot(x - cx, y - cy, z - cz) - radius;
}

/** Not the distance, but near it, and with the same sign. */
export function ellipsoid([x, y, z], [cx, cy, cz], [rx, ry, rz]) {
  const [a, b, c] = [(x - cx) / rx, (y - cy) / ry, (z - cz) / rz];
  const near = hypot(a, b, c);
  return near < 1e-6 ? -min(rx, ry, rz) : (near * (near - 1)) / hypot(a / rx, b / ry, c / rz);
}

/** A rod with round ends, of a radius at each. */
export function rod([x, y, z], [ax, ay, az], [bx, by, bz], from, to = from) {
  const [dx, dy, dz] = [bx - ax, by - ay, bz - az];
  const t = ((x - ax) * dx + (y - ay) * dy + (z - az) * dz) / (dx * dx + dy * dy + dz * dz);
  const at = min(1, max(0, t));
  return hypot(x - ax - at * dx, y - ay - at * dy, z - az - at * dz) - mix(from, to, at);
}

/** A block with rounded edges. */
export function block([x, y, z], [cx, cy, cz], [hx, hy, hz], round) {
  const [a, b, c] = [abs(x - cx) - hx + round, abs(y - cy) - hy + round, abs(z - cz) - hz + round];
  return hypot(max(a, 0), max(b, 0), max(c, 0)) + min(max(a, b, c), 0) - round;
}

/** Both, with a fillet so large between them. */
export function join(a, b, fillet) {
  const t = max(fillet - abs(a - b), 0) / fillet;
  return min(a, b) - (t * t * fillet) / 4;
}

/** The first without the second. */
export function carve(a, b, fillet) {
  return -join(-a, b, fillet);
}

/** The same on both sides of the middle. */
export function mirrored([x, y, z]) {
  return [abs(x), y, z];
}
