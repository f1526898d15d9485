import { afterEach, expect, it, vi } from 'vitest';
import { Turns } from '../../../demo/measure/Turns.js';

afterEach(() => vi.restoreAllMocks());

/** Draws so many frames, whose times a fake clock tells; returns the ways in the order in which they were drawn. */
function play(turns: Turns, frames: number, timeOf: (way: string, isFirst: boolean) => number): string[] {
  let now = 0;
  const drawn: string[] = [];
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  for (let frame = 0; frame < frames; frame++) {
    turns.take('index', (way) => {
      now += timeOf(way, !drawn.includes(way) || drawn.at(-1) !== way);
      drawn.push(way);
      return way === 'index' ? 900 : 40;
    });
  }
  return drawn;
}

it('what both ways draw is known from the first frame on, and what they cost after some turns of each', () => {
  const turns = new Turns(['index', 'batched'], 24, 3);
  play(turns, 1, () => 1);
  expect([turns.costs.index.drawn, turns.costs.batched.drawn]).toEqual([900, 40]);
  expect(turns.costs.batched.time.isReliable).toBe(false);
  play(turns, 200, () => 1);
  expect([turns.costs.index, turns.costs.batched].map(({ time }) => time.isReliable)).toEqual([true, true]);
});

it('the first frames of a turn, which are slower, are not measured', () => {
  const turns = new Turns(['index', 'batched'], 4, 3);
  play(turns, 400, (way, isFirst) => (isFirst ? 1000 : way === 'index' ? 6 : 2));
  expect([turns.costs.index.time.mean, turns.costs.batched.time.mean]).toEqual([6, 2]);
});

it('each way has its turn for some frames in a row, the one that is asked for most often', () => {
  const drawn = play(new Turns(['index', 'batched', 'three'], 4, 2), 2000, () => 1);
  const runs = drawn.join(' ').match(/(batched|three)( \1)*/g) ?? [];
  // The first two are of the first frame.
  for (const run of runs.slice(2)) expect(run.split(' ').length % 8).toBe(0);
  const share = drawn.filter((way) => way === 'index').length / drawn.length;
  expect(share).toBeGreaterThan(0.7);
  for (const way of ['batched', 'three']) expect(drawn.filter((one) => one === way).length).toBeGreaterThan(100);
});
