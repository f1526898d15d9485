import { afterEach, describe, expect, it } from 'vitest';
import { createIndex, enableSimd, IdList, type SpatialIndex } from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';

const made: SpatialIndex[] = [];

afterEach(() => {
  enableSimd(true);
  // Kernels are few; a cleared index gives its own back.
  for (const index of made.splice(0)) index.clear();
});

/** More than a kernel takes at a time. */
const COUNT = 1500;
const EDGE = 60;

function boxIn(next: () => number, edge: number): number[] {
  const low = [next() * edge, next() * edge, next() * edge];
  return [...low, ...low.map((v) => v + next())];
}

function filled(seed: number): SpatialIndex {
  const next = random(seed);
  const index = createIndex('packed');
  index.addAll(Array.from({ length: COUNT }, () => boxIn(next, EDGE)).flat());
  // Ids of these two are free.
  index.remove(70);
  index.remove(1400);
  made.push(index);
  return index;
}

const allBoxes = (index: SpatialIndex): number[][] =>
  Array.from({ length: COUNT }, (_, id) => (index.has(id) ? [...index.getBox(id)] : []));

interface Batch {
  ids: Int32Array;
  boxes: Float64Array | Float32Array;
}

/** How a batch is given: six numbers a box, or minima and maxima in two arrays. */
const FORMS: [
  label: string,
  give: (index: SpatialIndex, ids: Int32Array, boxes: Float64Array | Float32Array) => void,
][] = [
  ['doubles', (index, ids, boxes) => index.updateAll(ids, Float64Array.from(boxes))],
  ['singles', (index, ids, boxes) => index.updateAll(ids, Float32Array.from(boxes))],
  ['min and max in singles', (index, ids, boxes) => index.updateAll(ids, ...sides(Float32Array.from(boxes)))],
  ['min and max in doubles', (index, ids, boxes) => index.updateAll(ids, ...sides(Float64Array.from(boxes)))],
  [
    'plain min and singles max',
    (index, ids, boxes) => {
      const [min, max] = sides(Float32Array.from(boxes));
      index.updateAll(ids, [...min], max);
    },
  ],
];

function sides<T extends Float64Array | Float32Array>(boxes: T): [T, T] {
  return [boxes.filter((_, i) => i % 6 < 3) as T, boxes.filter((_, i) => i % 6 >= 3) as T];
}

const put = (array: Int32Array | Float64Array | Float32Array, at: number, value: number): void => {
  array[at] = value;
};

/** What one wrong id or box in a batch is, and what is said of it. */
const WRONG: [what: string, spoil: (batch: Batch, at: number) => void, said: RegExp][] = [
  ['an id never given', ({ ids }, at) => put(ids, at, COUNT), /no item 1500/],
  ['an id far away', ({ ids }, at) => put(ids, at, 2 ** 31 - 1), /no item 2147483647/],
  ['a negative id', ({ ids }, at) => put(ids, at, -1), /no item -1/],
  ['an id removed', ({ ids }, at) => put(ids, at, 1400), /no item 1400/],
  ...[0, 1, 2, 3, 4, 5].map((side): (typeof WRONG)[number] => [
    `NaN as number ${side}`,
    ({ boxes }, at) => put(boxes, 6 * at + side, Number.NaN),
    /NaN/,
  ]),
  ...[0, 1, 2].map((axis): (typeof WRONG)[number] => [
    `min beyond max on axis ${axis}`,
    ({ boxes }, at) => put(boxes, 6 * at + axis, boxes[6 * at + axis + 3] + 1e-5),
    /min must not exceed max/,
  ]),
];

