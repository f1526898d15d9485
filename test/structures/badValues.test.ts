import { describe, expect, it } from 'vitest';
import {
  Bvh,
  Capsule,
  createIndex,
  enableSimd,
  FrustumTracker,
  findPairs,
  findPairsBetween,
  forEachNode,
  Grid,
  Hits,
  IdList,
  IdPairs,
  LooseOctree,
  maintain,
  Octree,
  OrientedBox,
  polygonsOverlap,
  Sector,
  type SpatialIndex,
  STRUCTURES,
  type StructureName,
  stats,
  toBytes,
  validate,
} from '../../src/standalone.js';
import { attempt } from '../helpers/attempt.js';
import { BAD_VALUES, MINE } from '../helpers/badValues.js';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are the point
type Any = any;
/** A public call with the value at one of its places; `changes` for those that may succeed and then change the index. */
type Entry = [label: string, call: (index: SpatialIndex, value: Any) => unknown, changes?: 'changes'];

const UNIT = [0, 0, 0, 1, 1, 1];
const O = [0, 0, 0];
const AXES = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const RAY = { origin: [-1, 0.5, 0.5], direction: [1, 0, 0] };
const SECTOR = { center: [0, 0], direction: [1, 0], radius: 1, angle: 1 };

/** The same with the value as each of these properties. */
const properties = (
  where: string,
  good: object,
  names: string[],
  call: (index: SpatialIndex, value: Any) => unknown,
): Entry[] =>
  names.map((name) => [
    `${where}.${name}`,
    (index, value) => call(index, Object.assign({ ...good }, { [name]: value })),
  ]);

const ENTRIES: Entry[] = [
  ['add', (index, v) => index.add(v), 'changes'],
  ['addAll', (index, v) => index.addAll(v), 'changes'],
  ['update id', (index, v) => index.update(v, UNIT), 'changes'],
  ['update box', (index, v) => index.update(0, v), 'changes'],
  ['updateAll ids', (index, v) => index.updateAll(v, UNIT), 'changes'],
  ['updateAll an id', (index, v) => index.updateAll([0, v], [...UNIT, ...UNIT]), 'changes'],
  ['updateAll boxes', (index, v) => index.updateAll([0], v), 'changes'],
  ['remove', (index, v) => index.remove(v), 'changes'],
  ['has', (index, v) => index.has(v)],
  ['getBox id', (index, v) => index.getBox(v)],
  ['getBox out', (index, v) => index.getBox(0, v)],
  ['getBounds out', (index, v) => index.getBounds(v)],
  ['queryBox', (index, v) => index.queryBox(v)],
  ['box out', (index, v) => index.queryBox(UNIT, v)],
  ['point x', (index, v) => index.queryPoint(v, 0, 0)],
  ['point y', (index, v) => index.queryPoint(0, v, 0)],
  ['point z', (index, v) => index.queryPoint(0, 0, v)],
  ['point out', (index, v) => index.queryPoint(0, 0, 0, v)],
  ['sphere x', (index, v) => index.querySphere(v, 0, 0, 1)],
  ['sphere y', (index, v) => index.querySphere(0, v, 0, 1)],
  ['sphere z', (index, v) => index.querySphere(0, 0, v, 1)],
  ['sphere radius', (index, v) => index.querySphere(0, 0, 0, v)],
  ['sphere out', (index, v) => index.querySphere(0, 0, 0, 1, v)],
  ['orientedBox center', (index, v) => index.queryShape(new OrientedBox(v, O, AXES))],
  ['orientedBox halfSize', (index, v) => index.queryShape(new OrientedBox(O, v, AXES))],
  ['orientedBox axes', (index, v) => index.queryShape(new OrientedBox(O, O, v))],
  ['orientedBox out', (index, v) => index.queryShape(new OrientedBox(O, O, AXES), v)],
  ['capsule start', (index, v) => index.queryShape(new Capsule(v, O, 1))],
  ['capsule end', (index, v) => index.queryShape(new Capsule(O, v, 1))],
  ['capsule radius', (index, v) => index.queryShape(new Capsule(O, O, v))],
  ['capsule out', (index, v) => index.queryShape(new Capsule(O, O, 1), v)],
  ['sector', (index, v) => index.queryShape(new Sector(v))],
  ...properties('sector', SECTOR, ['center', 'direction', 'radius', 'angle', 'minY', 'maxY'], (index, v) =>
    index.queryShape(new Sector(v)),
  ),
  ['sector out', (index, v) => index.queryShape(new Sector(SECTOR), v)],
  ['queryShape', (index, v) => index.queryShape(v)],
  ['queryPlanes', (index, v) => index.queryPlanes(v)],
  ['frustum out', (index, v) => index.queryPlanes([], v)],
  ['classify', (index, v) => index.classify(v, new IdList(), new IdList())],
  ['classify inside', (index, v) => index.classify([], v, new IdList())],
  ['classify intersecting', (index, v) => index.classify([], new IdList(), v)],
  ['raycast', (index, v) => index.raycast(v)],
  ...properties('ray', RAY, ['origin', 'direction', 'near', 'far', 'margin'], (index, v) => index.raycast(v)),
  ['ray out', (index, v) => index.raycast(RAY, v)],
  ['raycastFirst', (index, v) => index.raycastFirst(v)],
  ...properties('rayFirst', RAY, ['origin', 'direction', 'near', 'far', 'margin'], (index, v) => index.raycastFirst(v)),
  ['rayFirst out', (index, v) => index.raycastFirst(RAY, v)],
  ['segment from', (index, v) => index.querySegment(v, O)],
  ['segment to', (index, v) => index.querySegment(O, v)],
  ['segment out', (index, v) => index.querySegment(O, O, v)],
  ['sweep box', (index, v) => index.sweep(v, O)],
  ['sweep motion', (index, v) => index.sweep(UNIT, v)],
  ['sweep out', (index, v) => index.sweep(UNIT, O, v)],
  ['sweepFirst box', (index, v) => index.sweepFirst(v, O)],
  ['sweepFirst motion', (index, v) => index.sweepFirst(UNIT, v)],
  ['sweepFirst out', (index, v) => index.sweepFirst(UNIT, O, v)],
  ['nearest x', (index, v) => index.nearest(v, 0, 0)],
  ['nearest y', (index, v) => index.nearest(0, v, 0)],
  ['nearest z', (index, v) => index.nearest(0, 0, v)],
  ['nearest count', (index, v) => index.nearest(0, 0, 0, v)],
  ['nearest maxDistance', (index, v) => index.nearest(0, 0, 0, 9, v)],
  ['nearest out', (index, v) => index.nearest(0, 0, 0, 9, 9, v)],
  ['findPairs', (_, v) => findPairs(v)],
  ['findPairs out', (index, v) => findPairs(index, v)],
  ['findPairsBetween', (index, v) => findPairsBetween(index, v)],
  ['validate', (_, v) => validate(v)],
  ['toBytes', (_, v) => toBytes(v)],
  ['findPairsBetween out', (index, v) => findPairsBetween(index, index, v)],
  ['forEachNode', (index, v) => forEachNode(index, v)],
  ['maintain', (index, v) => maintain(index, v)],
  ['view', (_, v) => new FrustumTracker(v)],
  ['view planes', (index, v) => new FrustumTracker(index).update(v)],
];

