import { describe, expect, test } from 'vitest';
import { verdict } from '../../demo/worlds/collisions/panel/ComparisonPanel.js';
import { METHOD_IDS, METHODS } from '../../demo/worlds/collisions/setup/methods.js';
import { SCENES, type SceneName, type Setup } from '../../demo/worlds/collisions/setup/scenes.js';
import { Bodies } from '../../demo/worlds/collisions/simulation/Bodies.js';
import { Comparison, MOST_BY_BRUTE_FORCE } from '../../demo/worlds/collisions/simulation/Comparison.js';
import { candidatesOf, MethodRun, type Region } from '../../demo/worlds/collisions/simulation/MethodRun.js';
import { Ramp } from '../../demo/worlds/collisions/simulation/Ramp.js';

const setup = (patch: Partial<Setup> = {}): Setup => {
  return { scene: 'boxes', dimensions: 2, count: 300, ...patch };
};

/** The bounds of all bodies, without the room for more. */
const boxesOf = ({ boxes, count }: Bodies) => boxes.subarray(0, 6 * count);

/** The corners of a body on the plane, going round. */
function cornersOf({ boxes, shapes }: Bodies, body: number): [x: number, z: number][] {
  const [x, z] = [0, 2].map((c) => (boxes[6 * body + c] + boxes[6 * body + c + 3]) / 2);
  const [width, , depth, angle] = shapes.subarray(4 * body, 4 * body + 4);
  return [
    [-width, -depth],
    [width, -depth],
    [width, depth],
    [-width, depth],
  ].map(([u, v]) => [x + u * Math.cos(angle) - v * Math.sin(angle), z + u * Math.sin(angle) + v * Math.cos(angle)]);
}

describe.each(Object.keys(SCENES) as SceneName[])('bodies, %s', (scene) => {
  test('stay within the walls, and are in the same places at the same time, whatever came between', () => {
    const bodies = new Bodies(setup({ scene, dimensions: 3 }));
    const wall = bodies.side / 2 + 1e-9;
    for (const seconds of [0, 0.5, 7, 1e4, 333.25]) {
      bodies.moveTo(seconds);
      expect(bodies.boxes.every((value) => Math.abs(value) <= wall)).toBe(true);
    }
    const straight = new Bodies(setup({ scene, dimensions: 3 }));
    straight.moveTo(333.25);
    expect(bodies.boxes).toEqual(straight.boxes);
  });

  test('lie in one plane in two dimensions, and the first of more are the same ones', () => {
    const few = new Bodies(setup({ scene, count: 10 }));
    expect(
      boxesOf(few)
        .filter((_, i) => i % 3 === 1)
        .every((height) => height === 0),
    ).toBe(true);
    const many = new Bodies(setup({ scene, count: 500 }));
    expect([...many.boxes.subarray(0, 60)]).toEqual([...boxesOf(few)]);
  });
});

describe('bodies', () => {
  test('of the corner are all there at the start, and later everywhere', () => {
    const bodies = new Bodies(setup({ scene: 'corner' }));
    const farthest = () => Math.max(...boxesOf(bodies).filter((_, i) => i % 6 === 3));
    expect(farthest()).toBeLessThan(-bodies.side / 2 + 0.1 * bodies.side + 1);
    bodies.moveTo(60);
    expect(farthest()).toBeGreaterThan(0.4 * bodies.side);
  });

  test('that are rectangles have the bounds of their corners', () => {
    const bodies = new Bodies(setup({ scene: 'rectangles' }));
    bodies.moveTo(2);
    for (let i = 0; i < bodies.count; i++) {
      const corners = cornersOf(bodies, i);
      const [xs, zs] = [corners.map(([x]) => x), corners.map(([, z]) => z)];
      [Math.min(...xs), 0, Math.min(...zs), Math.max(...xs), 0, Math.max(...zs)].forEach((value, c) => {
        expect(bodies.boxes[6 * i + c]).toBeCloseTo(value, 9);
      });
    }
  });

  test('that are added are where they were put, fly on from there, and meet others', () => {
    const bodies = new Bodies(setup({ count: 3 }));
    bodies.moveTo(41);
    const body = bodies.count;
    for (const height of [99, 0]) bodies.add(10, height, -20);
    const methodRun = new MethodRun(METHODS[0], bodies, {});
    expect(methodRun.frame().pairs).toBeGreaterThan(0);
    expect(methodRun.index.size).toBe(5);
    const box = () => [...bodies.boxes.subarray(6 * body, 6 * body + 6)];
    const before = box();
    before.forEach((value, c) => {
      expect(value).toBeCloseTo([9.5, 0, -20.5, 10.5, 0, -19.5][c], 9);
    });
    bodies.moveTo(41.5);
    expect(box()).not.toEqual(before);
  });
});

