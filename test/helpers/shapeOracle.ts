import { Matrix4, Quaternion, Vector3 } from 'three';

/** How far a box is from belonging to a shape: below zero when it surely does, above when it surely does not. */
export type Gap = (box: number[]) => number;

/** Nine numbers, the columns of a random rotation; now and then about Y alone, or by right angles. */
export function randomAxes(next: () => number): number[] {
  const q = new Quaternion();
  const kind = next();
  if (kind < 0.6) q.set(next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5).normalize();
  else if (kind < 0.8) q.setFromAxisAngle(new Vector3(0, 1, 0), next() * 7);
  const e = new Matrix4().makeRotationFromQuaternion(q).elements;
  const axes = [e[0], e[1], e[2], e[4], e[5], e[6], e[8], e[9], e[10]];
  return next() < 0.5 ? axes : [...axes.slice(3, 6), ...axes.slice(6, 9).map((c) => -c), ...axes.slice(0, 3)];
}

/**
 * The gap between an oriented box and others: by the corners of both, projected on all 15 axes of unit length. Infinite
 * sides are cut off far beyond the oriented box first.
 */
export function orientedBoxGap(center: number[], halfSize: number[], axes: number[]): Gap {
  const u = [0, 3, 6].map((o) => new Vector3(axes[o], axes[o + 1], axes[o + 2]));
  const middle = new Vector3().fromArray(center);
  const far = 10 * (1 + halfSize[0] + halfSize[1] + halfSize[2]);
  const world = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
  const crosses = world.flatMap((w) => u.map((v) => new Vector3().crossVectors(w, v)));
  const all = [...world, ...u, ...crosses.filter((c) => c.length() > 1e-6).map((c) => c.normalize())];
  const mine = corners([-1, -1, -1, 1, 1, 1]).map((sign) =>
    u.reduce((sum, v, k) => sum.addScaledVector(v, sign.getComponent(k) * halfSize[k]), new Vector3()),
  );
  return (box) => {
    const cut = box.map((side, i) => Math.min(Math.max(side - center[i % 3], -far), far));
    const theirs = corners(cut);
    let gap = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < 3; c++) {
      // What lies beyond the cut as a whole is apart.
      if (box[c] > middle.getComponent(c) + far || box[c + 3] < middle.getComponent(c) - far) return far;
    }
    for (const axis of all) {
      const a = mine.map((p) => p.dot(axis));
      const b = theirs.map((p) => p.dot(axis));
      gap = Math.max(gap, Math.min(...b) - Math.max(...a), Math.min(...a) - Math.max(...b));
    }
    return gap;
  };
}

/** The gap between a capsule and others, by narrowing down where a segment is nearest: distance is convex along it. */
export function capsuleGap(from: number[], to: number[], radius: number): Gap {
  const distance = (box: number[], t: number): number => {
    let sum = 0;
    for (let c = 0; c < 3; c++) {
      const p = from[c] + (to[c] - from[c]) * t;
      sum += Math.max(box[c] - p, p - box[c + 3], 0) ** 2;
    }
    return Math.sqrt(sum);
  };
  return (box) => {
    let low = 0;
    let high = 1;
    for (let i = 0; i < 90; i++) {
      const a = low + (high - low) / 3;
      const b = high - (high - low) / 3;
      if (distance(box, a) <= distance(box, b)) high = b;
      else low = a;
    }
    return Math.min(distance(box, low), distance(box, 0), distance(box, 1)) - radius;
  };
}

type Point = [x: number, z: number];

/**
 * The gap between a sector and others on XZ: the rectangle is cut along the sides of slices of the sector, each less
 * than a right angle, and what is left of it is measured from the apex, side by side.
 */
export function sectorGap(center: number[], direction: number[], radius: number, angle: number): Gap {
  const slices = Math.ceil(angle / 1.5);
  const start = Math.atan2(direction[1], direction[0]) - angle / 2;
  const far = 10 * (1 + radius);
  return (box) => {
    const [x0, z0, x1, z1] = [box[0] - center[0], box[2] - center[1], box[3] - center[0], box[5] - center[1]];
    if (x0 > far || z0 > far || x1 < -far || z1 < -far) return far;
    const [a, b, c, d] = [Math.max(x0, -far), Math.max(z0, -far), Math.min(x1, far), Math.min(z1, far)];
    let nearest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < slices; i++) {
      const from = start + (angle * i) / slices;
      const to = start + (angle * (i + 1)) / slices;
      let part: Point[] = [
        [a, b],
        [c, b],
        [c, d],
        [a, d],
      ];
      part = cut(part, -Math.sin(from), Math.cos(from));
      part = cut(part, Math.sin(to), -Math.cos(to));
      nearest = Math.min(nearest, distanceTo(part));
    }
    return nearest - radius;
  };
}

function corners(b: number[]): Vector3[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map(
    (i) => new Vector3(i & 1 ? b[3] : b[0], i & 2 ? b[4] : b[1], i & 4 ? b[5] : b[2]),
  );
}

/** The part of a convex polygon where nx * x + nz * z >= 0 (Sutherland and Hodgman). */
function cut(polygon: Point[], nx: number, nz: number): Point[] {
  const side = (p: Point): number => nx * p[0] + nz * p[1];
  return polygon.flatMap((p, i) => {
    const q = polygon[(i + 1) % polygon.length];
    const [sp, sq] = [side(p), side(q)];
    const kept: Point[] = sp >= 0 ? [p] : [];
    if (sp >= 0 === sq >= 0) return kept;
    const t = sp / (sp - sq);
    return [...kept, [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])] as Point];
  });
}

/** Distance of the origin from a convex polygon; Infinity for one without points. */
function distanceTo(polygon: Point[]): number {
  if (polygon.length === 0) return Number.POSITIVE_INFINITY;
  const turns = polygon.map((p, i) => {
    const q = polygon[(i + 1) % polygon.length];
    return p[0] * q[1] - p[1] * q[0];
  });
  const area = turns.reduce((sum, turn) => sum + turn, 0);
  if (area !== 0 && turns.every((turn) => turn * area >= 0)) return 0;
  return Math.min(
    ...polygon.map((p, i) => {
      const q = polygon[(i + 1) % polygon.length];
      const [dx, dz] = [q[0] - p[0], q[1] - p[1]];
      const length = dx * dx + dz * dz;
      const t = length === 0 ? 0 : Math.min(1, Math.max(0, -(p[0] * dx + p[1] * dz) / length));
      return Math.hypot(p[0] + t * dx, p[1] + t * dz);
    }),
  );
}
