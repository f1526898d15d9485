import { describe, expect, it } from 'vitest';
import {
  Capsule,
  createIndex,
  forEachNode,
  IdList,
  OrientedBox,
  Sector,
  type SpatialIndex,
  STRUCTURES,
  stats,
} from '../../src/standalone.js';
import { MINE } from '../helpers/badValues.js';
import { everything, findsThemAll, KNOWN, RAY, twelveItems, UNIT } from '../helpers/twelveItems.js';
import { validate } from '../helpers/validate.js';
import { atWidth } from '../helpers/width.js';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are the point
type Any = any;

const O = [0, 0, 0];
const AXES = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const SECTOR = { center: [0, 0], direction: [1, 0], radius: 1, angle: 1 };

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
      const index = twelveItems(name);
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
    const index = twelveItems(name);
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

const CALLS = atWidth(200, 60);

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
  `a getter of numbers that throws at its i-th call, i = 1 to ${CALLS}: %s is valid afterwards`,
  (name) => {
    for (let at = 1; at <= CALLS; at++) {
      const index = twelveItems(name);
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

it.each(STRUCTURES)(`a visitor that throws at its i-th call, i = 1 to ${CALLS}: %s is as it was`, (name) => {
  const index = createIndex(name, { capacity: 1 });
  for (let i = 0; i < 1000; i++) index.add([i, (i * 7) % 13, (i * 31) % 57, i + 0.5, 20, 60]);
  const before = index.queryBox([-99, -99, -99, 9999, 99, 99]).toArray();
  const { nodes } = stats(index);
  for (let at = 1; at <= CALLS; at++) {
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
