import { Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import {
  Capsule,
  createIndex,
  OrientedBox,
  Sector,
  type Shape,
  type SpatialIndex,
  STRUCTURES,
} from '../../../src/standalone.js';
import { DISTRIBUTIONS } from '../../helpers/distributions.js';
import { expectSameIds } from '../../helpers/expectSame.js';
import { random } from '../../helpers/random.js';
import { capsuleGap, type Gap, orientedBoxGap, randomAxes, sectorGap } from '../../helpers/shapeOracle.js';
import { VARIANTS } from '../../helpers/variants.js';

const SEEDS = [1];
const COUNT = 150;

interface Question {
  label: string;
  gap: Gap;
  ask(index: SpatialIndex): Iterable<number>;
  /** Rounding errors of the oracle, in world units. */
  rounding: number;
}

function questions(next: () => number, at: number[], size: number): Question[] {
  const near = (scale = 1): number[] => at.map((c) => c + (next() - 0.5) * size * scale);
  const some = (): number => (next() < 0.15 ? 0 : next() * size * 0.5);
  const rounding = 1e-12 * (size + Math.max(...at.map(Math.abs)));
  const center = near();
  const halfSize = [some(), some(), some()];
  const axes = randomAxes(next);
  const from = near();
  const to = next() < 0.1 ? from : next() < 0.3 ? [from[0], near()[1], from[2]] : near(2);
  const reach = some();
  const [direction, radius, angle] = [[next() - 0.5, next() - 0.5], some(), (1 - next()) * 2 * Math.PI];
  const apex = [center[0], center[2]];
  const flat = sectorGap(apex, direction, radius, angle);
  const [minY, maxY] = next() < 0.5 ? [at[1], at[1] + some()] : [undefined, undefined];
  return [
    {
      label: `oriented box ${center} half ${halfSize} axes ${axes}`,
      gap: orientedBoxGap(center, halfSize, axes),
      ask: (index) => index.queryShape(new OrientedBox(center, halfSize, axes)),
      rounding,
    },
    {
      label: `capsule from ${from} to ${to} radius ${reach}`,
      gap: capsuleGap(from, to, reach),
      ask: (index) => index.queryShape(new Capsule(from, to, reach)),
      rounding,
    },
    {
      label: `sector ${apex} along ${direction}, ${radius}, ${angle}, from ${minY} to ${maxY}`,
      gap: (b) => (minY !== undefined && (b[1] > maxY! || b[4] < minY) ? Number.POSITIVE_INFINITY : flat(b)),
      ask: (index) =>
        index.queryShape(
          new Sector({ center: apex, direction, radius, angle, ...(minY === undefined ? {} : { minY, maxY: maxY! }) }),
        ),
      rounding,
    },
  ];
}

describe.each(VARIANTS)('shapes in $label', ({ name, options }) => {
  describe.each(DISTRIBUTIONS)('on boxes $label', ({ make }) => {
    it.each(SEEDS)('touch what they touch, and what brute force says, seed %i', (seed) => {
      const boxes = make(seed, COUNT);
      const index = createIndex(name, options);
      index.addAll(boxes.slice(0, COUNT / 2).flat());
      for (const box of boxes.slice(COUNT / 2)) index.add(box);
      const plain = createIndex('bruteForce');
      plain.addAll(boxes.flat());
      const next = random(seed + 100);
      for (let i = 0; i < 10; i++) {
        const box = boxes[Math.floor(next() * COUNT)].map((c) => Math.max(-1e13, Math.min(1e13, c)));
        for (const question of questions(next, [box[0], box[1], box[2]], [0.5, 5, 50, 500, 1e6][i % 5])) {
          const got = [...question.ask(index)];
          expectSameIds(got, [...question.ask(plain)], question.label);
          if (name !== 'bruteForce') continue;
          const found = new Set(got);
          expect(found.size).toBe(got.length);
          const wrong = boxes.filter((b, id) => {
            const gap = question.gap(b);
            return Math.abs(gap) > question.rounding && found.has(id) !== gap < 0;
          });
          expect(wrong, question.label).toEqual([]);
        }
      }
    });
  });
});

const UNIT = [1, 0, 0, 0, 1, 0, 0, 0, 1];
/** Turned by 3-4-5: the corner of a box of half size 5 along its first axis is at 5 * (0.6, 0.8), all exact. */
const TURNED = [0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1];
const E = Number.EPSILON;
const { PI, SQRT1_2 } = Math;
const sector = (angle: number, direction = [1, 0], radius = 5): Sector =>
  new Sector({ center: [0, 0], direction, radius, angle });
const high = (minY?: number, maxY?: number): Sector =>
  new Sector({ center: [0, 0], direction: [1, 0], radius: 5, angle: 1, minY: minY!, maxY: maxY! });
const box = (...sides: number[]): number[] => sides;
const at = (x0: number, z0: number, x1: number, z1: number): number[] => [x0, 0, z0, x1, 1, z1];
const beam = (y: number): OrientedBox =>
  new OrientedBox([0, y, 0], [9, 1, 1], [SQRT1_2, 0, SQRT1_2, -0.5, SQRT1_2, 0.5, -0.5, -SQRT1_2, 0.5]);

/** Boxes that just touch a shape, and such that just do not. */
const TOUCHING: [label: string, shape: Shape, touching: number[][], apart: number[][]][] = [
  [
    'an oriented box, at a corner and a face; and beside it, within the box around it',
    new OrientedBox([0, 0, 0], [5, 0, 1], TURNED),
    [box(3, 4, 0, 9, 9, 9), box(3, 4, 1, 9, 9, 9), box(1, 0, 0, 2, 1.5, 1)],
    [box(3 + 8 * E, 4, 0, 9, 9, 9), box(3, 4, 1 + E, 9, 9, 9), box(1, 0, 0, 2, 1, 1)],
  ],
  [
    'an oriented box without extent, a point',
    new OrientedBox([1, 2, 3], [0, 0, 0], TURNED),
    [box(0, 0, 0, 1, 2, 3), box(1, 2, 3, 1, 2, 3)],
    [box(0, 0, 0, 1, 2, 3 - 4 * E)],
  ],
  // A beam at 45 degrees in XZ, turned about its length: only a cross product tells whether its edge crosses that of a box.
  ['a beam that passes just below an edge', beam(1.4), [box(-1, -1, -1, 1, 0, 1)], []],
  ['a beam that passes just above an edge', beam(1.42), [], [box(-1, -1, -1, 1, 0, 1)]],
  [
    'a capsule, at its side and its ends; and within the box around it, but beyond its round end',
    new Capsule([0, 0, 0], [10, 0, 0], 2),
    [box(4, 2, 0, 5, 3, 1), box(12, 0, 0, 13, 1, 1), box(-3, -1, -1, -2, 1, 1)],
    [box(4, 2 + 2 * E, 0, 5, 3, 1), box(12 + 8 * E, 0, 0, 13, 1, 1), box(11.5, 1.5, 0, 13, 3, 1)],
  ],
  [
    'a capsule in mid-way, 3-4-5 from an edge',
    new Capsule([3, 4, -50], [3, 4, 50], 5),
    [box(-1, -1, -1, 0, 0, 0)],
    [[-1, -1, -1, 0, -8 * E, 0]],
  ],
  [
    'a diagonal segment, at a corner',
    new Capsule([-8, 8, 0], [8, -8, 0], 0),
    [box(0, 0, 0, 1, 1, 1)],
    [[8 * E, 0, 0, 1, 1, 1]],
  ],
  ['the end of a segment from far away', new Capsule([-1e16, 0, 0], [0.3, 0, 0], 0), [box(0.3, 0, 0, 1, 1, 1)], []],
  ['a capsule without end', new Capsule([0, 0, 9], [5, 5, 9], Number.POSITIVE_INFINITY), [box(0, 0, 0, 1, 1, 1)], []],
  ...[0.1, 1, PI / 2, 3, PI, 4, 6, 2 * PI].map((angle): (typeof TOUCHING)[number] => [
    `a sector of ${angle}, at its apex and its arc, across and around, at a point within; behind it if it is a circle`,
    sector(angle),
    [
      ...[at(-1, -1, 0, 0), at(5, -1, 6, 0), at(1, -9, 2, 9), at(-9, -9, 9, 9), at(2, 0, 2, 0)],
      ...(angle === 2 * PI ? [at(-3, 0, -2, 0)] : []),
    ],
    [at(5 + 4 * E, -1, 6, 0), ...(angle === 2 * PI ? [] : [at(-3, 0, -2, 0)])],
  ]),
  ...[
    [1, 2],
    [3, -7],
    [-0.1, 0.7],
    [0.3, 0.1],
    [-11, -13],
  ].map(([x, z]): (typeof TOUCHING)[number] => [
    `a circle along ${x} ${z}, behind it: it has no gap`,
    sector(2 * PI, [x, z], 20),
    [at(-x, -z, -x, -z)],
    [],
  ]),
  [
    'half a circle, at its straight side and the corner 3-4-5 on its arc',
    sector(PI),
    [at(-1, 2, 0, 3), at(-1, 5, 0, 6), at(3, 4, 9, 9)],
    [at(-1, 2, -E, 3), at(3 + 4 * E, 4, 9, 9)],
  ],
  ['a quarter between the axes', sector(PI / 2, [1, 1]), [at(2, -1, 3, 0), at(-1, 5, 0, 6)], [at(2, -1, 3, -E)]],
  [
    'three quarters, with the quarter behind missing',
    sector(1.5 * PI, [1, 1]),
    [at(-2, -2, 0, -1)],
    [at(-2, -2, -1, -1)],
  ],
  [
    'three quarters the other way round',
    sector(1.5 * PI, [-1, -1], 10),
    [at(0, 1, 2, 2), at(-2, 1, -1, 2)],
    [at(1, 1, 2, 2)],
  ],
  ['a sector so thin that its edges are one number', sector(1e-300), [at(1, 0, 2, 1)], [at(-2, 0, -1, 1)]],
  ['a sector without radius', sector(1, [1, 0], 0), [at(0, 0, 0, 0)], [at(E, 0, 1, 1)]],
  ['a sector of any height', high(), [box(1, 2, 0, 2, 3, 1)], []],
  ['a sector from a height', high(3), [box(1, 2, 0, 2, 3, 1)], [box(1, 2, 0, 2, 3 - 2 * E, 1)]],
  ['a sector up to a height', high(-9, 2), [box(1, 2, 0, 2, 3, 1)], [box(1, 2 + 2 * E, 0, 2, 3, 1)]],
];

describe.each(STRUCTURES)('touching counts in %s:', (name) => {
  const touches = (box: number[], shape: Shape): boolean => {
    const index = createIndex(name, { capacity: 2 });
    // Company on all sides, so that there is a tree.
    for (let i = 0; i < 40; i++) index.add([100 + i, 7 * i, 100 - i, 101 + i, 7 * i, 100]);
    const id = index.add(box);
    return index.queryShape(shape).toArray().includes(id);
  };

  it.each(TOUCHING)('%s', (_label, shape, touching, apart) => {
    for (const box of touching) expect(touches(box, shape), `${box}`).toBe(true);
    for (const box of apart) expect(touches(box, shape), `${box}`).toBe(false);
  });

  it('an aligned oriented box answers as a box does, however its axes are named', () => {
    const next = random(3);
    const grid = (): number => Math.floor(next() * 9) / 64;
    const index = createIndex(name, { capacity: 4 });
    for (let i = 0; i < 300; i++) {
      const [x, y, z] = [grid(), grid(), grid()];
      index.add([x, y, z, x + grid() / 4, y + grid() / 4, z + grid() / 4]);
    }
    const turns = [UNIT, [0, 1, 0, 0, 0, 1, 1, 0, 0], [0, -1, 0, 1, 0, 0, 0, 0, 1], [-1, -0, 0, 0, 0, -1, -0, 1, 0]];
    let found = 0;
    for (let i = 0; i < 200; i++) {
      const c = [grid(), grid(), grid()];
      const h = [grid() / 8, grid() / 8, grid() / 8];
      const axes = turns[i % 4];
      const r = [0, 1, 2].map((k) => h.reduce((sum, s, j) => sum + s * Math.abs(axes[3 * j + k]), 0));
      const expected = [...index.queryBox([...c.map((v, k) => v - r[k]), ...c.map((v, k) => v + r[k])])];
      expectSameIds(index.queryShape(new OrientedBox(c, h, axes)), expected, `around ${c}, half ${h}, axes ${axes}`);
      found += expected.length;
    }
    expect(found).toBeGreaterThan(200);
  });

  it('a capsule without length is a ball', () => {
    const next = random(4);
    const index = createIndex(name, { capacity: 4 });
    for (let i = 0; i < 300; i++) {
      const [x, y, z] = [next(), next(), next()];
      index.add([x, y, z, x + next() / 8, y + next() / 8, z + next() / 8]);
    }
    for (let i = 0; i < 100; i++) {
      const [x, y, z] = [next(), next(), next()];
      const radius = next() / 4;
      const expected = [...index.querySphere(x, y, z, radius)];
      expectSameIds(index.queryShape(new Capsule([x, y, z], [x, y, z], radius)), expected, `${x} ${y} ${z} ${radius}`);
    }
  });

  it('a radius that is the distance, as far as numbers go, reaches', () => {
    const next = random(5);
    for (let i = 0; i < 60; i++) {
      const [x, z] = [-100 * Math.sqrt(next()), next()];
      const far = Math.sqrt(next());
      const before = [far, -9, -9, far + 1, 9, 9];
      expect(touches(before, new Capsule([x, 0, z], [x, 0, z], far - x))).toBe(true);
      const round = { center: [x, z], direction: [1, next() - 0.5], radius: far - x, angle: 1 + 5 * next() };
      expect(touches(before, new Sector(round))).toBe(true);
    }
  });
});

it.each(STRUCTURES)('%s: a sector of three quarters with edges along the axes passes by the fourth', (name) => {
  const index = createIndex(name);
  const corners = [-6, 5].flatMap((x) => [-6, 5].map((z) => [x, z]));
  for (const [x, z] of corners) index.add([x, 0, z, x + 1, 1, z + 1]);
  for (const side of [1, -1]) {
    const found = index.queryShape(
      new Sector({ center: [0, 0], direction: [side, side], radius: 20, angle: 1.5 * Math.PI }),
    );
    expect(found.sort().toArray()).toEqual(side > 0 ? [1, 2, 3] : [0, 1, 2]);
  }
});

describe('shapes', () => {
  const index = createIndex('looseOctree');
  for (let i = 0; i < 200; i++) index.add([i, 0, 0, i + 0.5, 1, 1]);
  const found = (shape: Shape): number[] => index.queryShape(shape).sort().toArray();

  it('take vectors as arrays and as objects alike', () => {
    const at = { x: 20, y: 0.5, z: 0.5 };
    const half = { x: 3, y: 1, z: 1 };
    const box = found(new OrientedBox(at, half, UNIT));
    expect(box).toEqual(found(new OrientedBox([20, 0.5, 0.5], [3, 1, 1], UNIT)));
    expect(box.length).toBeGreaterThan(5);
    const end = new Vector3(30, 0.5, 0.5);
    expect(found(new Capsule(at, end, 2))).toEqual(found(new Capsule([20, 0.5, 0.5], end.toArray(), 2)));
    const sector = { direction: { x: 1, z: 0 }, radius: 9, angle: 1 };
    expect(found(new Sector({ ...sector, center: end }))).toEqual(found(new Sector({ ...sector, center: [30, 0.5] })));
  });

  it('can be set again, and stay as they were when that throws', () => {
    const box = new OrientedBox([20, 0, 0], [3, 1, 1], UNIT);
    const capsule = new Capsule([20, 0, 0], [30, 0, 0], 2);
    const sector = new Sector({ center: [20, 0], direction: [1, 0], radius: 9, angle: 1 });
    const bad: [Shape, () => unknown][] = [
      [box, () => box.set([50, 0, 0], [1, 1, 1], [...UNIT.slice(0, 8), 2])],
      [capsule, () => capsule.set([50, 0, 0], [60, 0, 0], -1)],
      [sector, () => sector.set({ center: [50, 0], direction: [0, 0], radius: 1, angle: 1 })],
    ];
    for (const [shape, set] of bad) {
      const before = found(shape);
      expect(before.length).toBeGreaterThan(5);
      expect(set).toThrow(RangeError);
      expect(found(shape)).toEqual(before);
    }
    expect(found(box.set([50, 0, 0], [1, 1, 1], UNIT))).toEqual([49, 50, 51]);
    expect(found(capsule.set([50, 0, 0], [50, 0, 0], 1))).toEqual([49, 50, 51]);
    expect(found(sector.set({ center: [50, 0], direction: [1, 0], radius: 1, angle: 1 }))).toEqual([50, 51]);
  });

  it('set in a getter of their own arguments take these afterwards', () => {
    const capsule = new Capsule([0, 0, 0], [0, 0, 0], 0);
    const start = {
      x: 20,
      y: 0,
      get z() {
        capsule.set([90, 0, 0], [99, 0, 0], 1);
        return 0;
      },
    };
    expect(found(capsule.set(start, [22, 0, 0], 0))).toEqual([20, 21, 22]);
  });
});
