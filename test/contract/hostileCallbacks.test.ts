import { describe, expect, it } from 'vitest';
import {
  Capsule,
  createIndex,
  FrustumTracker,
  OrientedBox,
  Sector,
  type SpatialIndex,
  STRUCTURES,
} from '../../src/standalone.js';
import { random } from '../helpers/random.js';
import { validate } from '../helpers/validate.js';

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

/** Two questions of each kind, about places far from each other. */
const QUESTIONS = Object.entries<(index: SpatialIndex, spring: (numbers: number[]) => number[]) => Iterable<number>>({
  queryBox: (index, spring) => index.queryBox(spring([0, 0, 0, 20, 20, 20])),
  queryPlanes: (index, spring) => index.queryPlanes(spring([1, 0, 0, -10, -1, 0, 0, 30])),
  raycast: (index, spring) => index.raycast({ origin: spring([0, 0, 0]), direction: spring([1, 1, 1]) }).ids,
  raycastFirst: (index, spring) => index.raycastFirst({ origin: spring([0, 0, 0]), direction: spring([1, 1, 1]) }).ids,
  querySegment: (index, spring) => index.querySegment(spring([0, 0, 0]), spring([30, 30, 30])).ids,
  sweep: (index, spring) => index.sweep(spring([0, 0, 0, 1, 1, 1]), spring([30, 30, 30])).ids,
  orientedBox: (index, spring) => index.queryShape(new OrientedBox(spring([9, 9, 9]), spring([8, 8, 8]), spring(AXES))),
  capsule: (index, spring) => index.queryShape(new Capsule(spring([0, 0, 0]), spring([30, 30, 30]), 2)),
  sector: (index, spring) =>
    index.queryShape(new Sector({ ...SECTOR, center: spring([9, 9]), direction: spring([1, 1]), radius: 20 })),
});

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
    new FrustumTracker(index).update(counting([4, 3, 2, 1]));
    expect([...reads.values()]).toEqual(Array.from({ length: 14 }, () => 1));
  });

  it('has a view that is as it was when its planes throw', () => {
    const index = filled();
    const planes = [1, 0, 0, -10];
    const view = new FrustumTracker(index);
    view.update(planes);
    const visible = [...view.visible];
    const bad = withGetter([-1, 0, 0, 10], () => {
      throw new Error('mine');
    });
    expect(() => view.update(bad)).toThrow('mine');
    expect([...view.visible]).toEqual(visible);
    expect(view.update(planes)).toBe(false);
    expect([...view.visible]).toEqual(visible);
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

  it('refuses to write a box where there is no room for it', () => {
    const index = filled();
    for (const out of [null, 5, {}, [0, 0, 0, 0, 0, 0], new Float32Array(6)]) {
      expect(() => index.getBox(0, out as never)).toThrow(/^SpatialIndex.getBox: /);
      expect(() => index.getBounds(out as never)).toThrow(TypeError);
    }
    expect(() => index.getBox(0, new Float64Array(5))).toThrow(RangeError);
    expect(() => index.getBounds(new Float64Array(5))).toThrow(RangeError);
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
