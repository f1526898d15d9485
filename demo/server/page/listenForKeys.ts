import type { Room } from '@colyseus/sdk';
import { STEER } from '../src/protocol/limits.js';
import { writeSteer } from '../src/protocol/steer.js';

/** By the place of the key: what it writes is another thing with Shift, and in other languages. */
const WAYS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  KeyA: [-1, 0],
  KeyD: [1, 0],
  KeyW: [0, -1],
  KeyS: [0, 1],
};

/** Steers one's player by keys; a message goes out only when the direction changes. */
export function listenForKeys(target: HTMLElement, room: Pick<Room, 'sendBytes'>): void {
  const held = new Set<string>();
  const steer = (): void => {
    const ways = [...held].map((code) => WAYS[code]);
    const sum = (axis: 0 | 1): number => ways.reduce((total, way) => total + way[axis], 0);
    room.sendBytes(STEER, writeSteer(sum(0), sum(1)));
  };
  target.addEventListener('keydown', (event) => {
    if (!(event.code in WAYS) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (held.has(event.code)) return;
    held.add(event.code);
    steer();
  });
  const stop = (code?: string): void => {
    const before = held.size;
    if (code === undefined) held.clear();
    else held.delete(code);
    if (held.size !== before) steer();
  };
  target.addEventListener('keyup', ({ code }) => stop(code));
  target.addEventListener('blur', () => stop());
  target.focus();
}
