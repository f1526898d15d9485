import { describe, expect, it } from 'vitest';
import {
  Capsule,
  createIndex,
  IdList,
  OrientedBox,
  Sector,
  type SpatialIndex,
  STRUCTURES,
} from '../../src/standalone.js';
import { MINE } from '../helpers/badValues.js';
import { random } from '../helpers/random.js';
import { everything, findsThemAll, KNOWN, twelveItems, UNIT } from '../helpers/twelveItems.js';
import { validate } from '../helpers/validate.js';
import { atWidth } from '../helpers/width.js';

/** The same numbers; whenever the last of them is read, something is done first. */
function withGetter(numbers: readonly number[], before: () => void): number[] {
  const last = numbers.length - 1;
  return Object.defineProperty([...numbers], last, {
    get() {
      before();
      return numbers[last];
    },
  });
}

const FAR = [-9, -9, -9, -8, -8, -8];
const BOX = [1, 2, 3, 4, 5, 6];
const AXES = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const SECTOR = { center: [-9, -9], direction: [0, 1], radius: 2, angle: 1 };

const BOXES = [...UNIT, ...UNIT];
type Spring = (numbers: number[]) => number[];

/** Questions of each kind, whose numbers are read with something else happening meanwhile. */
const QUESTIONS = Object.entries<(index: SpatialIndex, spring: Spring) => Iterable<number>>({
  queryBox: (index, spring) => index.queryBox(spring([0, 0, 0, 20, 20, 20])),
  queryPlanes: (index, spring) => index.queryPlanes(spring([1, 0, 0, -10, -1, 0, 0, 30])),
  classify: (index, spring) => {
    const [inside, crossing] = [new IdList(), new IdList()];
    index.classify(spring([1, 0, 0, -10, -1, 0, 0, 30]), inside, crossing);
    return [...inside, ...crossing];
  },
  raycast: (index, spring) => index.raycast({ origin: spring([0, 0, 0]), direction: spring([1, 1, 1]) }).ids,
  raycastFirst: (index, spring) => index.raycastFirst({ origin: spring([0, 0, 0]), direction: spring([1, 1, 1]) }).ids,
  querySegment: (index, spring) => index.querySegment(spring([0, 0, 0]), spring([30, 30, 30])).ids,
  sweep: (index, spring) => index.sweep(spring([0, 0, 0, 1, 1, 1]), spring([30, 30, 30])).ids,
  orientedBox: (index, spring) => index.queryShape(new OrientedBox(spring([9, 9, 9]), spring([8, 8, 8]), spring(AXES))),
  capsule: (index, spring) => index.queryShape(new Capsule(spring([0, 0, 0]), spring([30, 30, 30]), 2)),
  sector: (index, spring) =>
    index.queryShape(new Sector({ ...SECTOR, center: spring([9, 9]), direction: spring([1, 1]), radius: 20 })),
});
const CALLS: [label: string, call: (index: SpatialIndex, spring: Spring) => unknown][] = [
  ['add', (index, spring) => index.add(spring(UNIT))],
  ['addAll', (index, spring) => index.addAll(spring(BOXES))],
  ['update', (index, spring) => index.update(5, spring(UNIT))],
  ['updateAll', (index, spring) => index.updateAll(spring([5, 6]), spring(BOXES))],
  ['removeAll', (index, spring) => index.removeAll(spring([...index.addAll(BOXES)]))],
  ...QUESTIONS,
];

