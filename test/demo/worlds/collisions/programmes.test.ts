import { describe, expect, test } from 'vitest';
import { METHOD_IDS } from '../../../../demo/worlds/collisions/setup/methods.js';
import { Ramp } from '../../../../demo/worlds/collisions/simulation/Ramp.js';
import { Trial } from '../../../../demo/worlds/collisions/simulation/Trial.js';

const methods = METHOD_IDS.slice(0, 3);

describe('the ramp', () => {
  /** Runs it to the end on a made-up cost, and tells how many frames it took. */
  function run(ramp: Ramp, cost: (method: string, count: number, frame: number) => number): number {
    let frames = 0;
    for (let { current } = ramp; current; current = ramp.current) {
      ramp.report(cost(current.method, current.count, frames++));
      expect(frames).toBeLessThan(10_000);
    }
    return frames;
  }

  test('finds the number at which the cost meets the limit', () => {
    const ramp = new Ramp(methods, { limit: 100, start: 100, most: 1e6 });
    const speeds: Record<string, number> = { [methods[0]]: 1e-6, [methods[1]]: 1e-8, [methods[2]]: 1e-7 };
    run(ramp, (method, count) => speeds[method] * count * count);
    expect(ramp.results.map(({ method }) => method)).toEqual(methods);
    for (const { method, count, withinLimit } of ramp.results) {
      const exact = Math.sqrt(100 / speeds[method]);
      expect(count).toBeLessThanOrEqual(exact);
      expect(count).toBeGreaterThan(0.9 * exact);
      expect(withinLimit).toBe(false);
    }
  });

  test('ends at the most it may, and says so', () => {
    const ramp = new Ramp(methods, { limit: 100, start: 100, most: 5000 });
    expect(run(ramp, () => 0)).toBeLessThan(100);
    expect(ramp.results).toEqual(methods.map((method) => ({ method, count: 5000, withinLimit: true })));
  });

  test('one slow frame alone ends nothing, three in a row do', () => {
    const ramp = new Ramp(methods.slice(0, 1), { limit: 10, start: 100, most: 1000 });
    for (const cost of [50, 50, 1, 50, 50]) ramp.report(cost);
    expect(ramp.current).not.toBeNull();
    const { count } = ramp.current!;
    ramp.report(50);
    expect(ramp.current).toBeNull();
    expect(ramp.results[0]).toEqual({ method: methods[0], count: 100, withinLimit: false });
    expect(count).toBeGreaterThan(100);
  });

  test('a method that is over the limit at once has managed none', () => {
    const ramp = new Ramp(methods, { limit: 1, start: 100, most: 1000 });
    expect(run(ramp, () => 2)).toBe(9);
    expect(ramp.results.map(({ count }) => count)).toEqual([0, 0, 0]);
  });

  test('starts no higher than it may end', () => {
    expect(new Ramp(methods, { limit: 1, start: 100, most: 50 }).current?.count).toBe(50);
  });
});

describe('the trial', () => {
  const cost = { update: 1, query: 2, boxTests: 3, candidates: 4, pairs: 5 };

  test('gives each method the same frames, in order', () => {
    const trial = new Trial(methods, 4);
    const order: string[] = [];
    for (let { current } = trial; current; current = trial.current) {
      order.push(`${current.method} ${current.frame}`);
      trial.report(cost, 16, 1);
    }
    expect(order).toEqual(methods.flatMap((method) => [0, 1, 2, 3].map((frame) => `${method} ${frame}`)));
    expect(trial.progress).toBe(1);
  });

  test('leaves out interruptions, and keeps the counts of the last frame', () => {
    const trial = new Trial(methods.slice(0, 1), 5);
    [1, 1, 900, 1, 1].forEach((update, i) => {
      trial.report({ ...cost, update, pairs: i }, 16, i);
    });
    expect(trial.results[0]).toMatchObject({ update: 1, query: 2, pairs: 4, frame: 16 });
  });

  test('any other pair in any frame makes another digest', () => {
    const digestOf = (digests: number[]) => {
      const trial = new Trial(methods.slice(0, 1), digests.length);
      for (const digest of digests) trial.report(cost, 16, digest);
      return trial.results[0].digest;
    };
    expect(digestOf([7, 8, 9])).toBe(digestOf([7, 8, 9]));
    expect(digestOf([7, 8, 10])).not.toBe(digestOf([7, 8, 9]));
    expect(digestOf([8, 7, 9])).not.toBe(digestOf([7, 8, 9]));
  });
});
