import { describe, expect, it } from 'vitest';
import * as core from '../../src/standalone.js';
import { attempt } from '../helpers/attempt.js';
import { BAD_VALUES } from '../helpers/badValues.js';
import type { Any } from '../helpers/refusals.js';
import { everything, findsThemAll, KNOWN, RAY, twelveItems, UNIT } from '../helpers/twelveItems.js';
import { validate } from '../helpers/validate.js';

/** A public call with the value at one of its places; `changes` for those that may succeed and then change the index. */
type Entry = [label: string, call: (index: core.SpatialIndex, value: Any) => unknown, changes?: 'changes'];

const O = [0, 0, 0];
const AXES = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const SECTOR = { center: [0, 0], direction: [1, 0], radius: 1, angle: 1 };

/** The same with the value as each of these properties. */
const properties = (
  where: string,
  good: object,
  names: string[],
  call: (index: core.SpatialIndex, value: Any) => unknown,
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
  ['updateAll max', (index, v) => index.updateAll([0], O, v), 'changes'],
  ['addAll max', (index, v) => index.addAll(O, v), 'changes'],
  ['remove', (index, v) => index.remove(v), 'changes'],
  ['removeAll', (index, v) => index.removeAll(v), 'changes'],
  ['removeAll an id', (index, v) => index.removeAll([0, v]), 'changes'],
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
  ['orientedBox center', (index, v) => index.queryShape(new core.OrientedBox(v, O, AXES))],
  ['orientedBox halfSize', (index, v) => index.queryShape(new core.OrientedBox(O, v, AXES))],
  ['orientedBox axes', (index, v) => index.queryShape(new core.OrientedBox(O, O, v))],
  ['orientedBox out', (index, v) => index.queryShape(new core.OrientedBox(O, O, AXES), v)],
  ['capsule start', (index, v) => index.queryShape(new core.Capsule(v, O, 1))],
  ['capsule end', (index, v) => index.queryShape(new core.Capsule(O, v, 1))],
  ['capsule radius', (index, v) => index.queryShape(new core.Capsule(O, O, v))],
  ['capsule out', (index, v) => index.queryShape(new core.Capsule(O, O, 1), v)],
  ['sector', (index, v) => index.queryShape(new core.Sector(v))],
  ...properties('sector', SECTOR, ['center', 'direction', 'radius', 'angle', 'minY', 'maxY'], (index, v) =>
    index.queryShape(new core.Sector(v)),
  ),
  ['sector out', (index, v) => index.queryShape(new core.Sector(SECTOR), v)],
  ['queryShape', (index, v) => index.queryShape(v)],
  ['queryPlanes', (index, v) => index.queryPlanes(v)],
  ['frustum out', (index, v) => index.queryPlanes([], v)],
  ['classify', (index, v) => index.classify(v, new core.IdList(), new core.IdList())],
  ['classify inside', (index, v) => index.classify([], v, new core.IdList())],
  ['classify intersecting', (index, v) => index.classify([], new core.IdList(), v)],
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
  ['findPairs', (_, v) => core.findPairs(v)],
  ['findPairs out', (index, v) => core.findPairs(index, v)],
  ['findPairsBetween', (index, v) => core.findPairsBetween(index, v)],
  ['findPairsBetween out', (index, v) => core.findPairsBetween(index, index, v)],
  ['forEachNode', (index, v) => core.forEachNode(index, v)],
  ['maintain', (index, v) => core.maintain(index, v)],
];

describe.each(core.STRUCTURES)('whatever is given to %s, in', (name) => {
  it.each(ENTRIES)('%s: it is taken or refused, and the index is in order', (_label, call, changes) => {
    const problems: string[] = [];
    let index = twelveItems(name);
    const before = everything(index);
    for (const value of BAD_VALUES) {
      const isRefused = attempt(value, (v) => call(index, v), problems);
      if (changes) problems.push(...validate(index).map((text) => `${value.label}: ${text}`));
      if (isRefused || !changes) {
        if (everything(index) !== before) problems.push(`${value.label}: something changed`);
        continue;
      }
      if (!findsThemAll(index, KNOWN)) problems.push(`${value.label}: not all are found`);
      index = twelveItems(name);
    }
    problems.push(...validate(index));
    expect(problems.join('\n')).toBe('');
  });
});

describe('whatever is given to', () => {
  const make = (options: Any): core.SpatialIndex[] => core.STRUCTURES.map((name) => core.createIndex(name, options));
  const OPTIONS = ['capacity', 'maxDepth', 'minCellSize', 'planar', 'looseness', 'cellSize'];
  const CALLS: [label: string, call: (value: Any) => unknown][] = [
    ['createIndex as name', (v) => core.createIndex(v)],
    ['createIndex as options', (v) => make(v)],
    ...OPTIONS.map((name): [string, (value: Any) => unknown] => [`createIndex as ${name}`, (v) => make({ [name]: v })]),
    ['Octree', (v) => new core.Octree(v)],
    ['LooseOctree', (v) => new core.LooseOctree(v)],
    ['Grid', (v) => new core.Grid(v)],
    ['Bvh', (v) => new core.Bvh(v)],
    ['enableSimd', (v) => core.enableSimd(v)],
  ];
  it.each(CALLS)('%s: it is taken or refused, with words', (_label, call) => {
    const before = core.enableSimd(true);
    const problems: string[] = [];
    for (const value of BAD_VALUES) attempt(value, call, problems);
    core.enableSimd(before);
    expect(problems.join('\n')).toBe('');
  });

  it.each([
    ['IdList', () => new core.IdList()],
    ['Hits', () => new core.Hits()],
    ['IdPairs', () => new core.IdPairs()],
  ])('reserve of %s: the list goes on to work', (_label, makeList: () => core.IdList | core.Hits | core.IdPairs) => {
    const index = twelveItems('octree');
    for (const value of BAD_VALUES) {
      const list: Any = makeList();
      // What the runtime says about lengths is good enough for lists.
      try {
        if (!(typeof value.make() === 'number' && (value.make() as number) > 1e6)) list.reserve(value.make());
      } catch (error) {
        expect(error, value.label).toBeInstanceOf(Error);
      }
      const got =
        list instanceof core.IdList
          ? index.queryBox(UNIT, list)
          : list instanceof core.Hits
            ? index.raycast(RAY, list)
            : core.findPairs(index, list);
      expect(got.length, value.label).toBeGreaterThan(0);
    }
  });
});