describe.each(FORMS.flatMap(([form, give]) => [true, false].map((simd) => ({ form, give, simd }))))(
  'a batch of $form, with SIMD: $simd',
  ({ give, simd }) => {
    it.each(WRONG)('with %s is refused whole, wherever that is', (_what, spoil, said) => {
      enableSimd(simd);
      const next = random(3);
      const index = filled(2);
      const before = allBoxes(index);
      const { version } = index;
      const live = before.flatMap((box, id) => (box.length > 0 ? [id] : []));
      for (const count of [40, 700, live.length]) {
        for (const at of [0, 33, count - 1]) {
          const ids = Int32Array.from(live.slice(0, count));
          const boxes = Float32Array.from(Array.from(ids, () => boxIn(next, EDGE)).flat());
          spoil({ ids, boxes }, at);
          expect(() => give(index, ids, boxes)).toThrow(said);
          expect(() => give(index, ids, boxes)).toThrow(/^SpatialIndex\.updateAll: /);
        }
      }
      expect(allBoxes(index)).toEqual(before);
      expect(index.version).toBe(version);
      expect(validate(index)).toEqual([]);
    });

    it('without a box for each id is refused', () => {
      enableSimd(simd);
      const index = filled(2);
      const before = allBoxes(index);
      expect(() => give(index, new Int32Array(50), new Float64Array(6 * 49))).toThrow(/294 numbers for 50 ids/);
      expect(allBoxes(index)).toEqual(before);
    });

    it('counts as one change, an empty one too', () => {
      enableSimd(simd);
      const index = filled(2);
      for (const count of [0, 1, 60]) {
        const { version } = index;
        give(
          index,
          Int32Array.from({ length: count }, (_, i) => i),
          new Float64Array(6 * count),
        );
        expect(index.version).toBe(version + 1);
      }
    });
  },
);

/** Ids in order, in any order, or with some of them several times. */
const ORDERS: [label: string, pick: (i: number, next: () => number) => number][] = [
  ['counting up', (i) => 71 + i],
  ['in any order', (i) => 71 + ((i * 389) % 1300)],
  ['several times', (_, next) => 71 + Math.floor(next() * next() * 1300)],
];

describe.each(
  ORDERS.flatMap(([order, pick]) => FORMS.slice(0, 3).map(([form, give]) => ({ order, pick, form, give }))),
)('moves by ids $order, in $form', ({ pick, form, give }) => {
  it.each([1])('leave what a list holds, in the same order with and without SIMD, seed %i', (seed) => {
    const packed = [true, false].map((simd) => ({ simd, index: filled(seed), out: new IdList() }));
    const kept = (boxes: number[]): Float64Array =>
      Float64Array.from(form === 'doubles' ? boxes : Float32Array.from(boxes));
    const next = random(100 + seed);
    const list = allBoxes(packed[0].index);
    for (let frame = 0; frame < 12; frame++) {
      const ids = Int32Array.from({ length: [5, 40, 300, 1300][frame % 4] }, (_, i) => pick(i, next));
      // A few go so far that rows cannot hold them, and come back.
      const reach = [0.5, 10, 1e6][frame % 3];
      const boxes = kept(
        Array.from(ids, (id) => {
          if (next() < 0.02) return [Number.NEGATIVE_INFINITY, 0, 0, next(), 1, 1];
          if (next() < 0.1) return boxIn(next, reach);
          const by = [0, 1, 2].map(() => (next() - 0.5) * Math.min(reach, 4));
          return list[id].map((side, c) => (Number.isFinite(side) ? side : -9) + by[c % 3]);
        }).flat(),
      );
      for (let i = 0; i < ids.length; i++) list[ids[i]] = [...boxes.subarray(6 * i, 6 * i + 6)];
      const answers = packed.map(({ simd, index, out }) => {
        enableSimd(simd);
        give(index, ids, boxes);
        expect(validate(index)).toEqual([]);
        const others = allBoxes(index).filter((box, id) => box.some((side, c) => !Object.is(side, list[id][c])));
        expect(others).toEqual([]);
        return [index.queryBox([0, 0, 0, 30, 30, 30], out).toArray(), index.queryPlanes([1, 0, 0, -9], out).toArray()];
      });
      expect(answers[1]).toEqual(answers[0]);
      const found = list.flatMap(([x, y, z, u, v, w], id) =>
        x <= 30 && y <= 30 && z <= 30 && u >= 0 && v >= 0 && w >= 0 ? [id] : [],
      );
      expect(answers[0][0].sort((a, b) => a - b)).toEqual(found);
    }
  });
});