/** True when no line along a side of either keeps two bodies apart; boxes have sides along the axes. */
function overlap(bodies: Bodies, a: number, b: number): boolean {
  const { boxes } = bodies;
  for (let c = 0; c < 3; c++) {
    if (boxes[6 * a + c] > boxes[6 * b + c + 3] || boxes[6 * b + c] > boxes[6 * a + c + 3]) return false;
  }
  if (!bodies.turned) return true;
  const both = [cornersOf(bodies, a), cornersOf(bodies, b)];
  return both.every((corners) =>
    [1, 3].every((next) => {
      const axis = [corners[next][0] - corners[0][0], corners[next][1] - corners[0][1]];
      const [p, q] = both.map((each) => each.map(([x, z]) => x * axis[0] + z * axis[1]));
      return Math.max(...p) >= Math.min(...q) && Math.max(...q) >= Math.min(...p);
    }),
  );
}

describe.each<[SceneName, 2 | 3, number]>([
  ['boxes', 2, 500],
  ['boxes', 3, 1500],
  ['corner', 2, 500],
  ['rectangles', 2, 200],
])('methods, %s in %iD, %i objects', (scene, dimensions, count) => {
  test('find the pairs that lie on each other, frame by frame, with one digest', () => {
    const bodies = new Bodies(setup({ scene, dimensions, count }));
    const runs = METHODS.map((method) => new MethodRun(method, bodies, { capacity: 8 }));
    const digests = [0, 0.1, 0.2, 5].map((seconds) => {
      bodies.moveTo(seconds);
      const expected: string[] = [];
      for (let a = 0; a < count; a++) {
        for (let b = a + 1; b < count; b++) if (overlap(bodies, a, b)) expected.push(`${a}-${b}`);
      }
      expect(expected.length).toBeGreaterThan(0);
      const ofMethods = runs.map((methodRun) => {
        const { pairs } = methodRun.frame();
        const { ids, length } = methodRun.found;
        const found = Array.from({ length }, (_, i) => {
          const [a, b] = [methodRun.bodyOf[ids[2 * i]], methodRun.bodyOf[ids[2 * i + 1]]];
          return `${Math.min(a, b)}-${Math.max(a, b)}`;
        });
        expect(found.sort()).toEqual(expected.sort());
        expect(pairs).toBe(length);
        return methodRun.digest();
      });
      expect(new Set(ofMethods).size).toBe(1);
      return ofMethods[0];
    });
    expect(new Set(digests).size).toBe(4);
  });
});

test('a method looks at what is in a region: brute force at all, trees at few', () => {
  const region: Region = [-10, -50, -10, 10, 50, 10];
  const bodies = new Bodies(setup({ count: 2000 }));
  bodies.moveTo(3);
  const sizes = METHODS.map((method) => {
    const methodRun = new MethodRun(method, bodies, { capacity: 10 });
    const { bodies: some, nodes, found } = candidatesOf(methodRun, region);
    expect(found).toBeGreaterThan(50);
    for (const id of methodRun.index.queryBox(region).toArray()) expect(some.has(methodRun.bodyOf[id])).toBe(true);
    expect(nodes).toBeGreaterThan(0);
    return [method.id, some.size] as const;
  });
  const sizeOf = Object.fromEntries(sizes);
  expect(sizeOf.brute).toBe(2000);
  expect(sizeOf['quadtree-loose']).toBeLessThan(400);
  expect(sizeOf['quadtree-parent']).toBeGreaterThan(sizeOf['quadtree-loose']);
});

