import { expect, test } from 'vitest';
import { verdict } from '../../../../demo/worlds/collisions/panel/results.js';
import { METHOD_IDS } from '../../../../demo/worlds/collisions/setup/methods.js';
import type { Setup } from '../../../../demo/worlds/collisions/setup/scenes.js';
import { Comparison, MOST_BY_BRUTE_FORCE } from '../../../../demo/worlds/collisions/simulation/Comparison.js';

const SETUP: Setup = { scene: 'boxes', dimensions: 2, count: 400, keepDensity: false };

/** A comparison whose clock moves on by a millisecond each time it is read. */
function comparison(): Comparison {
  let now = 0;
  return new Comparison(SETUP, 'quadtree-loose', {}, () => ++now);
}

test('while time passes a row has numbers, but nothing that could be compared', () => {
  const live = comparison();
  for (let i = 0; i < 5; i++) live.frame(0.1, 16);
  expect(live.seconds).toBeCloseTo(0.5);
  expect(live.rows.get('quadtree-loose')).toMatchObject({ span: '', update: 1, query: 1, frame: 16 });
  expect(live.agrees('quadtree-loose')).toBeNull();
});

test('while time stands still, methods chosen in turn agree', () => {
  const still = comparison();
  still.frame(2, 16);
  for (const method of METHOD_IDS) {
    still.choose(method);
    still.frame(0, 16);
  }
  expect(still.rows.size).toBe(METHOD_IDS.length);
  for (const method of METHOD_IDS) expect(still.agrees(method)).toBe(true);
  expect(new Set([...still.rows.values()].map(({ pairs }) => pairs)).size).toBe(1);
  expect(verdict(still)).toBe(`${METHOD_IDS.length} methods, the same pairs at 2.00 s.`);
});

test('a run of all methods fills the table, and live frames do not change it', () => {
  const all = comparison();
  all.frame(1, 16);
  all.runAll(4);
  let frames = 0;
  while (all.trial && frames < 1000) {
    all.frame(0.5, 16);
    frames++;
  }
  expect(frames).toBe(4 * METHOD_IDS.length);
  expect(all.seconds).toBe(1);
  expect(verdict(all)).toBe(`${METHOD_IDS.length} methods, the same pairs in each of 4 frames.`);
  const before = new Map(all.rows);
  all.frame(0.5, 16);
  expect(all.rows).toEqual(before);
  expect(all.running).toBe('quadtree-loose');
});

test('a method with other pairs is named', () => {
  const all = comparison();
  all.runAll(2);
  while (all.trial) all.frame(0, 16);
  all.rows.get('octree-parent')!.digest ^= 1;
  expect(all.agrees('octree-parent')).toBe(false);
  expect(all.agrees('octree-loose')).toBe(true);
  expect(verdict(all)).toBe('Other pairs than the rest: Octree, parent.');
});

test('an added body makes another world of it', () => {
  const all = comparison();
  all.runAll(1);
  while (all.trial) all.frame(0, 16);
  all.add(1, 0, 1);
  expect(all.rows.size).toBe(0);
  all.frame(0, 16);
  expect(all.methodRun?.index.size).toBe(401);
});

test('the ramp ends, and leaves the bodies as they were', () => {
  const ramp = comparison();
  ramp.frame(1, 16);
  const before = ramp.bodies.boxes.slice();
  ramp.startRamp({ limit: 100, start: 100, most: 600 });
  let frames = 0;
  while (ramp.ramp && frames < 1000) {
    ramp.frame(0.5, 16);
    frames++;
  }
  expect(ramp.rampResults.map(({ method }) => method)).toEqual([...METHOD_IDS]);
  expect(ramp.rampResults.every(({ count, withinLimit }) => count === 600 && withinLimit)).toBe(true);
  ramp.frame(0, 16);
  expect(ramp.bodies.boxes).toEqual(before);
  expect(ramp.seconds).toBe(1);
});

test('another world forgets what was found in this one, another number keeps the ramp', () => {
  const one = comparison();
  one.startRamp({ limit: 100, start: 100, most: 200 });
  while (one.ramp) one.frame(0, 16);
  one.begin({ ...SETUP, count: 500 });
  expect(one.rampResults.length).toBe(METHOD_IDS.length);
  one.begin({ ...SETUP, dimensions: 3 });
  expect(one.rampResults.length).toBe(0);
});

test('brute force is left out where it would take seconds', () => {
  const many = new Comparison({ ...SETUP, count: MOST_BY_BRUTE_FORCE + 1 }, 'brute', {});
  many.frame(0, 16);
  expect(many.rows.size).toBe(0);
  many.runAll(1);
  expect(many.trial?.current?.method).toBe('grid');
});
