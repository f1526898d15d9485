import type { Room } from '@colyseus/sdk';
import { beforeEach, expect, test } from 'vitest';
import { listenForKeys } from '../page/listenForKeys.js';
import { readSteer } from '../src/protocol/steer.js';

let sent: [number, number][];
let target: EventTarget;

beforeEach(() => {
  sent = [];
  target = Object.assign(new EventTarget(), { focus: () => {} });
  const sendBytes = (_: number, bytes: Uint8Array): void => {
    const { x, z } = readSteer(bytes);
    sent.push([Math.round(x), Math.round(z)]);
  };
  listenForKeys(target as HTMLElement, { sendBytes } as unknown as Room);
});

/** Presses or lifts a key; false if the page is kept from doing with it what it would. */
const key = (type: string, of: object): boolean =>
  target.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), of));

test('steer while they are held, whatever is held besides', () => {
  key('keydown', { code: 'KeyD', key: 'd' });
  key('keydown', { code: 'KeyD', key: 'd', repeat: true });
  key('keydown', { code: 'ShiftLeft', key: 'Shift' });
  key('keyup', { code: 'KeyD', key: 'D' });
  expect(sent).toEqual([
    [1, 0],
    [0, 0],
  ]);
});

test('are left to the page where they mean something else', () => {
  expect(key('keydown', { code: 'KeyS', key: 's', ctrlKey: true })).toBe(true);
  expect(key('keydown', { code: 'KeyX', key: 'x' })).toBe(true);
  expect(key('keydown', { code: 'ArrowUp', key: 'ArrowUp' })).toBe(false);
  expect(sent).toEqual([[0, -1]]);
});

test('stop when the map is left', () => {
  key('keydown', { code: 'ArrowUp', key: 'ArrowUp' });
  key('blur', {});
  expect(sent.at(-1)).toEqual([0, 0]);
});
