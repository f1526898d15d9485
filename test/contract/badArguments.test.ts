import { describe, expect, it } from 'vitest';
import {
  Capsule,
  createIndex,
  forEachNode,
  Hits,
  IdList,
  OrientedBox,
  Sector,
  type SpatialIndex,
  STRUCTURES,
  type StructureName,
  stats,
} from '../../src/standalone.js';
import { type Any, any, type BadValues, type Refusal, refusalsOf, testRefusals } from '../helpers/refusals.js';
import { validate } from '../helpers/validate.js';

const [T, R] = [TypeError, RangeError];
const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
const O = [0, 0, 0];
const UNIT = [0, 0, 0, 1, 1, 1];
const AXES = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const RAY = { origin: O, direction: [1, 0, 0] };
const SECTOR = { center: [0, 0], direction: [1, 0], radius: 1, angle: 1 };
/** A copy of an array with something else at one place. */
const put = (array: unknown[], place: number, value: unknown): unknown[] =>
  Object.assign([...array], { [place]: value });

const BOXES: BadValues[] = [
  [T, null, null, undefined, 7, '123456', {}],
  [T, 'x', put(UNIT, 2, 'x')],
  [T, 'null', put(UNIT, 2, null)],
  [T, 'undefined', Object.assign(new Array(6), [0, 0, 0, 1, 1])],
  [R, '5', [0, 0, 0, 1, 1]],
  [R, 'NaN', put(UNIT, 4, nan), new Float32Array([nan, 0, 0, 1, 1, 1])],
  [R, '3 0 0 1 1 1', put(UNIT, 0, 3)],
  [R, 'Infinity', [inf, inf, inf, -inf, -inf, -inf]],
];
/** Of which 2 is dead, and 99 was never used. */
const IDS: BadValues[] = [[R, null, 2, 99, -1, 0.5, nan, inf, 2 ** 32, '0', null, undefined, {}, Symbol('id'), 0n]];
const PLANES: BadValues[] = [
  [T, null, null, 3, 'abcd'],
  [T, 'x', [1, 0, 0, 'x']],
  [R, '5', [1, 0, 0, 1, 1]],
  [R, '124', new Array(124).fill(0)],
];
const RAYS: BadValues[] = [
  [T, null, null, undefined, 1],
  [T, 'origin.*undefined', { direction: O }],
  [T, 'direction.*undefined', { origin: O }],
  [T, 'origin.*x', { ...RAY, origin: [0, 'x', 0] }],
  [R, 'origin.*NaN', { ...RAY, origin: [0, nan, 0] }],
  [R, 'origin.*Infinity', { ...RAY, origin: [0, inf, 0] }],
  [R, 'origin.*2', { ...RAY, origin: [0, 0] }],
  [R, 'direction.*0 0 0', { ...RAY, direction: O }],
  [R, 'direction.*NaN', { ...RAY, direction: [nan, 0, 1] }],
  [R, 'direction.*Inf', { ...RAY, direction: [inf, 0, 0] }],
  [T, '1', { ...RAY, near: '1' }],
  [T, 'null', { ...RAY, far: null }],
  [R, '-1', { ...RAY, near: -1 }, { ...RAY, margin: -1 }],
  [R, 'NaN', { ...RAY, near: nan }, { ...RAY, far: nan }, { ...RAY, margin: nan }],
  [R, '5 and 4', { ...RAY, near: 5, far: 4 }],
  [R, 'Infinity', { ...RAY, margin: inf }],
];

/** What is no vector of so many numbers. */
function vectors(count: number): BadValues[] {
  const good = new Array(count).fill(0);
  return [
    [T, null, null, undefined, 3, '0'.repeat(count)],
    [T, 'x', put(good, count - 1, 'x')],
    [T, 'undefined', Object.assign(new Array(count), [0])],
    [R, `${count + 1}`, [...good, 0]],
    [R, `${count - 1}`, good.slice(1)],
    [R, 'NaN', put(good, count - 1, nan)],
    [R, '-Infinity', put(good, 0, -inf)],
  ];
}

const index = (
  name: string,
  call: (index: SpatialIndex, value: Any) => unknown,
  values: BadValues[],
): Refusal<SpatialIndex>[] => refusalsOf(`SpatialIndex.${name}`, call, values);

