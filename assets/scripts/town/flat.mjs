// Plane geometry on the ground: outlines are lists of [x, z].

import { CatmullRomCurve3, Vector3 } from 'three';

/** A smooth line through `points`, as samples { x, z, tx, tz } about `step` apart; (tx, tz) is the unit direction. */
export function smooth(points, step) {
  const curve = new CatmullRomCurve3(points.map(([x, z]) => new Vector3(x, 0, z)));
  curve.arcLengthDivisions = 40 * points.length;
  const count = Math.max(2, Math.round(curve.getLength() / step));
  return Array.from({ length: count + 1 }, (_, i) => {
    const point = curve.getPointAt(i / count);
    const tangent = curve.getTangentAt(i / count);
    return { x: point.x, z: point.z, tx: tangent.x, tz: tangent.z };
  });
}

/** The point `offset` to the right of a sample (to the left if negative), looking along the line. */
export const beside = ({ x, z, tx, tz }, offset) => [x - tz * offset, z + tx * offset];

export const area = (outline) =>
  outline.reduce((sum, [x, z], i) => {
    const [nx, nz] = outline[(i + 1) % outline.length];
    return sum + (x * nz - nx * z) / 2;
  }, 0);

export function inside(outline, x, z) {
  let odd = false;
  outline.forEach(([ax, az], i) => {
    const [bx, bz] = outline[(i + 1) % outline.length];
    if (az > z !== bz > z && x < ax + ((z - az) / (bz - az)) * (bx - ax)) odd = !odd;
  });
  return odd;
}

/** `outline` cut down to a convex one (Sutherland and Hodgman); [] when nothing is left. */
export function clip(outline, convex) {
  const sign = Math.sign(area(convex));
  let result = outline;
  convex.forEach(([ax, az], i) => {
    const [bx, bz] = convex[(i + 1) % convex.length];
    const side = ([x, z]) => sign * ((bx - ax) * (z - az) - (bz - az) * (x - ax));
    result = result.flatMap((p, k) => {
      const q = result[(k + 1) % result.length];
      const [sp, sq] = [side(p), side(q)];
      const kept = sp >= 0 ? [p] : [];
      if (sp >= 0 === sq >= 0) return kept;
      const t = sp / (sp - sq);
      return [...kept, [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]];
    });
  });
  return Math.abs(area(result)) < 0.01 ? [] : result;
}
