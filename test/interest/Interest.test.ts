import { expect, it } from 'vitest';
import { Interest, type ObserverOptions } from '../../src/interest.js';
import { BruteForce } from '../../src/standalone.js';

const index = new BruteForce();
const item = index.add([0, 0, 0, 1, 1, 1]);

it.each<[string, unknown, new () => Error]>([
  ['Interest.observe: options', null, TypeError],
  ['Interest.observe: options', 3, TypeError],
  ['Interest.observe: needs either', {}, TypeError],
  ['Interest.observe: needs either', { radius: 1, halfSize: [1, 1, 1] }, TypeError],
  ['Interest.observe: unknown option "colour"', { radius: 1, colour: 1 }, RangeError],
  ['Interest.observe.radius', { radius: '1' }, TypeError],
  ['Interest.observe.radius', { radius: Number.NaN }, RangeError],
  ['Interest.observe.radius', { radius: -1 }, RangeError],
  ['Interest.observe.halfSize', { halfSize: 3 }, TypeError],
  ['Interest.observe.halfSize', { halfSize: [1, '1', 1] }, TypeError],
  ['Interest.observe.halfSize', { halfSize: [1, -1, 1] }, RangeError],
  ['Interest.observe.halfSize', { halfSize: [1, 1, Infinity] }, RangeError],
  ['Interest.observe.position', { radius: 1, position: [0, 0, Number.NaN] }, RangeError],
  ['Interest.observe.hysteresis', { radius: 0, hysteresis: Infinity }, RangeError],
  ['Interest.observe.hysteresis', { radius: 1, hysteresis: -1 }, RangeError],
  ['Interest.observe.every', { radius: 1, every: 0 }, RangeError],
  ['Interest.observe.every', { radius: 1, every: 1.5 }, RangeError],
  ['Interest.observe.nearRadius', { radius: 1, nearRadius: Number.NaN }, RangeError],
  ['Interest.observe.most', { radius: 1, most: 0 }, RangeError],
  ['Interest.observe.most', { radius: 1, most: 1.5 }, RangeError],
  ['Interest.observe.mask', { radius: 1, mask: 1.5 }, RangeError],
  ['Interest.observe.item', { radius: 1, item: item + 1 }, RangeError],
  ['Interest.observe.item', { radius: 1, item: -1 }, RangeError],
  ['Interest.observe.item', { radius: 1, item: '0' }, RangeError],
])('%s is refused: %j', (name, options, kind) => {
  const interest = new Interest(index);
  const observe = (): unknown => interest.observe(options as ObserverOptions);
  expect(observe).toThrow(kind);
  expect(observe).toThrow(name);
  expect(interest.observers.size).toBe(0);
  // The turns of those who come later are as if nobody had asked.
  const observer = interest.observe({ radius: 2, every: 2 });
  interest.tick();
  expect([...observer.entered]).toEqual([item]);
});

it('the largest numbers that are legal make views', () => {
  const interest = new Interest(index);
  const { MAX_VALUE } = Number;
  const options = [
    { radius: Infinity, hysteresis: MAX_VALUE, nearRadius: Infinity, every: 2 },
    { radius: 0, position: [1, 1, 1], hysteresis: MAX_VALUE },
    { halfSize: [MAX_VALUE, 0, MAX_VALUE], hysteresis: MAX_VALUE },
  ];
  const observers = options.map((each) => interest.observe(each));
  for (let tick = 0; tick < 2; tick++) {
    interest.tick();
    for (const observer of observers) expect([...observer.inView]).toEqual([item]);
  }
});

it('an observer that goes with an item is not moved by hand, the other to finite places alone', () => {
  const interest = new Interest(index);
  const bound = interest.observe({ radius: 1, item });
  expect(() => bound.moveTo(0, 0, 0)).toThrow('Observer.moveTo: this observer follows an item; move the item instead');
  const free = interest.observe({ radius: 1, position: [5, 6, 7] });
  expect(() => free.moveTo(0, 0, Infinity)).toThrow(RangeError);
  expect(() => free.moveTo(0, '0' as unknown as number, 0)).toThrow(TypeError);
  expect([free.x, free.y, free.z]).toEqual([5, 6, 7]);
});

it('what is no index, item or mask is refused', () => {
  expect(() => new Interest({} as never)).toThrow('Interest.index');
  const interest = new Interest(index);
  expect(() => interest.setMask(item + 1, 1)).toThrow('Interest.setMask.item');
  for (const mask of [0.5, 2 ** 32, -(2 ** 31) - 1, Number.POSITIVE_INFINITY]) {
    expect(() => interest.setMask(item, mask)).toThrow('Interest.setMask.mask');
    expect(() => interest.observe({ radius: 1, mask })).toThrow('Interest.observe.mask');
  }
  for (const mask of [2 ** 32 - 1, -(2 ** 31), 0]) interest.setMask(item, mask);
  expect(() => interest.setMask(item, '1' as unknown as number)).toThrow(TypeError);
});