const BAD: Refusal<SpatialIndex>[] = [
  ...index('add', (index, box) => index.add(box), BOXES),
  ...index('update', (index, box) => index.update(0, box), BOXES),
  ...index('queryBox', (index, box) => index.queryBox(box), BOXES),
  ...index('update', (index, id) => index.update(id, UNIT), IDS),
  ...index('remove', (index, id) => index.remove(id), IDS),
  ...index('getBox', (index, id) => index.getBox(id), IDS),
  ...index('updateAll', (index, [ids, boxes]) => index.updateAll(ids, boxes), [
    [T, 'null', [null, UNIT], [[0], null]],
    [R, '6 .* 2', [[0, 1], UNIT]],
    [
      R,
      'no item 999',
      [
        [0, 999],
        [...UNIT, ...UNIT],
      ],
    ],
    [
      R,
      'NaN',
      [
        [0, 1],
        [...UNIT, ...put(UNIT, 5, nan)],
      ],
    ],
  ]),
  ...index('updateAll', (index, [ids, min, max]) => index.updateAll(ids, min, max), [
    [T, 'null', [[0], O, null], [[0], null, O]],
    [T, 'x', [[0], O, put(O, 1, 'x')], [[0], put(O, 2, 'x'), O]],
    [R, '3 and 6', [[0], O, [...O, ...O]]],
    [R, '4 and 4', [[0], [...O, 0], [...O, 0]]],
    [R, '6 numbers for 2 ids', [[0, 1], O, O]],
    [R, 'no item 2', [[2], O, O]],
    [R, '0 0 1 0 0 0', [[0], [0, 0, 1], O]],
    [R, 'NaN', [[0], O, put(O, 1, nan)], [[0], new Float32Array([nan, 0, 0]), O]],
  ]),
  ...index('addAll', (index, [min, max]) => index.addAll(min, max), [
    [T, 'null', [O, null], [null, O]],
    [R, '3 and 0', [O, []]],
    [
      R,
      '2 and 2',
      [
        [0, 0],
        [0, 0],
      ],
    ],
    [R, '0 5 0 0 0 0', [[0, 5, 0], O]],
  ]),
  ...index('removeAll', (index, ids) => index.removeAll(ids), [
    [T, null, null, undefined, 3, '03', {}],
    [R, 'no item 2', [0, 2], [2, 0], Int32Array.of(0, 1, 2), [0, 3, 2, 4]],
    [R, 'no item 99', [99], Int32Array.of(4, 3, 99), Float64Array.of(99)],
    [R, 'no item -1', [0, -1], Int32Array.of(0, -1)],
    [R, 'no item 0.5', [0, 0.5], Float32Array.of(1, 0.5)],
    [R, 'no item .*1', [0, '1']],
    [R, 'item 3 is listed twice', [3, 3], [0, 3, 1, 3], Int32Array.of(3, 0, 1, 4, 3)],
  ]),
  ...index('addAll', (index, boxes) => index.addAll(boxes), [
    [T, null, null, 6, '123456'],
    [T, '', new Array(6).fill(UNIT)],
    [R, '7', [...UNIT, 1]],
    [R, 'NaN', [...UNIT, ...UNIT, ...put(UNIT, 5, nan)]],
    [R, '2 0 0 1', [...UNIT, ...put(UNIT, 0, 2)]],
  ]),
  ...index('queryPoint', (index, [x, y, z]) => index.queryPoint(x, y, z), [
    [R, 'NaN', [0, nan, 0]],
    [T, 'x', [0, 0, 'x']],
    [T, 'undefined', []],
  ]),
  ...index('querySphere', (index, [x, y, z, radius]) => index.querySphere(x, y, z, radius), [
    [R, 'NaN', [nan, 0, 0, 1], [...O, nan]],
    [R, 'Infinity', [0, inf, 0, 1]],
    [R, '-1', [...O, -1]],
    [T, '1', [0, '1', 0, 1]],
    [T, '5', [...O, '5']],
    [T, 'null', [...O, null]],
    [T, 'undefined', O],
  ]),
  ...index('translate', (index, [x, y, z]) => index.translate(x, y, z), [
    [T, 'undefined', []],
    [T, 'x', [0, 'x', 0]],
    [R, 'NaN', [0, 0, nan]],
    [R, 'Infinity', [inf, 0, 0]],
  ]),
  ...index('nearest', (index, [x, y, z, count, distance]) => index.nearest(x, y, z, count, distance), [
    [R, '0', [...O, 0]],
    [R, '1.5', [...O, 1.5]],
    [R, 'NaN', [...O, nan], [0, nan, 0], [...O, 1, nan]],
    [R, '-3', [...O, -3]],
    [T, '5', [...O, '5']],
    [R, 'Infinity', [0, 0, inf]],
    [R, '-1', [...O, 1, -1]],
  ]),
  ...index('queryPlanes', (index, planes) => index.queryPlanes(planes), PLANES),
  ...index('classify', (index, planes) => index.classify(planes, new IdList(), new IdList()), PLANES),
  ...index('classify', (index, list) => index.classify([], list, list), [[R, '', new IdList()]]),
  ...index('raycast', (index, ray) => index.raycast(ray), RAYS),
  ...index('raycastFirst', (index, ray) => index.raycastFirst(ray), RAYS),
  ...index('queryShape', (index, shape) => index.queryShape(shape), [
    [T, null, null, UNIT],
    [T, 'object', { region: null, path: null, isRegion: false, touches: () => true }],
  ]),
  // Whoever names these.
  ['classify without the first list', T, /./, (index) => index.classify([], any(undefined), new IdList())],
  ['classify without the second list', T, /./, (index) => index.classify([], new IdList(), any(undefined))],
  ['queryBox into null', T, /./, (index) => index.queryBox(UNIT, any(null))],
  ['forEachNode of nothing', T, /./, (index) => forEachNode(index, any(undefined))],
  ...refusalsOf('OrientedBox.center', (_, v) => new OrientedBox(v, O, AXES), vectors(3)),
  ...refusalsOf('OrientedBox.halfSize', (_, v) => new OrientedBox(O, v, AXES), [
    ...vectors(3),
    [R, '1 -2 3', [1, -2, 3]],
  ]),
  ...refusalsOf('OrientedBox.axes', (_, v) => new OrientedBox(O, O, v), [
    ...vectors(9),
    [R, '0 0 0', put(AXES, 0, 0)],
    [R, '1.00001', put(AXES, 4, 1.00001)],
    [R, '0.00001', put(AXES, 1, 0.00001)],
    [R, '', [1, 0, 0, 1, 0, 0, 0, 0, 1]],
  ]),
  ...refusalsOf('Capsule.start', (_, v) => new Capsule(v, O, 1), vectors(3)),
  ...refusalsOf('Capsule.end', (_, v) => new Capsule(O, v, 1), vectors(3)),
  ...refusalsOf('Capsule.radius', (_, v) => new Capsule(O, O, v), [
    [R, null, -1, nan],
    [T, null, '5', undefined],
  ]),
  ...refusalsOf('Sector', (_, v) => new Sector(v), [[T, null, null, 4]]),
  ...refusalsOf('Sector.center', (_, v) => new Sector({ ...SECTOR, center: v }), vectors(2)),
  ...refusalsOf('Sector.direction', (_, v) => new Sector({ ...SECTOR, direction: v }), [
    ...vectors(2),
    [R, '0 0', [0, -0]],
  ]),
  ...refusalsOf('Sector.radius', (_, v) => new Sector({ ...SECTOR, radius: v }), [[R, null, -1, inf, nan]]),
  ...refusalsOf('Sector.angle', (_, v) => new Sector({ ...SECTOR, angle: v }), [
    [R, '0$', 0],
    [R, null, -1, nan, 90],
  ]),
  ...refusalsOf('Sector', (_, v) => new Sector({ ...SECTOR, ...v }), [
    [T, '1, 1, -Infinity, Infinity', { radius: '1' }],
    [T, 'undefined', { radius: undefined }, { angle: undefined }],
    [R, '3 and 2', { minY: 3, maxY: 2 }],
    [R, 'NaN and Infinity', { minY: nan }],
    [R, '-Infinity and NaN', { maxY: nan }],
    [T, 'null', { maxY: null }],
  ]),
];

