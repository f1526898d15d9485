import { describe, expect, test } from 'vitest';
import { METHODS, methodOf } from '../../../../demo/worlds/collisions/setup/methods.js';
import type { SceneName, Setup } from '../../../../demo/worlds/collisions/setup/scenes.js';
import { Bodies } from '../../../../demo/worlds/collisions/simulation/Bodies.js';
import {
  candidatesOf,
  compareCandidates,
  MethodRun,
  type Region,
} from '../../../../demo/worlds/collisions/simulation/MethodRun.js';

const WORLDS: [scene: SceneName, dimensions: 2 | 3, count: number][] = [
  ['boxes', 2, 500],
  ['boxes', 3, 1500],
  ['corner', 2, 500],
  ['rectangles', 2, 120],
];
const setup = ([scene, dimensions, count]: (typeof WORLDS)[number]): Setup => ({
  scene,
  dimensions,
  count,
  keepDensity: false,
});

describe.each(WORLDS)('%s in %iD, %i objects', (...world) => {
  /** Pairs at a time, found body by body; turned ones by how far apart they are along each side. */
  const known = new Map<number, string[]>();
  function expected(bodies: Bodies, seconds: number): string[] {
    const pairs = known.get(seconds) ?? [];
    if (known.has(seconds)) return pairs;
    for (let a = 0; a < bodies.count; a++) {
      for (let b = a + 1; b < bodies.count; b++) if (overlap(bodies, a, b)) pairs.push(`${a}-${b}`);
    }
    known.set(seconds, pairs.sort());
    return pairs;
  }

  test.each(METHODS)('$title finds the pairs, frame by frame', (method) => {
    const bodies = new Bodies(setup(world));
    const methodRun = new MethodRun(method, bodies, { capacity: 8 });
    for (const seconds of [0, 0.1, 0.2, 5]) {
      bodies.moveTo(seconds);
      const { pairs, candidates } = methodRun.frame();
      const { ids, length } = methodRun.found;
      const found = Array.from({ length }, (_, i) => {
        const [a, b] = [methodRun.bodyOf[ids[2 * i]], methodRun.bodyOf[ids[2 * i + 1]]];
        return `${Math.min(a, b)}-${Math.max(a, b)}`;
      });
      expect(found.sort()).toEqual(expected(bodies, seconds));
      expect(pairs).toBe(length);
      expect(candidates).toBeGreaterThanOrEqual(pairs);
    }
    expect(methodRun.found.length).toBeGreaterThan(0);
  });

  test('all methods have one digest, and another in the next frame', () => {
    const digests = [0, 1].map((seconds) => {
      const bodies = new Bodies(setup(world));
      bodies.moveTo(seconds);
      return METHODS.map((method) => {
        const methodRun = new MethodRun(method, bodies, {});
        methodRun.frame();
        return methodRun.digest();
      });
    });
    for (const each of digests) expect(new Set(each).size).toBe(1);
    expect(digests[0][0]).not.toBe(digests[1][0]);
  });
});

/** True when no line along a side of either keeps two bodies apart; boxes have sides along the axes. */
function overlap(bodies: Bodies, a: number, b: number): boolean {
  const { boxes } = bodies;
  for (let c = 0; c < 3; c++) {
    if (boxes[6 * a + c] > boxes[6 * b + c + 3] || boxes[6 * b + c] > boxes[6 * a + c + 3]) return false;
  }
  if (!bodies.turned) return true;
  const cornersOf = (body: number) =>
    [0, 1, 2, 3].map((i) => [bodies.corners[8 * body + 2 * i], bodies.corners[8 * body + 2 * i + 1]]);
  const both = [cornersOf(a), cornersOf(b)];
  return both.every((corners) =>
    [1, 3].every((next) => {
      const axis = [corners[next][0] - corners[0][0], corners[next][1] - corners[0][1]];
      const [p, q] = both.map((each) => each.map(([x, z]) => x * axis[0] + z * axis[1]));
      return Math.max(...p) >= Math.min(...q) && Math.max(...q) >= Math.min(...p);
    }),
  );
}

test('each with each is what brute force does', () => {
  const bodies = new Bodies(setup(['boxes', 2, 2000]));
  const { boxTests } = new MethodRun(methodOf('brute'), bodies, {}).frame();
  expect(boxTests).toBeGreaterThan(0.7 * ((2000 * 1999) / 2));
  const { boxTests: fewer } = new MethodRun(methodOf('quadtree-loose'), bodies, {}).frame();
  expect(fewer).toBeLessThan(0.05 * boxTests);
});

test('a body added in mid-flight takes part from the next frame on', () => {
  const bodies = new Bodies(setup(['boxes', 2, 100]));
  const methodRun = new MethodRun(methodOf('quadtree-leaves'), bodies, {});
  const before = methodRun.frame().pairs;
  const [x, , z] = [0, 1, 2].map((c) => (bodies.boxes[c] + bodies.boxes[c + 3]) / 2);
  bodies.add(x, 0, z);
  expect(methodRun.frame().pairs).toBeGreaterThan(before);
  expect(methodRun.index.size).toBe(101);
});

describe('candidates of a region', () => {
  const region: Region = [-10, -50, -10, 10, 50, 10];
  const bodies = new Bodies(setup(['boxes', 2, 2000]));
  bodies.moveTo(3);
  const counts = compareCandidates(METHODS, bodies, { capacity: 10 }, region);

  test('all bodies in the region are among them', () => {
    for (const method of METHODS) {
      const methodRun = new MethodRun(method, bodies, { capacity: 10 });
      const { bodies: some, nodes } = candidatesOf(methodRun, region);
      const found = methodRun.index.queryBox(region).toArray();
      expect(found.length).toBeGreaterThan(50);
      for (const id of found) expect(some.has(methodRun.bodyOf[id])).toBe(true);
      expect(nodes).toBeGreaterThan(0);
      expect(some).toEqual(counts.get(method.id)?.bodies);
    }
  });

  test('brute force looks at all, trees at few, and those that keep straddlers up at more', () => {
    const size = (id: (typeof METHODS)[number]['id']) => counts.get(id)?.bodies.size ?? 0;
    expect(size('brute')).toBe(2000);
    expect(size('quadtree-loose')).toBeLessThan(400);
    expect(size('quadtree-parent')).toBeGreaterThan(size('quadtree-loose'));
  });
});
