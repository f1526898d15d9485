import { afterEach, describe, expect, it, vi } from 'vitest';
import { Turns } from '../../../demo/measure/Turns.js';
import type { Mode } from '../../../demo/state/Settings.js';

afterEach(() => vi.restoreAllMocks());

interface Frame {
  way: Mode;
  /** How many frames of this way were drawn before, and how many of them in this row. */
  before: number;
  inRow: number;
}

/** A fake clock: how long a frame takes on the CPU, how long the GPU goes on, and how much is drawn. */
interface Machine {
  cpu: (frame: Frame) => number;
  gpu?: (frame: Frame) => number;
  drawn?: (frame: Frame) => number;
}

/** Draws frames by a fake clock. `order`: the ways in the order in which they were drawn. */
function player(turns: Turns, { cpu, gpu, drawn = () => 40 }: Machine, mode: Mode = 'index') {
  let now = 0;
  let frame: Frame | null = null;
  const order: Mode[] = [];
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const before = { index: 0, batched: 0, three: 0 };
  let inRow = 0;
  const draw = (way: Mode): number => {
    inRow = order.at(-1) === way ? inRow + 1 : 0;
    frame = { way, before: before[way]++, inRow };
    now += cpu(frame);
    order.push(way);
    return drawn(frame);
  };
  const whenDone = (then: () => void): void => {
    if (gpu && frame) now += gpu(frame);
    then();
  };
  return { order, frame: () => turns.take(mode, draw, gpu && whenDone) };
}

/** Draws so many frames. */
function play(turns: Turns, frames: number, machine: Machine, mode?: Mode): Mode[] {
  const { order, frame } = player(turns, machine, mode);
  for (let i = 0; i < frames; i++) frame();
  return order;
}

const steady: Machine = { cpu: ({ way }) => ({ index: 6, batched: 2, three: 9 })[way] };

describe('ways to draw that take turns', () => {
  it('are known by what they draw from the first frame on, by what they cost after some turns of each', () => {
    const turns = new Turns(['index', 'batched'], 24);
    play(turns, 1, { ...steady, drawn: ({ way }) => (way === 'index' ? 900 : 40) });
    expect([turns.costs.index.drawn, turns.costs.batched.drawn]).toEqual([900, 40]);
    expect(turns.costs.batched.cpu.isReliable).toBe(false);
    expect(turns.speed('batched', 'index').isReliable).toBe(false);
    play(turns, 200, steady);
    expect([turns.costs.index.cpu.mean, turns.costs.batched.cpu.mean]).toEqual([6, 2]);
    expect(turns.speed('batched', 'index')).toEqual({ median: 3, low: 3, high: 3, isReliable: true });
    expect(turns.speed('index', 'batched').median).toBeCloseTo(1 / 3, 12);
  });

  it.each([0, 2, 7])(
    'have a figure of what batches draw only once these have come together, after %i frames',
    (late) => {
      const turns = new Turns(['index', 'batched', 'three'], 8);
      const { frame } = player(turns, {
        ...steady,
        drawn: ({ way, before }) => ({ index: 900, batched: before < late ? 901 : 18, three: 950 })[way],
      });
      const figures = new Set<number | null>();
      for (let i = 0; i < 60; i++) {
        frame();
        figures.add(turns.drawn('batched'));
        expect([turns.drawn('index'), turns.drawn('three')]).toEqual([900, 950]);
      }
      expect([...figures]).toEqual([null, 18]);
    },
  );

  it('are counted where only one is drawn as well, and nothing is known of the others', () => {
    const turns = new Turns(['index', 'batched', 'three'], 8);
    const figures = new Set<number | null>();
    for (let i = 0; i < 30; i++) {
      turns.stay('batched', () => (i < 5 ? 901 : 18));
      figures.add(turns.drawn('batched'));
    }
    expect([...figures]).toEqual([null, 18]);
    expect([turns.drawn('index'), turns.drawn('three')]).toEqual([null, null]);
  });

  it('keep their figure while batches that were freed come together again', () => {
    const turns = new Turns(['index', 'batched', 'three'], 8);
    play(turns, 200, { ...steady, drawn: ({ way }) => (way === 'batched' ? 18 : 900) });
    const { frame } = player(turns, {
      ...steady,
      drawn: ({ inRow, way }) => (way === 'batched' && inRow > 2 ? 18 : 900),
    });
    for (let i = 0; i < 200; i++) {
      frame();
      expect(turns.drawn('batched')).toBe(18);
    }
  });

  it('draw some frames in a row, the one that is asked for most often', () => {
    const order = play(new Turns(['index', 'batched', 'three'], 8), 2000, steady);
    const runs = order.join(' ').match(/(batched|three)( \1)*/g) ?? [];
    // The first two are of the first frame.
    for (const run of runs.slice(2)) expect(run.split(' ').length % 8).toBe(0);
    expect(order.filter((way) => way === 'index').length / order.length).toBeGreaterThan(0.7);
    for (const way of ['batched', 'three']) expect(order.filter((one) => one === way).length).toBeGreaterThan(80);
  });

  it('are measured side by side: a machine that slows down changes all times and no ratio', () => {
    const turns = new Turns(['index', 'batched', 'three'], 8);
    let frames = 0;
    // Slower from pair to pair, steady within each.
    const pace = () => 1 + Math.floor(frames++ / 16);
    play(turns, 1600, { cpu: ({ way }) => pace() * (way === 'three' ? 12 : 4) });
    const { median, low, high } = turns.speed('index', 'three');
    expect(median).toBeGreaterThan(2.7);
    expect(median).toBeLessThan(3.3);
    expect(high - low).toBeLessThan(0.5);
  });

  it('have a spread where their ratio changes along the path', () => {
    const turns = new Turns(['index', 'three'], 2);
    play(turns, 1600, {
      cpu: ({ way, before }) => (way === 'index' ? 2 : Math.floor((before - 1) / 8) % 2 === 0 ? 4 : 8),
    });
    expect(turns.speed('index', 'three')).toEqual({ median: 3, low: 2, high: 4, isReliable: true });
  });

  it('tell CPU time from the time until the picture is done, where that can be waited for', () => {
    const turns = new Turns(['index', 'batched', 'three'], 8);
    play(turns, 600, { ...steady, gpu: () => 5 });
    expect([turns.costs.index.cpu.mean, turns.costs.index.done.mean]).toEqual([6, 11]);
    expect([turns.costs.batched.cpu.mean, turns.costs.batched.done.mean]).toEqual([2, 7]);
    const others = new Turns(['index', 'three'], 8);
    play(others, 600, steady);
    expect(others.costs.index.cpu.isReliable).toBe(true);
    expect(others.costs.index.done.isReliable).toBe(false);
  });
});

