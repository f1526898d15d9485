import { describe, expect, it } from 'vitest';
import { Growth, LEAST, TIMES, type Way } from '../../demo/measure/Growth.js';
import { Stillness } from '../../demo/page/Stillness.js';
import type { Mode } from '../../demo/state/Settings.js';

/** Lets a world grow on a machine that draws so many objects a second in each way; returns what was drawn, and how often. */
function grown(
  speeds: Record<Way, number>,
  stallEvery = Number.POSITIVE_INFINITY,
): { asked: number[]; growth: Growth; pictures: [Way, number][] } {
  const asked: number[] = [];
  const pictures: [Way, number][] = [];
  const growth = new Growth((times) => asked.push(times));
  growth.start(0);
  for (let now = 0; growth.isRunning; ) {
    const way = growth.wayAt(now);
    if (way === null) break;
    const times = asked.at(-1)!;
    pictures.push([way, times]);
    now += 1000 / Math.min(60, speeds[way] / times) + (pictures.length % stallEvery === 0 ? 2000 : 0);
  }
  return { asked, growth, pictures };
}

describe('a world that is multiplied', () => {
  it('grows until plain three falls, goes on for batches, and is left as often as plain three could not draw it', () => {
    const { asked, growth } = grown({ three: 150, batched: 100_000 });
    expect(growth.found.get('three')).toMatchObject({ times: 10, fell: true });
    expect(growth.found.get('batched')).toMatchObject({ times: TIMES.at(-1), fell: false });
    expect(growth.found.get('three')!.rate).toBeLessThan(LEAST);
    expect([...new Set(asked)]).toEqual(TIMES);
    expect(asked.at(-1)).toBe(10);
  });

  it('ends at once where both fall, by the same rule', () => {
    const { asked, growth } = grown({ three: 5, batched: 12 });
    expect([...growth.found.values()].map(({ times, fell }) => [times, fell])).toEqual([
      [1, true],
      [1, true],
    ]);
    expect(new Set(asked)).toEqual(new Set([1]));
  });

  it('settles before each measurement: a way draws at least as many pictures as both need', () => {
    const { pictures } = grown({ three: 150, batched: 500 });
    const drawn = new Map<string, number>();
    for (const picture of pictures) drawn.set(picture.join(' '), (drawn.get(picture.join(' ')) ?? 0) + 1);
    expect([...drawn.keys()]).toEqual(['three 1', 'batched 1', 'three 10', 'batched 10', 'batched 20', 'batched 40']);
    for (const [what, count] of drawn) expect(count, what).toBeGreaterThanOrEqual(24);
  });

  it('takes no stall of the machine for the rate of a way', () => {
    const { growth } = grown({ three: 150, batched: 100_000 }, 6);
    expect(growth.found.get('three')).toMatchObject({ times: 10, fell: true });
    expect(growth.found.get('three')!.rate).toBeCloseTo(15);
    expect(growth.found.get('batched')).toMatchObject({ times: TIMES.at(-1), fell: false });
  });

  it('can be stopped', () => {
    const asked: number[] = [];
    const growth = new Growth((times) => asked.push(times));
    growth.start(0);
    growth.stop();
    expect([growth.isRunning, growth.wayAt(0), asked]).toEqual([false, null, [1, 1]]);
  });
});

describe('while the visitor is still', () => {
  const MODES: Mode[] = ['index', 'batched', 'three', 'both'];
  /** The ways in which pictures were drawn over so many seconds, 60 a second, runs of the same as one. */
  const drawnIn = (still: Stillness, from: number, seconds: number, chosen: Mode): Mode[] => {
    const drawn: Mode[] = [];
    for (let now = from; now < from + 1000 * seconds; now += 1000 / 60) {
      const mode = still.modeAt(now, chosen, MODES);
      if (drawn.at(-1) !== mode) drawn.push(mode);
    }
    return drawn;
  };

  it('the ways that nobody chose are measured once, one after the other', () => {
    expect(drawnIn(new Stillness(0), 0, 20, 'index')).toEqual(['index', 'batched', 'three', 'index']);
    expect(drawnIn(new Stillness(0), 0, 20, 'both')).toEqual(['both', 'index', 'both']);
  });

  it('a touch brings the chosen way back at once, and another world is measured anew', () => {
    const still = new Stillness(0);
    expect(drawnIn(still, 0, 5.5, 'index')).toEqual(['index', 'batched']);
    still.touch(5500);
    expect(drawnIn(still, 5500, 4, 'index')).toEqual(['index']);
    expect(drawnIn(still, 9500, 10, 'index')).toEqual(['index', 'batched', 'three', 'index']);
    still.reset();
    expect(drawnIn(still, 20_000, 10, 'index')).toEqual(['batched', 'three', 'index']);
  });
});