/** Twelve items of which id 2 is dead. */
function fixture(name: StructureName): SpatialIndex {
  const index = createIndex(name, { capacity: 2 });
  for (let i = 0; i < 12; i++) index.add([i, i % 7, 0, i + 1.5, 8, 1]);
  index.remove(2);
  return index;
}

const KNOWN = Array.from({ length: 12 }, (_, i) => i).filter((i) => i !== 2);

/** All that an index says of its items, in one string. */
function everything(index: SpatialIndex): string {
  const boxes = KNOWN.map((id) => [...index.getBox(id)].join());
  const all = index.queryBox([-99, -99, -99, 99, 99, 99]).sort().toArray();
  const hits = index.raycast(RAY);
  const { size, version } = index;
  return [size, version, index.has(2), boxes, all, hits.ids.slice(0, hits.length)].join('|');
}

const findsThemAll = (index: SpatialIndex, ids: readonly number[]): boolean =>
  ids.every((id) => !index.has(id) || [...index.queryBox(index.getBox(id))].includes(id));

describe.each(STRUCTURES)('whatever is given to %s, in', (name) => {
  it.each(ENTRIES)('%s: it is taken or refused, and the index is in order', (_label, call, changes) => {
    const problems: string[] = [];
    let index = fixture(name);
    const before = everything(index);
    for (const value of BAD_VALUES) {
      const isRefused = attempt(value, (v) => call(index, v), problems);
      if (changes) problems.push(...validate(index).map((text) => `${value.label}: ${text}`));
      if (isRefused || !changes) {
        if (everything(index) !== before) problems.push(`${value.label}: something changed`);
        continue;
      }
      if (!findsThemAll(index, KNOWN)) problems.push(`${value.label}: not all are found`);
      index = fixture(name);
    }
    problems.push(...validate(index));
    expect(problems.join('\n')).toBe('');
  });
});

