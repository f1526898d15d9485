import { describe, expect, it } from 'vitest';
import { createIndex, enableSimd, type SpatialIndex } from '../../src/standalone.js';
import { questionsAbout } from '../helpers/questions.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';

/** Where a world is, how large it is, and how large its boxes are. */
const WORLDS: [label: string, far: number, edge: number, size: number][] = [
  ['at the origin', 0, 100, 1],
  ['at 1e7, with boxes of 1e-3', 1e7, 1, 1e-3],
  ['at 1e12, with boxes of 1e-3', 1e12, 1, 1e-3],
  ['at 1e12, wide', 1e12, 1e6, 10],
  ['as large as 1e90', 0, 1e90, 1e80],
  ['as small as 1e-30', 0, 1e-30, 1e-32],
  ['of points on a few planes', 0, 4, 0],
];

class Twins {
  readonly packed: SpatialIndex;
  readonly list = createIndex('bruteForce');
  readonly live: number[] = [];

  constructor(planar: boolean) {
    this.packed = createIndex('packed', { planar });
  }

  add(boxes: number[][]): void {
    const ids = this.packed.addAll(boxes.flat());
    expect(this.list.addAll(boxes.flat())).toEqual(ids);
    this.live.push(...ids);
  }

  addOne(box: number[]): void {
    const id = this.packed.add(box);
    expect(this.list.add(box)).toBe(id);
    this.live.push(id);
  }

  moveAll(ids: number[], boxes: number[][]): void {
    this.packed.updateAll(Int32Array.from(ids), Float64Array.from(boxes.flat()));
    this.list.updateAll(ids, boxes.flat());
  }

  remove(id: number): void {
    this.packed.remove(id);
    this.list.remove(id);
    this.live.splice(this.live.indexOf(id), 1);
  }

  /** Compares the answers to all kinds of questions about the place of a box. */
  compare(box: number[], edge: number, next: () => number): void {
    const a = box.slice(0, 3);
    const b = a.map((c) => c + (next() - 0.5) * edge);
    for (const question of questionsAbout(a, b, [0, 0.1, 0.2 * next()][Math.floor(next() * 3)] * edge, next)) {
      const [mine, its] = [this.packed, this.list].map((index) => {
        const { ids, distances } = question(index);
        return [distances.length > 0 ? ids : ids.sort((x, y) => x - y), distances];
      });
      expect(mine, `${question}`).toEqual(its);
    }
  }
}

describe.each([true, false])('packed rows, with SIMD: %s', (simd) => {
  it.each(WORLDS)('answer as a plain list does in a world %s, while it changes, seed 1', (_label, far, edge, size) => {
    enableSimd(simd);
    const next = random(1);
    const twins = new Twins(false);
    const box = (): number[] => {
      const low = [0, 1, 2].map((c) => (c === 1 ? 0 : far) + (size === 0 ? Math.floor(next() * edge) : next() * edge));
      return [...low, ...low.map((v) => v + size * next())];
    };
    twins.add(Array.from({ length: 500 }, box));
    for (let round = 0; round < 15; round++) {
      const some = twins.live.filter(() => next() < [0.02, 0.9][round % 2]);
      const step = edge * 0.05;
      const moved = some.map((id) => {
        const [dx, dy, dz] = [next() * step, 0, -next() * step];
        return round % 3 === 0 ? box() : [...twins.packed.getBox(id)].map((v, c) => v + [dx, dy, dz][c % 3]);
      });
      twins.moveAll(some, moved);
      for (let i = 0; i < 10; i++) twins.addOne(box());
      for (let i = 0; i < 10; i++) twins.remove(twins.live[Math.floor(next() * twins.live.length)]);
      expect(validate(twins.packed)).toEqual([]);
      for (let i = 0; i < 5; i++)
        twins.compare(round % 2 ? box() : [...twins.packed.getBox(twins.live[i])], edge, next);
    }
    enableSimd(true);
  });
});

it('boxes at 1, 1e7, 1e12 and 1e300 at once are found, each where it is', () => {
  const next = random(2);
  const twins = new Twins(false);
  const box = (i: number): number[] => {
    const low = [0, 1, 2].map(() => [1, 1e7, 1e12, 1e300][i % 4] * (next() - 0.5));
    return [...low, ...low.map((v) => v + 1e-3)];
  };
  twins.add(Array.from({ length: 400 }, (_, i) => box(i)));
  twins.addOne([Number.NEGATIVE_INFINITY, 0, 0, Number.POSITIVE_INFINITY, 1, 1]);
  for (let i = 0; i < 40; i++) {
    twins.compare([...twins.packed.getBox(twins.live[i])], [1, 1e7, 1e12, 1e90][i % 4], next);
    twins.moveAll([twins.live[i]], [box(i + 1)]);
  }
  expect(validate(twins.packed)).toEqual([]);
});

it('a world that drifts far from where it was built is found there', () => {
  const next = random(3);
  const twins = new Twins(false);
  twins.add(
    Array.from({ length: 300 }, () => {
      const low = [next(), next(), next()];
      return [...low, ...low.map((v) => v + 0.05)];
    }),
  );
  for (let frame = 0; frame < 40; frame++) {
    const step = 2 ** (frame % 30);
    const some = twins.live.filter((_, i) => frame % 2 === 0 || i % 7 === frame % 7);
    twins.moveAll(
      some,
      some.map((id) => [...twins.packed.getBox(id)].map((v, c) => (c % 3 === 0 ? v + step : v))),
    );
    expect(validate(twins.packed)).toEqual([]);
    if (frame % 5 === 0) twins.compare([...twins.packed.getBox(twins.live[frame])], step, next);
  }
});