function askElsewhere(index: SpatialIndex): void {
  index.queryBox(FAR);
  index.queryPlanes([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  index.raycast({ origin: FAR.slice(3), direction: [0, 1, 0] });
  index.querySegment(FAR.slice(3), FAR.slice(0, 3));
  index.sweep(FAR, [0, 1, 0]);
  index.queryShape(new OrientedBox(FAR.slice(3), [1, 1, 1], AXES));
  index.queryShape(new Capsule(FAR.slice(3), FAR.slice(0, 3), 1));
  index.queryShape(new Sector(SECTOR));
}

describe.each(STRUCTURES)('%s', (name) => {
  const filled = (): SpatialIndex => {
    const next = random(4);
    const index = createIndex(name);
    for (let i = 0; i < 300; i++) {
      const low = [next() * 60 - 20, next() * 60 - 20, next() * 60 - 20];
      index.add([...low, ...low.map((c) => c + 4)]);
    }
    return index;
  };

  it('takes the box it is given, whatever is placed meanwhile', () => {
    const index = filled();
    const other = filled();
    for (const where of [index, other]) {
      const id = index.add(withGetter(BOX, () => where.add(FAR)));
      expect([...index.getBox(id)]).toEqual(BOX);
      index.update(
        5,
        withGetter(BOX, () => where.update(7, FAR)),
      );
      expect([...index.getBox(5)]).toEqual(BOX);
      expect([...where.getBox(7)]).toEqual(FAR);
      expect(validate(index)).toEqual([]);
    }
  });

  it.each(QUESTIONS)('answers %s, whatever is asked meanwhile', (_label, ask) => {
    const index = filled();
    const expected = [...ask(index, (numbers) => numbers)];
    expect(expected.length).toBeGreaterThan(0);
    let springs = 0;
    const got = ask(index, (numbers) =>
      withGetter(numbers, () => {
        springs++;
        askElsewhere(index);
        expect(() => index.queryBox([0])).toThrow(RangeError);
      }),
    );
    expect([...got]).toEqual(expected);
    expect(springs).toBeGreaterThan(0);
  });

  it('reads each number once', () => {
    const index = filled();
    const expected = index.raycast({ origin: [0, 0, 0], direction: [1, 1, 1] }).ids;
    const reads = new Map<unknown, number>();
    const counting = (numbers: number[]): number[] =>
      new Proxy(numbers, {
        get(target, key) {
          if (typeof key === 'string' && /^\d/.test(key)) {
            const id = `${numbers.join()} ${key}`;
            reads.set(id, (reads.get(id) ?? 0) + 1);
          }
          return Reflect.get(target, key);
        },
      });
    expect(index.raycast({ origin: counting([0, 0, 0]), direction: counting([1, 1, 1]) }).ids).toEqual(expected);
    index.queryPlanes(counting([1, 2, 3, 4]));
    expect([...reads.values()]).toEqual(Array.from({ length: 10 }, () => 1));
  });

  it('files boxes of any class of arrays', () => {
    class Boxes extends Float64Array {
      static get [Symbol.species](): never {
        throw new Error('mine');
      }
    }
    const index = filled();
    const ids = index.addAll(Boxes.from([...BOX, ...FAR]));
    expect([...index.getBox(ids[0])]).toEqual(BOX);
    expect([...index.getBox(ids[1])]).toEqual(FAR);
    expect(validate(index)).toEqual([]);
  });

  it('refuses ends that are farther apart than numbers reach', () => {
    const index = filled();
    for (const far of [
      [1e308, 0, 0],
      [0, 1e308, 0],
      [0, 0, 1e308],
    ]) {
      const back = far.map((c) => -c);
      expect(() => index.querySegment(far, back)).toThrow(/^SpatialIndex.querySegment: from and to/);
      expect(() => index.queryShape(new Capsule(far, back, 1))).toThrow(/^Capsule: start and end/);
    }
    const ids = (x: number): number[] => {
      const { ids, length } = index.querySegment([-x, 0, 0], [x, 0, 0]);
      return [...ids.subarray(0, length)].sort((a, b) => a - b);
    };
    expect(ids(8e307)).toEqual(ids(100));
    expect(ids(100).length).toBeGreaterThan(0);
  });
});

describe.each(STRUCTURES)('a getter of %s that changes the index while it is read', (name) => {
  const CHANGES: [label: string, change: (index: SpatialIndex) => void][] = [
    ['removes the item', (index) => index.has(5) && index.remove(5)],
    ['removes all', (index) => index.clear()],
    ['adds', (index) => index.add([7, 7, 7, 9, 9, 9])],
    ['moves the item far away', (index) => index.has(5) && index.update(5, [999, 999, 999, 1000, 1000, 1000])],
    ['builds anew', (index) => index.rebuild()],
    ['asks', (index) => index.queryBox(UNIT)],
  ];
  it.each(CALLS.flatMap(([where, call]) => CHANGES.map(([what, change]) => ({ where, what, call, change }))))(
    'in $where, and $what: no item is lost or broken',
    ({ call, change }) => {
      const index = twelveItems(name);
      try {
        call(index, (numbers) => withGetter(numbers, () => change(index)));
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
    index.updateAll(ids as never, UNIT);
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

const MOST = atWidth(200, 60);

/** Numbers of which the one read at the i-th read of all throws, once. */
function springing(at: number): Spring {
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
  `a getter of numbers that throws at its i-th call, i = 1 to ${MOST}: %s is valid afterwards`,
  (name) => {
    for (let at = 1; at <= MOST; at++) {
      const index = twelveItems(name);
      const spring = springing(at);
      let thrown = 0;
      for (const [label, call] of [...CALLS, ...CALLS]) {
        const before = everything(index);
        const { size } = index;
        try {
          call(index, spring);
        } catch (error) {
          expect((error as Error).message).toBe(MINE);
          // That one adds first what it removes.
          if (label === 'removeAll') expect(index.size).toBe(size + 2);
          else expect(everything(index)).toBe(before);
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
