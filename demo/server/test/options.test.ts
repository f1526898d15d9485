import { expect, test } from 'vitest';
import { ROOM_DEFAULTS, type RoomOptions, readRoomOptions } from '../src/room/RoomOptions.js';

test('options are the defaults but for those that are given', () => {
  expect(readRoomOptions({})).toEqual(ROOM_DEFAULTS);
  expect(readRoomOptions({ every: 1 })).toEqual({ ...ROOM_DEFAULTS, every: 1 });
});

test.each([
  [{ every: 0 }, /every/],
  [{ every: 1.5 }, /every/],
  [{ radius: 250 }, /radius/],
  [{ size: -1 }, /size/],
  [{ entities: Number.POSITIVE_INFINITY }, /entities/],
  [{ speed: Number.NaN }, /speed/],
  [{ colour: 3 }, /colour: no such option/],
])('%j throws before a world is made', (options, message) => {
  const read = (): unknown => readRoomOptions(options as Partial<RoomOptions>);
  expect(read).toThrow(RangeError);
  expect(read).toThrow(message);
});