/** Five items of which id 2 is dead. */
function fiveLessOne(name: StructureName): SpatialIndex {
  const index = createIndex(name, { capacity: 2 });
  for (let i = 0; i < 5; i++) index.add([i, 0, 0, i + 0.5, 1, 1]);
  index.remove(2);
  return index;
}

function everything(index: SpatialIndex): unknown {
  const { size, version } = index;
  const boxes = [0, 1, 2, 3, 4].map((id) => index.has(id) && [...index.getBox(id)]);
  const all = index.queryBox([-9, -9, -9, 99, 99, 99]).toArray();
  const ray = index.raycast({ origin: [-1, 0.5, 0.5], direction: [1, 0, 0] });
  return { size, version, boxes, all, hits: [...ray.ids.subarray(0, ray.length)], stats: stats(index) };
}

describe.each(STRUCTURES)('%s refuses, and stays as it was:', (name) => {
  testRefusals(
    BAD,
    () => fiveLessOne(name),
    everything,
    (index) => {
      expect(validate(index)).toEqual([]);
      expect(index.add(UNIT)).toBe(2);
    },
  );

  it('nothing that has() is asked', () => {
    const index = fiveLessOne(name);
    for (const id of [2, 9, -1, 0.5, nan, inf, '0', null, undefined, {}, [0], Symbol('s'), 0n])
      expect(index.has(any(id))).toBe(false);
    expect(index.has(0)).toBe(true);
  });

  it('a visitor that throws at its i-th call, or edits', () => {
    const index = createIndex(name, { capacity: 2 });
    for (let i = 0; i < 40; i++) index.add([i, i % 7, 0, i + 0.5, 8, 1]);
    const { nodes } = stats(index);
    for (let i = 1; i <= nodes; i++) {
      let calls = 0;
      expect(() =>
        forEachNode(index, () => {
          if (++calls === i) throw new Error('mine');
        }),
      ).toThrow('mine');
      expect(index.queryPlanes([]).length).toBe(40);
      expect(validate(index)).toEqual([]);
    }
    let calls = 0;
    forEachNode(index, () => {
      if (calls++ === 0) index.clear();
      index.add(UNIT);
    });
    expect(calls).toBe(nodes);
    expect(index.size).toBe(nodes);
    expect(validate(index)).toEqual([]);
  });

  it('no later change of an array that was given', () => {
    const index = createIndex(name);
    const box = [...UNIT];
    const id = index.add(box);
    const many = new Float64Array([...UNIT, ...UNIT]);
    const [a, b] = index.addAll(many);
    box.fill(9);
    many.fill(nan);
    for (const each of [id, a, b]) expect([...index.getBox(each)]).toEqual(UNIT);
    const next = [2, 2, 2, 3, 3, 3];
    index.update(id, next);
    next.fill(9);
    const out = index.getBox(id);
    expect([...out]).toEqual([2, 2, 2, 3, 3, 3]);
    out.fill(7);
    index.getBounds().fill(7);
    expect([...index.getBox(id)]).toEqual([2, 2, 2, 3, 3, 3]);
    expect([...index.getBounds()]).toEqual([0, 0, 0, 3, 3, 3]);
    expect(validate(index)).toEqual([]);
  });

  it('to mix up results: lists are overwritten from the start, and new ones are independent', () => {
    const index = createIndex(name, { capacity: 2 });
    const ids = [...index.addAll(Array.from({ length: 60 }, (_, i) => [i, 0, 0, i + 0.5, 1, 1]).flat())];
    const list = new IdList();
    expect(index.queryBox([0, 0, 0, 100, 1, 1], list)).toBe(list);
    expect(list.toArray().sort((a, b) => a - b)).toEqual(ids);
    index.queryPoint(3.25, 0.5, 0.5, list);
    expect(list.toArray()).toEqual([ids[3]]);
    index.querySphere(500, 0, 0, 1, list);
    expect(list.toArray()).toEqual([]);
    const hits = new Hits();
    const along = { origin: [-1, 0.5, 0.5], direction: [2, 0, 0] };
    expect(index.raycast(along, hits)).toBe(hits);
    expect(hits.length).toBe(60);
    index.raycastFirst(along, hits);
    expect([hits.length, hits.ids[0], hits.distances[0]]).toEqual([1, ids[0], 1]);
    index.raycast({ ...along, direction: [-1, 0, 0] }, hits);
    expect(hits.length).toBe(0);
    const seen: number[] = [];
    for (const id of index.queryBox([0, 0, 0, 10, 1, 1])) {
      for (const other of index.querySphere(id, 0, 0, 0.25)) seen.push(other);
      const { length } = index.raycast(along);
      expect(length).toBe(60);
    }
    expect(seen.sort((a, b) => a - b)).toEqual(ids.slice(0, 11));
  });

  it('nothing of a ray or planes that are legal, however odd', () => {
    const index = fiveLessOne(name);
    const hit = { origin: [-1, 0.5, 0.5], direction: [1, -0, 0], near: 0, far: inf };
    expect(index.raycast(hit).length).toBe(4);
    expect(index.raycast({ ...hit, direction: [5e-324, 0, 0] }).length).toBe(4);
    expect(index.raycast({ ...hit, direction: [1e308, 0, 0] }).length).toBe(4);
    // Of any length but zero, although the square root of the sum of squares is beyond all numbers.
    expect(() => index.raycast({ ...hit, direction: [1.7e308, 1.7e308, 1.7e308] })).not.toThrow();
    expect(index.queryPlanes([]).length).toBe(4);
    expect(index.queryPlanes([nan, 0, 0, -1e9]).length).toBe(4);
    expect(index.queryPlanes([1, 0, 0, nan]).length).toBe(4);
    expect(index.querySphere(0, 0, 0, inf).length).toBe(4);
    expect(index.querySphere(0, 0, 0, 0).length).toBe(1);
  });
});