describe('whatever is given to', () => {
  const make = (options: Any): SpatialIndex[] => STRUCTURES.map((name) => createIndex(name, options));
  const OPTIONS = ['capacity', 'maxDepth', 'minCellSize', 'planar', 'looseness', 'cellSize', 'margin'];
  const CALLS: [label: string, call: (value: Any) => unknown][] = [
    ['createIndex as name', (v) => createIndex(v)],
    ['createIndex as options', (v) => make(v)],
    ...OPTIONS.map((name): [string, (value: Any) => unknown] => [`createIndex as ${name}`, (v) => make({ [name]: v })]),
    ['Octree', (v) => new Octree(v)],
    ['LooseOctree', (v) => new LooseOctree(v)],
    ['Grid', (v) => new Grid(v)],
    ['Bvh', (v) => new Bvh(v)],
    ['polygonsOverlap first', (v) => polygonsOverlap(v, [0, 0])],
    ['polygonsOverlap second', (v) => polygonsOverlap([0, 0, 1, 1, 0, 1], v)],
    ['enableSimd', (v) => enableSimd(v)],
  ];
  it.each(CALLS)('%s: it is taken or refused, with words', (_label, call) => {
    const before = enableSimd(true);
    const problems: string[] = [];
    for (const value of BAD_VALUES) attempt(value, call, problems);
    enableSimd(before);
    expect(problems.join('\n')).toBe('');
  });

  it.each([
    ['IdList', () => new IdList()],
    ['Hits', () => new Hits()],
    ['IdPairs', () => new IdPairs()],
  ])('reserve of %s: the list goes on to work', (_label, makeList: () => IdList | Hits | IdPairs) => {
    const index = fixture('octree');
    for (const value of BAD_VALUES) {
      const list: Any = makeList();
      // What the runtime says about lengths is good enough for lists.
      try {
        if (!(typeof value.make() === 'number' && (value.make() as number) > 1e6)) list.reserve(value.make());
      } catch (error) {
        expect(error, value.label).toBeInstanceOf(Error);
      }
      const got =
        list instanceof IdList
          ? index.queryBox(UNIT, list)
          : list instanceof Hits
            ? index.raycast(RAY, list)
            : findPairs(index, list);
      expect(got.length, value.label).toBeGreaterThan(0);
    }
  });
});

