import { describe, expect, test } from 'vitest';
import { FARTHEST, MOST_SEEN, MOST_STEPS, MOST_VIEW_BYTES, STEP } from '../src/protocol/limits.js';
import { Picture } from '../src/protocol/Picture.js';
import { readView } from '../src/protocol/readView.js';
import { readSteer, writeSteer } from '../src/protocol/steer.js';
import { ALL, type Ids, ViewWriter } from '../src/protocol/ViewWriter.js';
import { random } from '../src/world/random.js';

const COUNT = 70_000;
const next = random(5);
/** All within reach of each other, on both sides of where the low word of a place begins anew. */
const steps = (from: number): Int32Array =>
  Int32Array.from({ length: COUNT }, () => from + Math.floor(next() * (MOST_STEPS + 1)));
const places = {
  stepsX: steps(-20_000),
  stepsZ: steps(5 * 2 ** 16 - 9000),
  kind: Uint8Array.from({ length: COUNT }, (_, id) => id % 5),
};
const movedAt = new Int32Array(COUNT);
const except = new Uint8Array(COUNT);
const idsOf = (ids: number[]): Ids => ({ ids: Int32Array.from(ids), length: ids.length });
const someIds = (count: number, below = COUNT): number[] => {
  const ids = new Set<number>();
  while (ids.size < count) ids.add(Math.floor(next() * below));
  return [...ids];
};

function write(
  flags: number,
  tick: number,
  own: number,
  left: number[],
  entered: number[],
  moved: number[],
  of = places,
): Uint8Array {
  const writer = new ViewWriter(of);
  writer.begin(flags, tick, own, left.length, entered.length);
  writer.left(idsOf(left));
  writer.entered(idsOf(entered));
  writer.moved(idsOf(moved), movedAt, 0, except);
  return writer.written.slice();
}

const place = (id: number) => ({ x: places.stepsX[id] * STEP, z: places.stepsZ[id] * STEP });

/** As many entities as have ids of 16 bits. */
const fewer = {
  stepsX: places.stepsX.subarray(0, 2 ** 16),
  stepsZ: places.stepsZ.subarray(0, 2 ** 16),
  kind: places.kind,
};

describe('a view message', () => {
  test.each([
    ['16', fewer],
    ['32', places],
  ])('is read as it was written, with ids of %s bits', (_, of) => {
    for (let round = 0; round < 200; round++) {
      const ids = someIds(2 * MOST_SEEN + 1, of.stepsX.length);
      const own = ids.pop()!;
      const enteredCount = Math.floor(next() * (MOST_SEEN + 1));
      const left = ids.slice(0, Math.floor(next() * (MOST_SEEN + 1)));
      const entered = ids.slice(MOST_SEEN, MOST_SEEN + enteredCount);
      const moved = ids.slice(MOST_SEEN + enteredCount, 2 * MOST_SEEN);
      const tick = Math.floor(next() * 2 ** 32);
      expect(readView(write(round % 2 ? ALL : 0, tick, own, left, entered, moved, of))).toEqual({
        ...{ isAll: round % 2 === 1, tick, own, left },
        ...{ x: places.stepsX[own] * STEP, z: places.stepsZ[own] * STEP },
        entered: entered.map((id) => ({ id, kind: id % 5, ...place(id) })),
        moved: moved.map((id) => ({ id, ...place(id) })),
      });
    }
  });

  test('with as much as there can be has no more bytes than it may', () => {
    const far = { stepsX: new Int32Array(2 ** 17), stepsZ: new Int32Array(2 ** 17), kind: new Uint8Array(1) };
    const writer = new ViewWriter(far);
    const most = idsOf(Array.from({ length: MOST_SEEN }, (_, i) => 2 ** 31 - 1 - (i % 2) * 2 ** 30));
    const none = idsOf([]);
    for (const [entered, moved] of [
      [most, none],
      [none, most],
    ]) {
      writer.begin(ALL, 2 ** 32 - 1, 2 ** 31 - 1, MOST_SEEN, entered.length);
      writer.left(most);
      writer.entered(entered);
      writer.moved(moved, far.stepsX, 0, except);
      expect(writer.written.length).toBeLessThan(MOST_VIEW_BYTES);
      expect(readView(writer.written).left.length).toBe(MOST_SEEN);
    }
    expect(FARTHEST).toBeGreaterThan(255);
  });

  test('that is cut, lengthened or rubbish throws a RangeError, and changes nothing', () => {
    const ids = someIds(60);
    const whole = write(ALL, 9, ids[0], [], ids.slice(1, 40), []);
    const picture = new Picture();
    picture.take(whole);
    const before = JSON.stringify([...picture.seen, picture.tick]);
    const bad = [new Uint8Array(0), new Uint8Array(MOST_VIEW_BYTES + 1), Uint8Array.of(...whole, 0)];
    for (let length = 0; length < whole.length; length++) bad.push(whole.slice(0, length));
    for (let i = 0; i < 3000; i++) bad.push(Uint8Array.from({ length: Math.floor(next() * 90) }, () => next() * 256));
    for (const bytes of bad) expect(() => picture.take(bytes)).toThrow(RangeError);
    expect(() => picture.take('no bytes' as never)).toThrow(TypeError);
    expect(JSON.stringify([...picture.seen, picture.tick])).toBe(before);
  });

  test.each([
    ['that is not newer', write(0, 9, 1, [], [], [])],
    ['that lets go of what is not there', write(0, 10, 1, [7], [], [])],
    ['that moves what is not there', write(0, 10, 1, [], [], [7])],
    ['that brings what is there', write(0, 10, 1, [], [5], [])],
  ])('%s throws a RangeError', (_, bytes) => {
    const picture = new Picture();
    picture.take(write(ALL, 9, 1, [], [5, 6], []));
    expect(() => picture.take(bytes)).toThrow(RangeError);
    expect([...picture.seen.keys()]).toEqual([5, 6]);
  });
});

describe('a direction', () => {
  test('is read as it was written, of length 1 at most', () => {
    for (let i = 0; i < 500; i++) {
      const [x, z] = [next() * 4 - 2, next() * 4 - 2];
      const length = Math.max(1, Math.hypot(x, z));
      const read = readSteer(writeSteer(x, z));
      expect(read.x).toBeCloseTo(x / length, 1);
      expect(read.z).toBeCloseTo(z / length, 1);
      expect(Math.hypot(read.x, read.z)).toBeLessThanOrEqual(1 + 1e-9);
    }
    for (const bytes of [Uint8Array.of(127, 127), Uint8Array.of(129, 129)]) {
      const { x, z } = readSteer(bytes);
      expect(Math.hypot(x, z)).toBeLessThanOrEqual(1 + 1e-9);
    }
  });

  test.each([[[]], [[1]], [[1, 2, 3]], [[128, 0]], [[0, 128]]])('of bytes %j throws a RangeError', (bytes) => {
    expect(() => readSteer(Uint8Array.from(bytes))).toThrow(RangeError);
  });

  test.each([undefined, null, 'ab', [1, 2], { length: 2 }])('that is %j throws a TypeError', (value) => {
    expect(() => readSteer(value)).toThrow(TypeError);
  });
});
