import { describe, expect, test } from 'vitest';
import { FARTHEST, MOST_SEEN, MOST_VIEW_BYTES, STEP } from '../src/protocol/limits.js';
import { Picture } from '../src/protocol/Picture.js';
import { readView } from '../src/protocol/readView.js';
import { readSteer, writeSteer } from '../src/protocol/steer.js';
import { ALL, type Ids, ViewWriter } from '../src/protocol/ViewWriter.js';
import { random } from '../src/world/random.js';

const COUNT = 70_000;
const next = random(5);
const steps = (): Int32Array => Int32Array.from({ length: COUNT }, () => Math.round((next() * 400) / STEP));
const places = { stepsX: steps(), stepsZ: steps(), kind: Uint8Array.from({ length: COUNT }, (_, id) => id % 5) };
const idsOf = (ids: number[]): Ids => ({ ids: Int32Array.from(ids), length: ids.length });
const someIds = (count: number): number[] => {
  const ids = new Set<number>();
  while (ids.size < count) ids.add(Math.floor(next() * COUNT));
  return [...ids];
};

function write(
  flags: number,
  tick: number,
  own: number,
  left: number[],
  entered: number[],
  moved: number[],
): Uint8Array {
  const writer = new ViewWriter(places);
  writer.begin(flags, tick, own, left.length, entered.length, moved.length);
  writer.left(idsOf(left));
  writer.entered(idsOf(entered));
  writer.moved(idsOf(moved));
  return writer.written.slice();
}

/** As the wire has it: within what 16 bits reach from the own place. */
const place = (id: number, own: number) => ({
  x: within(places.stepsX[id], places.stepsX[own]) * STEP,
  z: within(places.stepsZ[id], places.stepsZ[own]) * STEP,
});
const within = (at: number, own: number): number => Math.min(own + 32767, Math.max(own - 32767, at));

describe('a view message', () => {
  test('is read as it was written', () => {
    for (let round = 0; round < 200; round++) {
      const ids = someIds(2 * MOST_SEEN + 1);
      const own = ids.pop()!;
      const enteredCount = Math.floor(next() * (MOST_SEEN + 1));
      const left = ids.slice(0, Math.floor(next() * (MOST_SEEN + 1)));
      const entered = ids.slice(MOST_SEEN, MOST_SEEN + enteredCount);
      const moved = ids.slice(MOST_SEEN + enteredCount, 2 * MOST_SEEN);
      const tick = Math.floor(next() * 2 ** 32);
      expect(readView(write(round % 2 ? ALL : 0, tick, own, left, entered, moved))).toEqual({
        ...{ isAll: round % 2 === 1, tick, own, left },
        ...{ x: places.stepsX[own] * STEP, z: places.stepsZ[own] * STEP },
        entered: entered.map((id) => ({ id, kind: id % 5, ...place(id, own) })),
        moved: moved.map((id) => ({ id, ...place(id, own) })),
      });
    }
  });

  test('with as much as there can be has no more bytes than it may', () => {
    const far = { stepsX: new Int32Array(1), stepsZ: new Int32Array(1), kind: new Uint8Array(1) };
    const writer = new ViewWriter(far);
    const most = idsOf(Array.from({ length: MOST_SEEN }, (_, i) => 2 ** 31 - 1 - (i % 2) * 2 ** 30));
    const none = idsOf([]);
    for (const [entered, moved] of [
      [most, none],
      [none, most],
    ]) {
      writer.begin(ALL, 2 ** 32 - 1, 2 ** 31 - 1, MOST_SEEN, entered.length, moved.length);
      writer.left(most);
      writer.entered(entered);
      writer.moved(moved);
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