describe.each(STRUCTURES)('a getter of %s that changes the index while it is read', (name) => {
  const BOXES = [...UNIT, ...UNIT];
  /** The same numbers, of which the last is a getter that calls back first. */
  const restless = (numbers: number[], change: () => void): number[] =>
    Object.defineProperty([...numbers], numbers.length - 1, {
      get() {
        change();
        return numbers.at(-1);
      },
    });
  const CHANGES: [label: string, change: (index: SpatialIndex) => void][] = [
    ['removes the item', (index) => index.has(5) && index.remove(5)],
    ['removes all', (index) => index.clear()],
    ['adds', (index) => index.add([7, 7, 7, 9, 9, 9])],
    ['moves the item far away', (index) => index.has(5) && index.update(5, [999, 999, 999, 1000, 1000, 1000])],
    ['builds anew', (index) => index.rebuild()],
    ['asks', (index) => index.queryBox(UNIT)],
  ];
  const CALLS: [label: string, call: (index: SpatialIndex, change: () => void) => void][] = [
    ['add', (index, change) => index.add(restless(UNIT, change))],
    ['addAll', (index, change) => index.addAll(restless(BOXES, change))],
    ['update', (index, change) => index.update(5, restless(UNIT, change))],
    ['updateAll by ids', (index, change) => index.updateAll(restless([5, 6], change), BOXES)],
    ['updateAll by boxes', (index, change) => index.updateAll([5, 6], restless(BOXES, change))],
    ['queryBox', (index, change) => index.queryBox(restless(UNIT, change))],
    ['raycast', (index, change) => index.raycast({ ...RAY, origin: restless(O, change) })],
  ];
  it.each(CALLS.flatMap(([where, call]) => CHANGES.map(([what, change]) => ({ where, what, call, change }))))(
    'in $where, and $what: no item is lost or broken',
    ({ call, change }) => {
      const index = fixture(name);
      try {
        call(index, () => change(index));
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
      expect(validate(index)).toEqual([]);
      expect(findsThemAll(index, KNOWN)).toBe(true);
      const live = Array.from({ length: 60 }, (_, id) => id).filter((id) => index.has(id));
      expect(live.length).toBe(index.size);
    },
  );

  it('in ids that are others when read again, or spoils the boxes: nothing dead is given a box', () => {
    const index = fixture(name);
    let reads = 0;
    const ids = { length: 1 };
    Object.defineProperty(ids, 0, { get: () => (reads++ === 0 ? 5 : 99) });
    index.updateAll(ids as Any, UNIT);
    expect([...index.getBox(5)]).toEqual(UNIT);
    const boxes = new Float64Array(UNIT);
    const spoiling = Object.defineProperty([0], 0, {
      get() {
        boxes.fill(Number.NaN);
        return 5;
      },
    });
    expect(() => index.updateAll(spoiling, boxes)).toThrow(RangeError);
    expect(validate(index)).toEqual([]);
    expect([...index.getBox(5)]).toEqual(UNIT);
  });
});

/** Numbers of which the one read at the i-th read of all throws, once. */
function springing(at: number): (numbers: number[]) => number[] {
  let reads = 0;
  return (numbers) =>
    new Proxy(numbers, {
      get(target, key) {
        if (++reads === at) throw new Error(MINE);
        return Reflect.get(target, key);
      },
    });
}

it.each(STRUCTURES)(
  'a getter of numbers that throws at its i-th call, i = 1 to 200: %s is valid afterwards',
  (name) => {
    for (let at = 1; at <= 200; at++) {
      const index = fixture(name);
      const spring = springing(at);
      const steps: (() => unknown)[] = [
        () => index.add(spring(UNIT)),
        () => index.update(7, spring([9, 9, 9, 10, 10, 10])),
        () => index.addAll(spring([...UNIT, ...UNIT, ...UNIT])),
        () => index.updateAll(spring([3, 4, 5]), spring([...UNIT, ...UNIT, ...UNIT])),
        () => index.queryBox(spring(UNIT)),
        () => index.raycast({ origin: spring(O), direction: spring([1, 0, 0]) }),
        () => index.querySegment(spring(O), spring(UNIT.slice(3))),
        () => index.sweep(spring(UNIT), spring(O)),
        () => index.queryPlanes(spring([1, 0, 0, 0, 0, 1, 0, 0])),
        () => index.queryShape(new OrientedBox(spring(O), spring(O), spring(AXES))),
        () => index.queryShape(new Capsule(spring(O), spring(O), 1)),
        () => index.queryShape(new Sector({ ...SECTOR, center: spring([0, 0]), direction: spring([1, 0]) })),
        () => index.raycastFirst({ origin: spring(O), direction: spring([1, 0, 0]) }),
        () => index.sweepFirst(spring(UNIT), spring(O)),
        () => index.classify(spring([1, 0, 0, 0, 0, 1, 0, 0]), new IdList(), new IdList()),
        () => index.queryPlanes(spring(Array.from({ length: 16 }, () => 1))),
      ];
      let thrown = 0;
      for (const step of steps) {
        const before = everything(index);
        try {
          step();
        } catch (error) {
          expect((error as Error).message).toBe(MINE);
          expect(everything(index)).toBe(before);
          thrown++;
        }
      }
      expect(thrown, `at ${at}`).toBe(1);
      expect(validate(index)).toEqual([]);
      expect(index.add(UNIT)).toBeGreaterThanOrEqual(0);
      expect(findsThemAll(index, KNOWN)).toBe(true);
    }
  },
);

it.each(STRUCTURES)('a visitor that throws at its i-th call, i = 1 to 200: %s is as it was', (name) => {
  const index = createIndex(name, { capacity: 1 });
  for (let i = 0; i < 1000; i++) index.add([i, (i * 7) % 13, (i * 31) % 57, i + 0.5, 20, 60]);
  const before = index.queryBox([-99, -99, -99, 9999, 99, 99]).toArray();
  const { nodes } = stats(index);
  for (let at = 1; at <= 200; at++) {
    let calls = 0;
    const visit = (): void => {
      if (++calls === at) throw new Error(MINE);
    };
    if (at <= nodes) expect(() => forEachNode(index, visit)).toThrow(MINE);
    else forEachNode(index, visit);
    expect(index.queryBox([-99, -99, -99, 9999, 99, 99]).toArray()).toEqual(before);
  }
  expect(validate(index)).toEqual([]);
});