it.each<[string, unknown, unknown, new () => Error]>([
  ['Interest.setRange.range', item, -1, RangeError],
  ['Interest.setRange.range', item, Number.NaN, RangeError],
  ['Interest.setRange.range', item, '1', TypeError],
  ['Interest.setRange.range', item, undefined, TypeError],
  ['Interest.setRange.item', item + 1, 1, RangeError],
  ['Interest.setRange.item', '0', 1, RangeError],
  ['Interest.setRange.item', item + 1, null, RangeError],
  ['Interest.observersOf.item', item + 1, [], RangeError],
  ['Interest.observersOf.item', null, [], RangeError],
  ['Interest.observersOf.out', item, null, TypeError],
  ['Interest.observersOf.out', item, 3, TypeError],
])('%s is refused: %j %j', (name, id, value, kind) => {
  const interest = new Interest(index);
  const observer = interest.observe({ radius: 1 });
  interest.tick();
  const call = (): unknown =>
    name.startsWith('Interest.setRange')
      ? interest.setRange(id as number, value as number)
      : interest.observersOf(id as number, value as never);
  expect(call).toThrow(kind);
  expect(call).toThrow(name);
  interest.tick();
  expect([...observer.inView]).toEqual([item]);
});

it('lists stay the same objects, and are filled anew', () => {
  const own = new BruteForce();
  const [a, b] = [own.add([0, 0, 0, 0, 0, 0]), own.add([9, 0, 0, 9, 0, 0])];
  const interest = new Interest(own);
  for (const options of [{ radius: 3 }, { radius: 3, every: 2 }]) {
    const observer = interest.observe(options);
    const { inView, due, entered, left, replaced } = observer;
    for (const at of [0, 9, 4, 9, 0, 0]) {
      observer.moveTo(at, 0, 0);
      interest.tick();
      interest.tick();
      expect([observer.inView, observer.due, observer.entered, observer.left, observer.replaced]).toEqual([
        ...[inView, due, entered, left, replaced],
      ]);
      expect(inView).toBe(observer.inView);
      expect(due).toBe(observer.due);
      expect([...inView]).toEqual(at === 0 ? [a] : at === 9 ? [b] : []);
    }
  }
});

it('an observer is told when an id in view, or its own, belongs to another item', () => {
  const own = new BruteForce();
  const [a, b] = [own.add([0, 0, 0, 0, 0, 0]), own.add([1, 0, 0, 1, 0, 0])];
  const interest = new Interest(own);
  const [free, bound] = [interest.observe({ radius: 5 }), interest.observe({ radius: 5, item: a })];
  interest.tick();
  expect([bound.item, free.item]).toEqual([a, -1]);
  expect([...free.replaced]).toEqual([]);
  own.remove(a);
  expect(own.add([2, 0, 0, 2, 0, 0])).toBe(a);
  // Nobody has seen the new one yet.
  expect(interest.observersOf(a)).toEqual([]);
  interest.tick();
  expect([[...free.replaced], [...free.left], [...free.entered]]).toEqual([[a], [a], [a]]);
  expect([bound.item, [...bound.replaced], [...bound.entered]]).toEqual([-1, [], [a]]);
  expect(interest.observersOf(b)).toEqual([free, bound]);
  expect(interest.unobserve(free)).toBe(true);
  expect(interest.observersOf(b)).toEqual([bound]);
});

it('the items of an index that was filled before are seen, with masks and ranges', () => {
  const own = new BruteForce();
  const ids = own.addAll([0, 1, 2, 50].flatMap((x) => [x, 0, 0, x, 0, 0]));
  const interest = new Interest(own);
  const observer = interest.observe({ radius: 5, mask: 1 });
  interest.setMask(ids[1], 2);
  interest.setRange(ids[3], Number.POSITIVE_INFINITY);
  for (let tick = 0; tick < 2; tick++) {
    interest.tick();
    expect([...observer.inView].sort((a, b) => a - b)).toEqual([ids[0], ids[2], ids[3]]);
    expect(interest.observersOf(ids[2])).toEqual([observer]);
  }
  own.remove(ids[0]);
  interest.tick();
  expect([...observer.left]).toEqual([ids[0]]);
});

it('what is always relevant is in every view, before what is nearest', () => {
  const own = new BruteForce();
  const ids = [5, 1, 2, 1000].map((x) => own.add([x, 0, 0, x, 0, 0]));
  const interest = new Interest(own);
  const [few, all] = [interest.observe({ radius: 10, most: 2 }), interest.observe({ radius: 10 })];
  interest.setRange(ids[3], Number.POSITIVE_INFINITY);
  interest.setRange(ids[2], 1);
  interest.tick();
  expect([...few.inView].sort()).toEqual([ids[1], ids[3]].sort());
  expect([...all.inView].sort()).toEqual([ids[0], ids[1], ids[3]].sort());
  interest.setRange(ids[3], null);
  interest.setRange(ids[2], null);
  interest.tick();
  expect([...few.inView].sort()).toEqual([ids[1], ids[2]].sort());
  expect([...all.inView].sort()).toEqual([ids[0], ids[1], ids[2]].sort());
});

it('one that is let go sees nothing, and is let go once', () => {
  const interest = new Interest(index);
  const observer = interest.observe({ radius: 9 });
  interest.tick();
  expect(interest.unobserve(observer)).toBe(true);
  expect([observer.inView, observer.entered, observer.left, observer.due].map(({ length }) => length)).toEqual([
    0, 0, 0, 0,
  ]);
  expect(interest.unobserve(observer)).toBe(false);
});