describe('what is slow at first', () => {
  /** All figures that the page may show of so many frames. */
  function figuresOf(machine: Machine, frames: number): Set<number> {
    const turns = new Turns(['index', 'batched', 'three'], 8);
    const { frame } = player(turns, machine);
    const figures = new Set<number>();
    for (let i = 0; i < frames; i++) {
      frame();
      for (const { cpu, done } of Object.values(turns.costs)) {
        for (const { isReliable, mean } of [cpu, done]) if (isReliable) figures.add(mean);
      }
      for (const way of ['index', 'batched'] as const) {
        const { isReliable, median, low, high } = turns.speed(way, 'three');
        if (isReliable) for (const ratio of [median, low, high]) figures.add(ratio);
      }
    }
    return figures;
  }

  const times = { index: 4, batched: 2, three: 8 };

  it.each([
    ['the first frames of a way', ({ before }: Frame) => before < 8],
    ['the first frames of each turn', ({ inRow }: Frame) => inRow < 4],
    ['both', ({ before, inRow }: Frame) => before < 8 || inRow < 4],
  ])('is not measured: %s', (_, isSlow) => {
    const machine: Machine = {
      cpu: (frame) => (isSlow(frame) ? 1000 : times[frame.way]),
      gpu: (frame) => (isSlow(frame) ? 3000 : 5),
    };
    // CPU times, with the GPU, and ratios: batches are not compared with plain three while the index is in use.
    expect([...figuresOf(machine, 1200)].sort((a, b) => a - b)).toEqual([2, 4, 7, 8, 9, 13]);
  });

  it.each([60, 130, 400])('is forgotten once batches have come together, after %i frames of theirs', (late) => {
    const machine: Machine = {
      cpu: ({ way, before }) => (way === 'batched' && before < late ? 30 : times[way]),
      drawn: ({ way, before }) => (way === 'batched' && before >= late ? 18 : 900),
    };
    const turns = new Turns(['index', 'batched', 'three'], 8);
    play(turns, 6000, machine, 'batched');
    expect(turns.costs.batched.cpu.mean).toBe(2);
    expect(turns.speed('batched', 'three')).toEqual({ median: 4, low: 4, high: 4, isReliable: true });
  });
});
