import { afterEach, describe, expect, test } from 'vitest';
import { type GameServer, startGameServer } from '../src/GameServer.js';
import { STEP } from '../src/protocol/limits.js';
import { random } from '../src/world/random.js';
import { KINDS } from '../src/world/World.js';
import { Player } from './helpers/Player.js';
import { until } from './helpers/until.js';

const RADIUS = 60;
const HYSTERESIS = 0.1;
const TICKS = 300;
const NAMES = new RegExp(`(?:${KINDS.join('|')}) \\d+`, 'g');

let server: GameServer;
afterEach(() => server.close());

/** Where everything was in a tick, by id. */
type Truth = Map<number, { x: number; z: number; name: string; level: number }>;
/** The ids of that tick, by name. */
const ids = new WeakMap<Truth, Map<string, number>>();

/** What was set, by id. */
const levels = new Map<number, number>();

function look(): Truth {
  const { world, cards } = server.room;
  const truth: Truth = new Map();
  for (const id of world.ids) {
    truth.set(id, { x: world.x[id], z: world.z[id], name: cards.get(id).name, level: levels.get(id) ?? 1 });
  }
  ids.set(truth, new Map([...truth].map(([id, { name }]) => [name, id])));
  return truth;
}

/** All of whom a player may have heard: what lay within reach when it was looked at last. */
function check(player: Player, truths: Truth[], every: number): void {
  const { picture, message } = player;
  const now = truths[0];
  const own = now.get(picture.own)!;
  const reach = RADIUS * (1 + HYSTERESIS);
  const isWithin = (id: number, truth: Truth, of: number): boolean => {
    const [a, b] = [truth.get(id), truth.get(picture.own)];
    return a !== undefined && b !== undefined && Math.hypot(a.x - b.x, a.z - b.z) <= of + 1e-9;
  };
  expect(Math.hypot(picture.x - own.x, picture.z - own.z)).toBeLessThanOrEqual(STEP);
  for (const { id } of message.entered) expect(isWithin(id, now, message.isAll ? reach : RADIUS)).toBe(true);
  for (const { id } of message.moved) expect(isWithin(id, now, reach)).toBe(true);
  for (const { id, x, z } of [...message.entered, ...message.moved]) {
    const at = now.get(id)!;
    expect(Math.abs(at.x - x)).toBeLessThanOrEqual(STEP);
    expect(Math.abs(at.z - z)).toBeLessThanOrEqual(STEP);
  }
  const recent = truths.slice(0, every);
  for (const id of picture.seen.keys()) {
    expect(
      recent.some((truth) => isWithin(id, truth, reach)),
      `${picture.own} sees ${id}`,
    ).toBe(true);
  }
  // Cards are of those that are seen, of no other.
  expect([...player.cards.keys()].sort()).toEqual([...picture.seen.keys()].sort());
  for (const [id, name] of player.cards) expect(name).toBe(now.get(id)!.name);
  for (const [id, level] of player.levels) expect(level).toBe(now.get(id)!.level);
  for (const [name] of player.heard.matchAll(NAMES)) {
    const isNear = (truth: Truth): boolean => isWithin(ids.get(truth)!.get(name) ?? -1, truth, reach);
    expect(recent.some(isNear), `${picture.own} hears of ${name}`).toBe(true);
  }
  player.heard = '';
  if (every === 1) {
    for (const id of now.keys()) {
      if (id !== picture.own && isWithin(id, now, RADIUS)) expect(picture.seen.has(id), `${id} is near`).toBe(true);
    }
  }
}

describe('on the wire is what is in view, and nothing else', () => {
  test.each([1, 3])('with all in view due in every tick of %i', async (every) => {
    const room = { size: 400, entities: 400, radius: RADIUS, hysteresis: HYSTERESIS, every, nearRadius: 20, rate: 0 };
    server = await startGameServer({ port: 0, room });
    const { world, sessions } = server.room;
    levels.clear();
    const next = random(every);
    const players: Player[] = [];
    const join = async (): Promise<void> => {
      const player = await Player.join(server.url);
      await until(() => sessions.get(player.room.sessionId)?.client.state === 1);
      players.push(player);
    };
    for (let i = 0; i < 8; i++) await join();
    const truths: Truth[] = [];
    for (let tick = 1; tick <= TICKS; tick++) {
      if (tick % 29 === 0) await join();
      if (tick % 37 === 0) {
        const [gone] = players.splice(Math.floor(next() * players.length), 1);
        await gone.room.leave();
        await until(() => !sessions.has(gone.room.sessionId));
      }
      const id = world.ids[Math.floor(next() * world.count)];
      if (next() < 0.3) world.teleport(id, next() * world.size, next() * world.size);
      if (next() < 0.1 && world.kind[id] !== 0) world.remove(id);
      const other = world.ids[Math.floor(next() * world.count)];
      levels.set(other, Math.floor(next() * 99));
      world.setLevel(other, levels.get(other)!);
      server.room.step(0.05);
      for (const gone of world.gone) levels.delete(gone);
      truths.unshift(look());
      truths.length = Math.min(truths.length, every);
      await Promise.all(players.map((player) => player.reached(world.tick)));
      for (const player of players) check(player, truths, every);
    }
    expect(players.length).toBeGreaterThan(6);
  });
});
