import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Listener, Player } from '../src/Player.js';
import { ask, freePort, start, startRedis, until } from './helpers.js';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const title = hasRedis ? 'over Redis' : 'SKIPPED, there is no redis-server (apt-get install redis-server)';
/** All see all: whoever is in a zone is in each view of it. */
const WORLD = { ZONES: '2', SIZE: '200', RADIUS: '300', ENTITIES: '20', SPEED: '200', SEATS: '1000' };

describe.skipIf(!hasRedis)(`two processes ${title}`, () => {
  let redis: ChildProcess;
  const servers: { url: string; child: ChildProcess }[] = [];
  beforeAll(async () => {
    const port = await freePort();
    redis = await startRedis(port);
    const env = { ...WORLD, REDIS_URL: `redis://127.0.0.1:${port}` };
    for (let i = 0; i < 2; i++) servers.push(await start({ ...env, PORT: await freePort() }));
  });
  afterAll(() => {
    for (const child of [...servers.map(({ child }) => child), redis]) child?.kill('SIGKILL');
  });

  const join = async (server: number, zone: number, name: string, listener?: Listener): Promise<Player> => {
    const player = new Player(servers[server].url, listener);
    await player.join(zone, name);
    return player;
  };
  const sees = (player: Player, name: string): boolean => [...player.seen.values()].includes(name);

  test('each has one of the zones, and gives seats in both', async () => {
    for (const { url } of servers) {
      const seats = [await ask(url, 'joinOrCreate/zone-0'), await ask(url, 'joinOrCreate/zone-1')];
      expect(seats.map(({ seat }) => `http://${seat.publicAddress}`)).toEqual(servers.map(({ url }) => url));
    }
  });

  test('a player goes through the doors, there and back, and is in one zone at a time', async () => {
    const [player, ...witness] = [await join(0, 0, 'ann'), await join(1, 0, 'west'), await join(0, 1, 'east')];
    for (const to of [1, 0, 1]) {
      await until(() => sees(witness[1 - to], 'ann') && !sees(witness[to], 'ann'));
      const { room } = player;
      await until(() => {
        player.steer(200 * to - player.own.x, 100 - player.own.z);
        return player.room !== room;
      }, 50);
    }
    await until(() => sees(witness[1], 'ann') && !sees(witness[0], 'ann'));
  });

  test.each([1005, 4010])('a connection that broke, with %i, sees who came and went since', async (code) => {
    const heard: string[] = [];
    const player = await join(0, 0, 'ben', { lost: () => heard.push('lost') });
    const goes = await join(1, 0, 'goes');
    await until(() => sees(player, 'goes') && player.own.id >= 0);
    const { own, room } = player;
    room.onReconnect(() => heard.push('back'));
    room.connection.close(code === 1005 ? undefined : code);
    await until(() => heard.includes('lost'));
    void goes.room.leave();
    const comes = await join(1, 0, `comes ${code}`);
    await until(() => sees(comes, 'ben') && sees(player, `comes ${code}`) && !sees(player, 'goes'));
    await until(() => player.places.has(own.id) && player.places.has(comes.own.id));
    expect([heard, player.room, player.own.id]).toEqual([['lost', 'back'], room, own.id]);
  });

  test('200 clients in both zones are told in every tick', async () => {
    const ticks = Array.from({ length: 200 }, () => [] as number[]);
    const joinAll = async (i: number): Promise<void> => {
      if (i >= ticks.length) return;
      await join(i % 2, Math.floor(i / 2) % 2, `bot ${i}`, {
        entered: () => void ticks[i].splice(0),
        told: (tick) => ticks[i].push(tick),
      });
      await joinAll(i + 10);
    };
    await Promise.all(Array.from({ length: 10 }, (_, i) => joinAll(i)));
    await until(() => ticks.every(({ length }) => length > 40));
    for (const told of ticks) expect(told).toEqual(told.map((_, i) => told[0] + i));
  });

  test('SIGTERM ends a process in good order, and its zone opens in the other one', async () => {
    const codes: number[] = [];
    await join(1, 0, 'cid', { lost: (code) => codes.push(code) });
    servers[0].child.kill('SIGTERM');
    expect((await once(servers[0].child, 'exit'))[0]).toBe(0);
    await until(() => codes.length > 0);
    const player = await join(1, 0, 'cid');
    await until(() => sees(player, 'deer 0'));
    expect([codes, new URL(player.room.connection.url!).host]).toEqual([[4001], new URL(servers[1].url).host]);
  });
});
