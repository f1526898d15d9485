/**
 * Writes the positions of the boxes that six planes keep; returns their number. The plainest loop over flat arrays, as fast
 * as plain code gets: all plane numbers in locals, the first plane that rejects ends a box.
 */
export function scanFrustum(boxes: Float64Array, planes: Float64Array, found: Int32Array): number {
  const [ax, ay, az, a, bx, by, bz, b, cx, cy, cz, c] = planes;
  const [dx, dy, dz, d, ex, ey, ez, e, fx, fy, fz, f] = planes.subarray(12);
  // For each plane the place of the farthest corner's coordinates in a box.
  const far = Array.from({ length: 18 }, (_, i) => (i % 3) + (planes[4 * Math.floor(i / 3) + (i % 3)] > 0 ? 3 : 0));
  const [aX, aY, aZ, bX, bY, bZ, cX, cY, cZ, dX, dY, dZ, eX, eY, eZ, fX, fY, fZ] = far;
  let n = 0;
  for (let i = 0, o = 0; o < boxes.length; i++, o += 6) {
    if (ax * boxes[o + aX] + ay * boxes[o + aY] + az * boxes[o + aZ] + a < 0) continue;
    if (bx * boxes[o + bX] + by * boxes[o + bY] + bz * boxes[o + bZ] + b < 0) continue;
    if (cx * boxes[o + cX] + cy * boxes[o + cY] + cz * boxes[o + cZ] + c < 0) continue;
    if (dx * boxes[o + dX] + dy * boxes[o + dY] + dz * boxes[o + dZ] + d < 0) continue;
    if (ex * boxes[o + eX] + ey * boxes[o + eY] + ez * boxes[o + eZ] + e < 0) continue;
    if (fx * boxes[o + fX] + fy * boxes[o + fY] + fz * boxes[o + fZ] + f < 0) continue;
    found[n++] = i;
  }
  return n;
}

/** The first box a ray enters, by the slab test over flat arrays; -1 for none, the lowest position of equals. */
export function scanRayFirst(boxes: Float64Array, origin: ArrayLike<number>, direction: ArrayLike<number>): number {
  const length = Math.hypot(direction[0], direction[1], direction[2]);
  const [ox, oy, oz] = [origin[0], origin[1], origin[2]];
  const [ix, iy, iz] = [length / direction[0], length / direction[1], length / direction[2]];
  const [x0, y0, z0] = [ix > 0 ? 0 : 3, iy > 0 ? 1 : 4, iz > 0 ? 2 : 5];
  const [x1, y1, z1] = [ix > 0 ? 3 : 0, iy > 0 ? 4 : 1, iz > 0 ? 5 : 2];
  let best = Number.POSITIVE_INFINITY;
  let found = -1;
  const count = boxes.length / 6;
  for (let i = 0; i < count; i++) {
    const o = 6 * i;
    let enter = 0;
    let leave = best;
    const ax = (boxes[o + x0] - ox) * ix;
    const zx = (boxes[o + x1] - ox) * ix;
    if (ax > enter) enter = ax;
    if (zx < leave) leave = zx;
    const ay = (boxes[o + y0] - oy) * iy;
    const zy = (boxes[o + y1] - oy) * iy;
    if (ay > enter) enter = ay;
    if (zy < leave) leave = zy;
    const az = (boxes[o + z0] - oz) * iz;
    const zz = (boxes[o + z1] - oz) * iz;
    if (az > enter) enter = az;
    if (zz < leave) leave = zz;
    if (enter <= leave && enter < best) {
      best = enter;
      found = i;
    }
  }
  return found;
}
