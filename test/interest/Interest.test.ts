import { describe, expect, it } from 'vitest';
import { Interest } from '../../src/interest.js';
import { BruteForce } from '../../src/standalone.js';
import * as kinds from '../helpers/kinds.js';
import { args, at, call, type Kind, numbers, optional, parts, testPlaces, together, within } from '../helpers/kinds.js';
import { type Any, refusalsOf } from '../helpers/refusals.js';

const [T, R] = [TypeError, RangeError];
const { POSITIVE_INFINITY: inf, MAX_VALUE: most } = Number;

/** Items at these places along x. */
function itemsAt(...places: number[]): { index: BruteForce; ids: number[]; interest: Interest } {
  const index = new BruteForce();
  const ids = places.map((x) => index.add([x, 0, 0, x, 0, 0]));
  return { index, ids, interest: new Interest(index) };
}

describe('whatever is given to', () => {
  const id: Kind = (value) => (value === 0 ? null : R);
  const mask = kinds.number((v) => Number.isInteger(v) && v >= -(2 ** 31) && v < 2 ** 32);
  const whole = kinds.number((v) => Number.isInteger(v) && v >= 1);
  const three = (isGood: (c: number) => boolean) =>
    numbers(
      (n) => n === 3,
      (all) => all.every((c) => Number.isFinite(c) && isGood(c)),
    );
  const signatures = [
    call<Interest>('Interest.observe', (interest, value: Any) => interest.observe(value), at(kinds.whatever)),
    ...parts<Interest>({ radius: within(0), halfSize: three((c) => c >= 0) }, (part, kind) =>
      call(
        'Interest.observe',
        (interest, value) => interest.observe({ [part]: value }),
        at((value) => (value === undefined ? undefined : kind(value))),
      ),
    ),
    ...parts<Interest>(
      {
        position: optional(three(() => true)),
        hysteresis: optional(within(0, most)),
        every: optional(whole),
        nearRadius: optional(within(0)),
        most: optional((value) => (value === inf ? null : whole(value))),
        mask: optional(mask),
        item: optional(id),
      },
      (part, kind) =>
        call(`Interest.observe.${part}`, (of, value) => of.observe({ radius: 1, [part]: value }), at(kind)),
    ),
    call<Interest>('Interest.setMask', (interest, ...all) => interest.setMask(all[0], all[1]), at(id, 0), at(mask, 1)),
    call<Interest>(
      'Interest.setRange',
      (interest, ...all) => interest.setRange(all[0], all[1]),
      at(id, 0),
      at((value) => (value === null ? null : within(0)(value)), 1),
    ),
    call<Interest>(
      'Interest.observersOf',
      (interest, item, out) => interest.observersOf(item, out),
      at(id, 0),
      at(optional(kinds.only((v) => Array.isArray(v) && !Object.isFrozen(v)))),
    ),
    call<Interest>(
      'Observer.moveTo',
      (interest, x, y, z) => [...interest.observers][0].moveTo(x, y, z),
      ...[0, 0, 0].map((zero) => at(kinds.finite, zero)),
    ),
  ];
  const refused = [
    ...refusalsOf<Interest>('Interest.observe', (interest, options) => interest.observe(options), [
      [T, 'needs either', {}, { radius: 1, halfSize: [1, 1, 1] }],
      [R, 'unknown option "colour"', { radius: 1, colour: 1 }],
    ]),
    ...together<Interest>('Interest', (_, options: Any) => new Interest(new BruteForce(), options), [
      T,
      'options',
      args(null),
    ]),
    ...together<Interest>('Interest.index', (_, index) => new Interest(index), [T, '', args({}), args(null)]),
  ];
  const make = (): Interest => {
    const { interest } = itemsAt(1);
    interest.observe({ radius: 2 });
    return interest;
  };
  const tell = ({ observers, ticks }: Interest): string =>
    [ticks, ...[...observers].map(({ x, y, z, inView }) => [x, y, z, ...inView])].join('|');
  const faults = (interest: Interest): string[] => {
    const late = interest.observe({ radius: inf });
    interest.setMask(0, -1);
    interest.setRange(0, null);
    interest.tick();
    return late.inView.length === 1 ? [] : ['the item is not seen'];
  };
  testPlaces(signatures, refused, /observe|setMask|setRange|moveTo/, make, tell, faults);
});

it('who is refused takes no turn of those who come later', () => {
  const { interest, ids } = itemsAt(0);
  expect(() => interest.observe({ radius: -1 })).toThrow('Interest.observe.radius');
  expect(() => interest.observe({ radius: 1, item: 99 })).toThrow('Interest.observe.item');
  const observer = interest.observe({ radius: 2, every: 2 });
  interest.tick();
  expect([...observer.entered]).toEqual(ids);
});

it('the largest numbers that are legal make views', () => {
  const { interest, ids } = itemsAt(0);
  const options = [
    { radius: inf, hysteresis: most, nearRadius: inf, every: 2 },
    { radius: 0, position: [0, 0, 0], hysteresis: most },
    { halfSize: [most, 0, most], hysteresis: most },
  ];
  const observers = options.map((each) => interest.observe(each));
  for (let tick = 0; tick < 2; tick++) {
    interest.tick();
    for (const observer of observers) expect([...observer.inView]).toEqual(ids);
  }
});

it('an observer that goes with an item is not moved by hand', () => {
  const { interest, ids } = itemsAt(0);
  const bound = interest.observe({ radius: 1, item: ids[0] });
  expect(() => bound.moveTo(0, 0, 0)).toThrow('Observer.moveTo: this observer follows an item; move the item instead');
});

it('lists stay the same objects, and are empty once an observer is let go', () => {
  const { interest, ids } = itemsAt(0, 9);
  for (const options of [{ radius: 3 }, { radius: 3, every: 2 }]) {
    const observer = interest.observe(options);
    const listsOf = () => [observer.inView, observer.due, observer.entered, observer.left, observer.replaced];
    const lists = listsOf();
    for (const at of [0, 9, 4, 9, 0, 0]) {
      observer.moveTo(at, 0, 0);
      interest.tick();
      interest.tick();
      expect(listsOf().every((list, i) => list === lists[i])).toBe(true);
      expect([...lists[0]]).toEqual(at === 0 ? [ids[0]] : at === 9 ? [ids[1]] : []);
    }
    expect([interest.unobserve(observer), interest.unobserve(observer)]).toEqual([true, false]);
    expect(lists.map(({ length }) => length)).toEqual([0, 0, 0, 0, 0]);
  }
});

it('an item that took over the id of another is seen by nobody before the next tick', () => {
  const { index, interest, ids } = itemsAt(0, 1);
  const [free, bound] = [interest.observe({ radius: 5 }), interest.observe({ radius: 5, item: ids[0] })];
  interest.tick();
  index.remove(ids[0]);
  expect(index.add([2, 0, 0, 2, 0, 0])).toBe(ids[0]);
  expect(interest.observersOf(ids[0])).toEqual([]);
  interest.tick();
  expect(interest.observersOf(ids[0])).toEqual([free, bound]);
  interest.unobserve(free);
  expect(interest.observersOf(ids[1])).toEqual([bound]);
});
