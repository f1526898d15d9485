import { describe, expect, it } from 'vitest';
import { polygonsOverlap } from '../../../../demo/worlds/collisions/simulation/polygonsOverlap.js';
import { random } from '../../../helpers/random.js';

type Point = [x: number, z: number];

/** Corners of a convex polygon: of 3 to 8, 2 or 1 corners, either way round. */
function convex(next: () => number): Point[] {
  const count = [1, 2, 3, 4, 5, 8][Math.floor(next() * 6)];
  const [x, z, size] = [next() * 6, next() * 6, 0.1 + next() * 3];
  const turns = Array.from({ length: count }, () => next() * 2 * Math.PI).sort((a, b) => a - b);
  const points = turns.map((t): Point => [x + size * Math.cos(t), z + size * Math.sin(t)]);
  return next() < 0.5 ? points : points.reverse();
}

/**
 * Distance between two convex polygons, written for itself: zero when a corner of one lies in the other or sides cross,
 * else the least distance of a corner from a side.
 */
function distance(a: Point[], b: Point[]): number {
  const sides = (p: Point[]): [Point, Point][] => p.map((q, i) => [q, p[(i + 1) % p.length]]);
  const turn = (p: Point, q: Point, r: Point): number => (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  const holds = (p: Point[], r: Point): boolean => {
    if (p.length < 3) return false;
    const turns = sides(p).map(([s, t]) => turn(s, t, r));
    return turns.every((t) => t > 0) || turns.every((t) => t < 0);
  };
  const toSide = (r: Point, [p, q]: [Point, Point]): number => {
    const [dx, dz] = [q[0] - p[0], q[1] - p[1]];
    const length = dx * dx + dz * dz;
    const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((r[0] - p[0]) * dx + (r[1] - p[1]) * dz) / length));
    return Math.hypot(p[0] + t * dx - r[0], p[1] + t * dz - r[1]);
  };
  const cross = ([p, q]: [Point, Point], [r, s]: [Point, Point]): boolean =>
    turn(p, q, r) * turn(p, q, s) < 0 && turn(r, s, p) * turn(r, s, q) < 0;
  if (a.some((p) => holds(b, p)) || b.some((p) => holds(a, p))) return 0;
  if (sides(a).some((s) => sides(b).some((t) => cross(s, t)))) return 0;
  return Math.min(
    ...a.flatMap((p) => sides(b).map((s) => toSide(p, s))),
    ...b.flatMap((p) => sides(a).map((s) => toSide(p, s))),
  );
}

describe('convex polygons', () => {
  it.each([1, 2, 3])('overlap when nothing lies between them, seed %i', (seed) => {
    const next = random(seed);
    let [near, far] = [0, 0];
    for (let i = 0; i < 3000; i++) {
      const [a, b] = [convex(next), convex(next)];
      const gap = distance(a, b);
      if (gap > 0 && gap < 1e-9) continue;
      const label = `${JSON.stringify(a)} and ${JSON.stringify(b)}, ${gap} apart`;
      expect(polygonsOverlap(a.flat(), b.flat()), label).toBe(gap === 0);
      expect(polygonsOverlap(new Float64Array(b.flat()), a.flat()), label).toBe(gap === 0);
      if (gap === 0) near++;
      else far++;
    }
    expect(Math.min(near, far)).toBeGreaterThan(300);
  });

  const SQUARE = [0, 0, 1, 0, 1, 1, 0, 1];
  const E = Number.EPSILON;
  it.each([
    ['a side', [1, 0, 2, 0, 2, 1, 1, 1], true],
    ['part of a side', [1, 0.5, 2, 0.5, 2, 9, 1, 9], true],
    ['a corner', [1, 1, 2, 1, 2, 2], true],
    ['nothing, by very little', [1 + E, 1, 2, 1, 2, 2], false],
    ['a slanted side that meets a corner', [0, -1, 2, 1, 3, -1], true],
    ['a slanted side that misses a corner', [2 * E, -1, 2 + 2 * E, 1, 3, -1], false],
    ['a point of it', [0.5, 1], true],
    ['a point beside it', [0.5, 1 + E], false],
    ['a segment past a corner', [0, 2, 2, 0], true],
    ['a segment beyond a corner', [0, 2 + 4 * E, 2 + 4 * E, 0], false],
    ['the same corner many times', [1, 1, 1, 1, 1, 1], true],
  ])('touch at %s: %s', (_label, other, expected) => {
    expect(polygonsOverlap(SQUARE, other)).toBe(expected);
    expect(polygonsOverlap(other, SQUARE)).toBe(expected);
    const reversed = Array.from({ length: other.length }, (_, i) => other[other.length - 2 - i + 2 * (i % 2)]);
    expect(polygonsOverlap(SQUARE, reversed)).toBe(expected);
  });

  it.each([
    ['two equal points', [1, 2], [1, 2], true],
    ['a point on a segment', [1, 1], [0, 0, 3, 3], true],
    ['segments that share an end', [0, 0, 2, 2], [2, 2, 5, 0], true],
    ['segments in one line', [0, 0, 1, 1], [1, 1, 2, 2], true],
    ['a triangle of no area', [0, 0, 1, 1, 2, 2], [1, 2, 2, 1], true],
  ])('that are points or segments: %s', (_label, a, b, expected) => {
    expect(polygonsOverlap(a, b)).toBe(expected);
    expect(polygonsOverlap(b, a)).toBe(expected);
  });
});
