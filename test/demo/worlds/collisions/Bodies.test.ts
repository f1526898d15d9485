import { describe, expect, test } from 'vitest';
import {
  mostBodies,
  SCENES,
  type SceneName,
  type Setup,
  sideOf,
} from '../../../../demo/worlds/collisions/setup/scenes.js';
import { Bodies } from '../../../../demo/worlds/collisions/simulation/Bodies.js';

const SCENE_NAMES = Object.keys(SCENES) as SceneName[];
const setup = (patch: Partial<Setup> = {}): Setup => ({
  scene: 'boxes',
  dimensions: 3,
  count: 300,
  keepDensity: false,
  ...patch,
});

describe.each(SCENE_NAMES)('%s', (scene) => {
  test.each([0, 0.5, 7, 333.25, 1e4])('all bodies are within the walls at %f s', (seconds) => {
    const bodies = new Bodies(setup({ scene }));
    bodies.moveTo(seconds);
    const wall = bodies.side / 2 + 1e-9;
    for (let i = 0; i < bodies.count; i++) {
      const [x0, y0, z0, x1, y1, z1] = bodies.boxes.subarray(6 * i, 6 * i + 6);
      expect(Math.min(x0, y0, z0)).toBeGreaterThanOrEqual(-wall);
      expect(Math.max(x1, y1, z1)).toBeLessThanOrEqual(wall);
      expect(x1 > x0 && z1 > z0).toBe(true);
    }
  });

  test('equal setup and times give equal places, whatever came between', () => {
    const straight = new Bodies(setup({ scene }));
    const roundabout = new Bodies(setup({ scene }));
    straight.moveTo(12.5);
    for (const seconds of [3, 99, 0.25, 12.5]) roundabout.moveTo(seconds);
    expect(roundabout.boxes).toEqual(straight.boxes);
  });

  test('the first bodies of a larger number are the same ones', () => {
    const few = new Bodies(setup({ scene, count: 10 }));
    const many = new Bodies(setup({ scene, count: 500 }));
    expect([...many.boxes.subarray(0, 60)]).toEqual([...few.boxes]);
  });

  test('what bounces keeps its speed', () => {
    const bodies = new Bodies(setup({ scene }));
    const steps = Array.from({ length: 400 }, (_, k) => {
      bodies.moveTo(k / 10);
      return bodies.boxes[0];
    });
    const moves = steps.slice(1).map((x, k) => Math.abs(x - steps[k]));
    const full = Math.max(...moves);
    // Only a step with a bounce in it is shorter.
    expect(moves.filter((move) => move > full - 1e-9).length).toBeGreaterThan(300);
    expect(full).toBeGreaterThan(0);
  });
});

test('in two dimensions all lies in one plane, without height', () => {
  for (const scene of SCENE_NAMES) {
    const bodies = new Bodies(setup({ scene, dimensions: 2 }));
    bodies.moveTo(4);
    for (let i = 0; i < bodies.count; i++) {
      expect([bodies.boxes[6 * i + 1], bodies.boxes[6 * i + 4]].map(Math.abs)).toEqual([0, 0]);
    }
  }
});

test('in three dimensions a scene of boxes has height, and rectangles stay flat', () => {
  const boxes = new Bodies(setup());
  expect(Math.max(...boxes.boxes.filter((_, i) => i % 6 === 4))).toBeGreaterThan(30);
  expect(new Bodies(setup({ scene: 'rectangles' })).dimensions).toBe(2);
});

test('the corner holds all bodies at the start, and later they are everywhere', () => {
  const bodies = new Bodies(setup({ scene: 'corner', dimensions: 2 }));
  const farthest = () => Math.max(...bodies.boxes.filter((_, i) => i % 6 === 3));
  expect(farthest()).toBeLessThan(-bodies.side / 2 + 0.1 * bodies.side + 1);
  bodies.moveTo(60);
  expect(farthest()).toBeGreaterThan(0.4 * bodies.side);
});

test('rectangles have the sizes and angles of the scene', () => {
  const { shapes, count } = new Bodies(setup({ scene: 'rectangles' }));
  for (let i = 0; i < count; i++) {
    const [width, height, depth, angle] = shapes.subarray(4 * i, 4 * i + 4);
    expect(2 * width).toBeGreaterThanOrEqual(0.1);
    expect(2 * width).toBeLessThanOrEqual(3);
    expect(height).toBe(0);
    expect(depth / width).toBeGreaterThanOrEqual(0.6 - 1e-9);
    expect(depth / width).toBeLessThanOrEqual(0.8 + 1e-9);
    expect(Math.abs(angle)).toBeLessThanOrEqual(Math.PI / 6);
  }
});

test('the bounds of a rectangle are those of its corners', () => {
  const bodies = new Bodies(setup({ scene: 'rectangles' }));
  bodies.moveTo(2);
  for (let i = 0; i < bodies.count; i++) {
    const corners = bodies.corners.subarray(8 * i, 8 * i + 8);
    const [xs, zs] = [0, 1].map((c) => corners.filter((_, k) => k % 2 === c));
    expect(Math.min(...xs)).toBeCloseTo(bodies.boxes[6 * i], 9);
    expect(Math.max(...xs)).toBeCloseTo(bodies.boxes[6 * i + 3], 9);
    expect(Math.min(...zs)).toBeCloseTo(bodies.boxes[6 * i + 2], 9);
    expect(Math.max(...zs)).toBeCloseTo(bodies.boxes[6 * i + 5], 9);
    expect(bodies.covers(i, 0.98 * corners[0] + 0.02 * corners[4], 0.98 * corners[1] + 0.02 * corners[5])).toBe(true);
    expect(bodies.covers(i, 1.02 * corners[0] - 0.02 * corners[4], 1.02 * corners[1] - 0.02 * corners[5])).toBe(false);
  }
});

test('an added body is where it was put, and flies on from there', () => {
  const bodies = new Bodies(setup({ dimensions: 2, count: 3 }));
  bodies.moveTo(41);
  const body = bodies.add(10, 99, -20);
  expect(bodies.count).toBe(4);
  const box = () => [...bodies.boxes.subarray(6 * body, 6 * body + 6)];
  box().forEach((value, c) => {
    expect(value).toBeCloseTo([9.5, 0, -20.5, 10.5, 0, -19.5][c], 9);
  });
  bodies.moveTo(41);
  const before = box();
  bodies.moveTo(41.5);
  expect(box()).not.toEqual(before);
  expect(bodies.boxes.length).toBeGreaterThanOrEqual(24);
});

test('density is kept by a larger world', () => {
  const per = (count: number, dimensions: 2 | 3) =>
    count / sideOf(setup({ count, dimensions, keepDensity: true })) ** dimensions;
  for (const dimensions of [2, 3] as const) expect(per(64_000, dimensions)).toBeCloseTo(per(2000, dimensions), 9);
  expect(sideOf(setup({ count: 64_000 }))).toBe(100);
});

test('a number with more pairs than a frame can hold is cut', () => {
  expect(mostBodies(setup({ dimensions: 2 }), 100_000)).toBe(100_000);
  expect(mostBodies(setup({ scene: 'rectangles' }), 100_000)).toBeLessThan(20_000);
  expect(mostBodies(setup({ scene: 'rectangles', keepDensity: true }), 100_000)).toBe(100_000);
});
