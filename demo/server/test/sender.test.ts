import { BruteForce } from 'three-scene-index/core';
import { Interest } from 'three-scene-index/interest';
import { beforeEach, expect, test } from 'vitest';
import { STEP } from '../src/protocol/limits.js';
import { readView, type ViewMessage } from '../src/protocol/readView.js';
import { type Moves, Sender } from '../src/room/Sender.js';
import type { Session } from '../src/room/Session.js';

const EVERY = 3;
const RADIUS = 60;
const [OWN, NEAR, FAR] = [0, 1, 2];

let index: BruteForce;
let interest: Interest;
let session: Session;
let sender: Sender;
const moves = {
  ...{ tick: 0, stepsX: new Int32Array(64), stepsZ: new Int32Array(64) },
  ...{ movedAt: new Int32Array(64), kind: new Uint8Array(64) },
};

beforeEach(() => {
  index = new BruteForce();
  interest = new Interest(index);
  moves.tick = 10;
  sender = new Sender(moves as Moves, EVERY);
  for (const x of [0, 5, 40]) place(index.add([x, 0, 0, x, 0, 0]), x);
  const observer = interest.observe({ item: OWN, radius: RADIUS, nearRadius: 20, every: EVERY });
  session = { observer, player: OWN, needsAll: true } as unknown as Session;
});

function place(id: number, x: number): void {
  index.update(id, [x, 0, 0, x, 0, 0]);
  moves.stepsX[id] = x / STEP;
  moves.movedAt[id] = moves.tick;
}

function next(): ViewMessage {
  interest.tick();
  const message = readView(sender.write(session));
  moves.tick++;
  return message;
}

const isFull = (): boolean => session.observer!.due.length === session.observer!.inView.length;
const ids = (of: readonly { id: number }[]): number[] => of.map(({ id }) => id).sort();

test('who is told all is told no place that is out of its reach by then, but of the rest in time', () => {
  for (let i = 0; i < EVERY; i++) next();
  expect([...session.observer!.inView].sort()).toEqual([NEAR, FAR]);
  // Now all was in its turn: the next two ticks are those of the near ones.
  while (!isFull()) next();
  place(FAR, 200);
  session.needsAll = true;
  const told: ViewMessage[] = [];
  for (let i = 0; i < EVERY; i++) told.push(next());
  for (const { entered, moved } of told) {
    for (const { x } of [...entered, ...moved]) expect(x).toBeLessThanOrEqual(RADIUS);
  }
  expect(session.needsAll).toBe(false);

  place(FAR, 50);
  for (let i = 0; i < EVERY; i++) next();
  session.needsAll = true;
  const seen = Array.from({ length: EVERY }, next);
  expect(seen.some(({ isAll, entered }) => isAll && ids(entered).join() === `${NEAR},${FAR}`)).toBe(true);
  expect(session.needsAll).toBe(false);
});

test('what enters is told of once in a message, and as moved only after that', () => {
  for (let i = 0; i <= EVERY; i++) next();
  const id = index.add([3, 0, 0, 3, 0, 0]);
  place(id, 3);
  const entering = next();
  expect([ids(entering.entered), ids(entering.moved)]).toEqual([[id], []]);
  place(id, 4);
  const after = next();
  expect([ids(after.entered), ids(after.moved)]).toEqual([[], [id]]);
});