describe('a comparison', () => {
  /** Whose clock moves on by a millisecond each time it is read. */
  function comparison(): Comparison {
    let now = 0;
    return new Comparison(setup({ count: 400 }), 'quadtree-loose', {}, () => ++now);
  }

  /** Runs all methods, some frames each; tells how many that were. */
  function runAll(all: Comparison, framesOfEach: number): number {
    all.runAll(framesOfEach);
    let frames = 0;
    for (; all.trial && frames < 1000; frames++) all.frame(0.5, 16);
    return frames;
  }

  test('of live frames has numbers, but nothing that could be compared', () => {
    const live = comparison();
    for (let i = 0; i < 5; i++) live.frame(0.1, 16);
    expect(live.seconds).toBeCloseTo(0.5);
    expect(live.rows.get('quadtree-loose')).toMatchObject({ frames: 0, update: 1, query: 1, frame: 16 });
    live.choose('grid');
    live.frame(0.1, 16);
    expect([live.agrees('quadtree-loose'), live.agrees('grid'), verdict(live)]).toEqual([null, null, '']);
  });

  test('of all methods fills the table, which live frames do not change, and names those with other pairs', () => {
    const all = comparison();
    all.frame(1, 16);
    expect(runAll(all, 4)).toBe(4 * METHOD_IDS.length);
    expect([all.seconds, all.running]).toEqual([1, 'quadtree-loose']);
    expect(verdict(all)).toBe(`${METHOD_IDS.length} methods, the same pairs in each of 4 frames.`);
    const before = new Map(all.rows);
    all.frame(0.5, 16);
    expect(all.rows).toEqual(before);
    all.rows.get('octree-parent')!.digest ^= 1;
    expect([all.agrees('octree-parent'), all.agrees('octree-loose')]).toEqual([false, true]);
    expect(verdict(all)).toBe('Other pairs than the rest: Octree, parent.');
    const digestOf = (frames: number) => {
      runAll(all, frames);
      return all.rows.get('grid')!.digest;
    };
    const digest = digestOf(4);
    expect([digestOf(4), digestOf(3) === digest], 'of the pairs of all frames').toEqual([digest, false]);
    all.frame(0.5, 16);
    expect(digestOf(4), 'later there are other pairs').not.toBe(digest);
    all.add(1, 0, 1);
    expect(all.rows.size, 'another body makes another world of it').toBe(0);
  });

  test('ramps up, leaves the bodies as they were, and is forgotten in another world', () => {
    const ramp = comparison();
    ramp.frame(1, 16);
    const before = ramp.bodies.boxes.slice();
    ramp.startRamp({ limit: 100, most: 600 });
    for (let frames = 0; ramp.ramp && frames < 1000; frames++) ramp.frame(0.5, 16);
    const ended = METHOD_IDS.map((method) => ({ method, count: 600, withinLimit: true }));
    expect(ramp.rampResults).toEqual(ended);
    ramp.frame(0, 16);
    expect(ramp.bodies.boxes).toEqual(before);
    ramp.begin(setup({ count: 500 }));
    expect(ramp.rampResults).toEqual([]);
  });

  test('leaves out brute force where it would take seconds', () => {
    const many = new Comparison(setup({ count: MOST_BY_BRUTE_FORCE + 1 }), 'brute', {});
    many.frame(0, 16);
    expect(many.rows.size).toBe(0);
    many.runAll(1);
    expect(many.trial?.current?.method).not.toBe('brute');
  });
});

test('the ramp finds the number at which the cost meets the limit, whatever a frame or two in a row cost', () => {
  const methods = METHOD_IDS.slice(0, 3);
  const ramp = new Ramp(methods, { limit: 100, most: 1e6 });
  const speeds = new Map(methods.map((method, i) => [method, [1e-6, 1e-8, 1e-7][i]]));
  let frame = 0;
  for (let { current } = ramp; current; current = ramp.current) {
    const cost = speeds.get(current.method)! * current.count ** 2;
    ramp.report(cost < 50 && frame++ % 4 > 1 ? 500 : cost);
  }
  expect(ramp.results.map(({ method }) => method)).toEqual(methods);
  for (const { method, count, withinLimit } of ramp.results) {
    const exact = Math.sqrt(100 / speeds.get(method)!);
    expect(count).toBeLessThanOrEqual(exact);
    expect(count).toBeGreaterThan(0.9 * exact);
    expect(withinLimit).toBe(false);
  }
});
