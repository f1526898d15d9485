import { beforeEach, describe, expect, test } from 'vitest';
import { Players } from '../src/room/Players.js';
import type { Session } from '../src/room/Session.js';
import { PLAYER, World } from '../src/world/World.js';

const SIZE = 200;
const TICK = 0.05;

/** Both halves of one world; what one says the other hears in the next tick. */
let worlds: World[];
let messages: Uint8Array[][];

beforeEach(() => {
  worlds = [0, 1].map((region) => new World({ size: SIZE, regions: 2, region, margin: 30 }));
  messages = [[], []];
});

function step(seconds = TICK): void {
  const inboxes = messages;
  messages = [[], []];
  for (const [at, world] of worlds.entries()) {
    world.step(seconds, inboxes[at]);
    for (const to of world.region.recipients) messages[to].push(world.region.export(to));
  }
}

describe('a level', () => {
  const levels = (entity: number): number[] => worlds.map(({ region, level }) => level[region.itemOf(entity)]);

  test('is that of the entity in both regions, as a ghost, when it arrives and after that', () => {
    const [west, east] = worlds;
    const id = west.add(7, PLAYER, 95, 50);
    for (let i = 0; i < 4; i++) step();
    expect(levels(7)).toEqual([1, 1]);

    west.setLevel(id, 9);
    step();
    expect(west.levelled).toEqual([id]);
    step();
    expect(east.levelled).toEqual([east.region.itemOf(7)]);
    expect(levels(7)).toEqual([9, 9]);
    step();
    expect([...west.levelled, ...east.levelled]).toEqual([]);

    // It crosses the border with a level that the other region has not heard of.
    west.steer(id, 40, 0);
    west.setLevel(id, 10);
    messages = [[], []];
    step(0.5);
    expect(west.region.owns(7)).toBe(false);
    for (let i = 0; i < 4; i++) step();
    expect(east.region.owns(7)).toBe(true);
    expect(levels(7)).toEqual([10, 10]);

    east.setLevel(east.region.itemOf(7), 11);
    for (let i = 0; i < 3; i++) step();
    expect(levels(7)).toEqual([11, 11]);
    expect(() => west.setLevel(west.region.itemOf(7), 12)).toThrow(RangeError);
  });

  test('goes with an entity, not with its id', () => {
    const [west] = worlds;
    const id = west.add(7, 1, 20, 50);
    step();
    west.setLevel(id, 9);
    west.remove(id);
    step();
    expect(west.add(8, 1, 20, 50)).toBe(id);
    step();
    expect(west.level[id]).toBe(1);
    expect(west.levelled).toEqual([]);
  });
});

test('bytes that are no message, or of a world that is cut in another way, keep no others from being heard', () => {
  const [west, east] = worlds;
  west.add(7, 1, 90, 50);
  for (let i = 0; i < 3; i++) step();
  const other = new World({ size: 2 * SIZE, regions: 2, region: 0, margin: 30 });
  other.step(TICK);
  east.remove(east.region.itemOf(7));
  west.add(8, 1, 92, 50);
  step();
  expect(east.refused).toBe(null);
  messages[1].unshift(Uint8Array.of(1, 2, 3), other.region.export(1));
  step();
  expect(east.refused).toContain('map');
  expect(east.region.itemOf(8)).toBeGreaterThanOrEqual(0);
});

test('a snapshot of a world that is cut in another way is no beginning', () => {
  const snapshot = new World({ size: SIZE }).region.snapshot();
  expect(() => new World({ size: SIZE, regions: 2, region: 0, margin: 30 }, { snapshot })).toThrow(/another way/);
  expect(
    () => new World({ size: SIZE, regions: 2, region: 1, margin: 30 }, { snapshot: worlds[0].region.snapshot() }),
  ).toThrow(/another way/);
});

describe('players without a client', () => {
  const GRACE = 60;

  function sweep(world: World, ticks: number, sessions: Session[] = []): void {
    const players = new Players(world, GRACE);
    for (let i = 0; i < ticks; i++) {
      world.step(TICK);
      players.sweep(sessions);
    }
  }

  test('are gone after a while, also from a snapshot of a region that is the only one', () => {
    const before = new World({ size: SIZE });
    before.add(7, PLAYER, 20, 20);
    before.add(8, PLAYER, 30, 20);
    before.add(9, 1, 40, 20);
    before.step(TICK);
    const world = new World({ size: SIZE }, { snapshot: before.region.snapshot() });
    sweep(world, GRACE - 20, [{ entity: 8 } as Session]);
    expect(world.count).toBe(3);
    sweep(world, GRACE + 60, [{ entity: 8 } as Session]);
    expect(world.region.entities().sort()).toEqual([8, 9]);
  });
});

test('a restarted region waits for a neighbour that stays down, and for no other: nothing in it moves meanwhile', () => {
  const options = { size: SIZE, regions: 3, margin: 10 };
  const row = [0, 1, 2].map((region) => new World({ ...options, region, incarnation: 1 }));
  const exchange = (...running: World[]): void => {
    for (const from of running) {
      for (const to of running) if (from !== to) to.step(TICK, [from.region.export(to.region.region)]);
    }
  };
  for (let i = 0; i < 3; i++) exchange(...row);
  const [first] = row;
  first.add(7, 1, 30, 50);
  const snapshot = first.region.snapshot();
  const again = new World({ ...options, region: 0, incarnation: 2 }, { snapshot, log: [] });
  const id = again.region.itemOf(7);
  for (let i = 0; i < 10; i++) exchange(again, row[2]);
  expect(again.region.recovering).toEqual([1]);
  expect([again.x[id], again.z[id]]).toEqual([30, 50]);
  for (let i = 0; i < 10; i++) {
    exchange(again, row[1]);
    for (const world of [again, row[1]])
      if (world.region.isSnapshotWanted) world.region.stored(world.region.snapshot());
  }
  expect(again.region.recovering).toEqual([]);
  expect([again.x[id], again.z[id]]).not.toEqual([30, 50]);
});
