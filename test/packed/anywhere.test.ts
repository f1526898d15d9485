import { describe, expect, it } from 'vitest';
import { createIndex, enableSimd, Hits, IdList, type SpatialIndex } from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';
import { atWidth } from '../helpers/width.js';

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

  /** Compares the answers of all kinds of questions about the place of a box. */
  compare(box: number[], edge: number, next: () => number): void {
    const { packed, list } = this;
    const [a, b, c, d] = [new IdList(), new IdList(), new IdList(), new IdList()];
    const [h, k] = [new Hits(), new Hits()];
    const [x, y, z] = box;
    const same = (what: string): void => expect([...a.sort()], what).toEqual([...b.sort()]);
    const sameHits = (what: string): void => {
      expect([...h.ids.subarray(0, h.length)], what).toEqual([...k.ids.subarray(0, k.length)]);
      expect([...h.distances.subarray(0, h.length)], what).toEqual([...k.distances.subarray(0, k.length)]);
    };
    packed.queryBox(box, a);
    list.queryBox(box, b);
    same('box');
    packed.queryPoint(x, y, z, a);
    list.queryPoint(x, y, z, b);
    same('point');
    for (const radius of [0, edge * 0.2 * next(), Number.POSITIVE_INFINITY]) {
      packed.querySphere(x, y, z, radius, a);
      list.querySphere(x, y, z, radius, b);
      same('sphere');
    }
    const planes = Array.from({ length: Math.floor(next() * 8) }, (_, i) => {
      const normal = [0, 1, 2].map((axis) => (i % 4 === axis ? 0 : next() - 0.5));
      return [...normal, -normal[0] * x - normal[1] * y - normal[2] * z + (i % 2) * next() * 0.1 * edge];
    }).flat();
    packed.queryPlanes(planes, a);
    list.queryPlanes(planes, b);
    same('planes');
    packed.classify(planes, a, c);
    list.classify(planes, b, d);
    same('inside');
    expect([...c.sort()]).toEqual([...d.sort()]);
    const direction = [0, 1, 2].map((axis) => (next() < 0.3 && axis !== 1 ? 0 : next() - 0.5));
    const rays = [
      { origin: [x, y, z], direction },
      { origin: [x, y, z], direction, near: 0.1 * edge, far: 0.5 * edge, margin: 0.01 * edge },
    ];
    for (const ray of rays) {
      packed.raycast(ray, h);
      list.raycast(ray, k);
      sameHits('ray');
      packed.raycastFirst(ray, h);
      list.raycastFirst(ray, k);
      sameHits('first hit');
    }
    const motion = direction.map((v) => v * edge * (next() < 0.2 ? 0 : 1));
    packed.sweep(box, motion, h);
    list.sweep(box, motion, k);
    sameHits('sweep');
    for (const [count, most] of [
      [1, Number.POSITIVE_INFINITY],
      [7, 0.1 * edge],
      [Number.POSITIVE_INFINITY, 0.3 * edge],
    ]) {
      packed.nearest(x, y, z, count, most, h);
      list.nearest(x, y, z, count, most, k);
      sameHits('nearest');
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
    for (let round = 0; round < atWidth(30, 10); round++) {
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
  for (let frame = 0; frame < atWidth(60, 30); frame++) {
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
