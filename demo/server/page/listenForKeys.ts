import type { Room } from '@colyseus/sdk';
import { STEER } from '../src/protocol/limits.js';
import { writeSteer } from '../src/protocol/steer.js';

const WAYS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  a: [-1, 0],
  d: [1, 0],
  w: [0, -1],
  s: [0, 1],
};

/** Steers one's player by keys; a message goes out only when the direction changes. */
export function listenForKeys(target: HTMLElement, room: Room): void {
  const held = new Set<string>();
  const steer = (): void => {
    const ways = [...held].map((key) => WAYS[key]);
    const sum = (axis: 0 | 1): number => ways.reduce((total, way) => total + way[axis], 0);
    room.sendBytes(STEER, writeSteer(sum(0), sum(1)));
  };
  target.addEventListener('keydown', (event) => {
    if (!(event.key in WAYS)) return;
    event.preventDefault();
    if (held.has(event.key)) return;
    held.add(event.key);
    steer();
  });
  const stop = (key?: string): void => {
    const before = held.size;
    if (key === undefined) held.clear();
    else held.delete(key);
    if (held.size !== before) steer();
  };
  target.addEventListener('keyup', ({ key }) => stop(key));
  target.addEventListener('blur', () => stop());
  target.focus();
}
