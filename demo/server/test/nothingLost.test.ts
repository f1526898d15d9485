import { CloseCode } from '@colyseus/core';
import { Client, type Room } from '@colyseus/sdk';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { follow } from '../page/follow.js';
import { Bots } from '../src/bots/Bots.js';
import { STEER } from '../src/protocol/limits.js';
import { writeSteer } from '../src/protocol/steer.js';
import { Deployment } from './helpers/Deployment.js';
import { Player } from './helpers/Player.js';
import { create, freePort, hasRedis, type RegionProcess, withRedis } from './helpers/Processes.js';
import { RedisProxy } from './helpers/RedisProxy.js';

describe.skipIf(!hasRedis)(withRedis('faults of processes, of Redis and of what lies between'), () => {
  let deployment: Deployment;
  let proxy: RedisProxy | null;

  beforeEach(async () => {
    proxy = null;
    deployment = await Deployment.begin(2);
  });
  afterEach(async () => {
    proxy?.close();
    await deployment?.end();
  });

  /** All are back, and each entity is in one place. */
  async function agree(): Promise<void> {
    await deployment.areBack();
    expect(await deployment.misplaced()).toEqual([]);
  }

  /** Resolves after some reports, one a second. */
  async function reports(region: RegionProcess, count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const { last } = region;
      await region.until((report) => report !== last);
    }
  }

  /** Starts region 0 with another way to Redis than region 1. */
  async function startBehindProxy(): Promise<RedisProxy> {
    proxy = await RedisProxy.start(deployment.redisPort);
    deployment.start(0, { REDIS_URL: `redis://127.0.0.1:${proxy.port}` });
    deployment.start(1);
    await agree();
    return proxy;
  }

  test('a process that was stopped and goes on after another one took its region changes nothing, and ends', async () => {
    await deployment.startAll();
    const old = deployment.regions[1];
    old.child.kill('SIGSTOP');
    // As it would be on another machine: the port is still taken.
    await deployment.start(1, { PORT: `${await freePort()}` }).says('waiting until it ends');
    await deployment.areBack();
    const redis = new Redis(deployment.redisPort);
    const saved = await redis.hmget('world:saved:1', 'token', 'tick');
    old.child.kill('SIGCONT');
    expect(await old.end()).toBe('1');
    const now = await redis.hmget('world:saved:1', 'token', 'tick');
    expect(now[0]).toBe(saved[0]);
    expect(Number(now[1])).toBeGreaterThan(Number(saved[1]));
    redis.disconnect();
    await agree();
  });

  test('a process that is started while the former one runs waits for it, and goes on where that ended', async () => {
    await deployment.startAll();
    for (const at of [0, 1, 0]) {
      const old = deployment.regions[at];
      const next = deployment.start(at);
      await next.says('waiting until it ends');
      expect(old.ended).toBe(null);
      expect(await old.end('SIGTERM')).toBe('0');
      await next.until(() => true);
      await agree();
    }
  });

  test('what happened since the last snapshot is saved with SIGTERM, and clients come back to it', async () => {
    await deployment.startAll();
    const before = await Player.join(deployment.regions[1].url, 'region-1');
    await before.next();
    await deployment.regions[1].end('SIGTERM');
    expect(await before.closed).toBe(CloseCode.SERVER_SHUTDOWN);
    await deployment.start(1).until(({ recovering }) => recovering.length === 0);
    const after = await Player.join(deployment.regions[1].url, 'region-1', before.ticket);
    await after.next();
    expect([after.picture.x, after.picture.z]).toEqual([before.picture.x, before.picture.z]);
    await after.room.leave();
    await agree();
  });

  test('regions that are killed, one or both, lose and double nothing', async () => {
    await deployment.startAll();
    for (const killed of [[1], [0], [0, 1], [0, 1]]) {
      await reports(deployment.regions[0], 1);
      await Promise.all(killed.map((at) => deployment.regions[at].kill()));
      for (const at of killed) deployment.start(at);
      await agree();
    }
  });

  test('a region that finds nothing in Redis does not begin anew: that is a command of its own', async () => {
    await deployment.startAll();
    await agree();
    await Promise.all([deployment.stopRedis(), deployment.regions[1].kill()]);
    const kept = await deployment.regions[0].own();
    await deployment.restartRedis();
    // The other one saves itself again.
    await reports(deployment.regions[0], 2);
    expect(await deployment.start(1).end()).toBe('1');
    expect(deployment.regions[1].text).toContain('npm run create');
    const { environment } = deployment;
    expect(create(environment)).toMatchObject({ status: 1, text: expect.stringContaining('world:*') });
    expect(create(environment, '0').status).toBe(1);
    expect(create(environment, '7')).toMatchObject({ status: 1, text: expect.stringContaining('0 to 1') });
    expect(create(environment, '1').status).toBe(0);
    deployment.start(1);
    await deployment.areBack();
    const missing = await deployment.misplaced(5);
    expect(missing.filter((entity) => kept.includes(entity))).toEqual([]);
    expect(missing.length).toBeGreaterThan(0);
  });

  test('Redis that is killed and comes back empty is filled again', async () => {
    await deployment.startAll();
    const player = await Player.join(deployment.regions[0].url, 'region-0');
    await player.next();
    await deployment.stopRedis();
    await deployment.regions[0].until(({ silent }) => silent.includes(1));
    await player.next();
    await deployment.restartRedis();
    await agree();
    expect(player.fault).toBe(null);
    await player.room.leave();
    for (const at of [0, 1]) await deployment.regions[at].kill();
    for (const at of [0, 1]) deployment.start(at);
    await agree();
  });

  test('Redis that comes back as it was seconds before, as a region does too, doubles nothing', async () => {
    await deployment.startAll();
    await agree();
    const redis = new Redis(deployment.redisPort);
    const keys = ['world:saved:1', 'world:log:1'];
    const before = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
    await reports(deployment.regions[1], 4);
    redis.disconnect();
    const given = deployment.regions[0].own();
    await Promise.all([deployment.stopRedis(), deployment.regions[1].kill()]);
    await deployment.restartRedis();
    const again = new Redis(deployment.redisPort);
    for (const [i, key] of keys.entries()) if (before[i] !== null) await again.restore(key, 0, before[i]);
    again.disconnect();
    deployment.start(1);
    await deployment.areBack();
    expect(await deployment.misplaced(60, (owners) => owners > 1)).toEqual([]);
    // What was with the region that went on is there; of the rest some may be lost, as Redis lost them.
    const kept = await given;
    const lost = await deployment.misplaced(10);
    expect(lost.filter((entity) => kept.includes(entity))).toEqual([]);
  });

  test('Redis that hangs for longer than a connection may is found again', async () => {
    await deployment.startAll();
    deployment.redis.kill('SIGSTOP');
    await reports(deployment.regions[0], 5);
    deployment.redis.kill('SIGCONT');
    await agree();
  });

  test('connections that are dead without a word are found by heartbeats, and opened anew', async () => {
    expect((await startBehindProxy()).freeze()).toBeGreaterThan(3);
    const [here, there] = deployment.regions;
    await there.until(({ silent }) => silent.includes(0));
    await there.until(({ silent }) => silent.length === 0);
    await agree();
    expect(here.ended).toBe(null);
    // Colyseus' own connections as well, which may be found a little later.
    const join = (tries: number): Promise<Player> =>
      Player.join(there.url, 'region-0').catch((error) => {
        if (tries === 0) throw error;
        return join(tries - 1);
      });
    await (await join(5)).room.leave();
  });

  test('a region that is heard and does not hear is given nothing', async () => {
    const { regions } = deployment;
    const muted = await startBehindProxy();
    muted.isMute = true;
    await regions[1].until(({ silent, deaf }) => silent.length === 0 && deaf.includes(0));
    // What was given before that was known stands still; nothing more does.
    const still = await deployment.misplaced(10);
    await reports(regions[1], 3);
    expect(await deployment.misplaced(10)).toEqual(still);
    muted.isMute = false;
    await agree();
  });

  test.each([-60_000, 60_000])('a clock %i ms beside the others ends nothing', async (skew) => {
    await deployment.startAll();
    await deployment.regions[1].kill();
    const next = deployment.start(1, {}, skew);
    await agree();
    await reports(next, 2);
    expect(next.ended).toBe(null);
    await next.kill();
    deployment.start(1);
    await agree();
  });

  test('the page follows its player over a border, and back after the server was restarted', async () => {
    await deployment.startAll();
    const joined: string[] = [];
    const faults: string[] = [];
    let room!: Room;
    let changed = (): void => {};
    const next = (): Promise<void> => new Promise((resolve) => (changed = resolve));
    await follow(new Client(deployment.regions[0].url), {
      joined(entered) {
        room = entered;
        joined.push(entered.roomId);
        entered.onMessage('*', () => {});
        changed();
      },
      lost: () => faults.push('lost'),
      ended: (reason) => {
        faults.push(reason);
        changed();
      },
    });
    const away = joined[0] === 'region-0' ? 1 : -1;
    const timer = setInterval(() => room.connection.isOpen && room.sendBytes(STEER, writeSteer(away, 0)), 200);
    await next();
    expect(new Set(joined)).toEqual(new Set(['region-0', 'region-1']));
    clearInterval(timer);
    const at = Number(joined[1].slice(-1));
    const back = next();
    await deployment.regions[at].end('SIGTERM');
    deployment.start(at);
    await back;
    expect([joined[2], faults]).toEqual([joined[1], ['lost']]);
    await room.leave();
  });

  test('bots follow their players over a border', async () => {
    await deployment.startAll();
    const bots = new Bots();
    await bots.join(deployment.regions[0].url, 20, 1, ['region-0', 'region-1']);
    for (let i = 0; i < 20 && bots.heard.moves < 5; i++) await reports(deployment.regions[0], 1);
    expect(bots.heard.moves).toBeGreaterThanOrEqual(5);
    bots.close();
  });
});

describe.skipIf(!hasRedis)(withRedis('a region of three'), () => {
  test('comes back while one that is no neighbour is gone', async () => {
    const deployment = await Deployment.begin(3, { SIZE: '600' });
    try {
      await deployment.startAll();
      await Promise.all([deployment.regions[0].kill(), deployment.regions[2].kill()]);
      await deployment.start(0).until(({ recovering }) => recovering.length === 0);
      deployment.start(2);
      await deployment.areBack();
      expect(await deployment.misplaced()).toEqual([]);
    } finally {
      await deployment.end();
    }
  });
});

test.skipIf(!hasRedis)(withRedis('clients are sent to the address under which a process is reached'), async () => {
  const deployment = await Deployment.begin(1);
  try {
    const { url } = await (async () => {
      const region = deployment.start(0, { HOST: '0.0.0.0', PUBLIC_ADDRESS: 'game.example.com:99' });
      await region.until(() => true);
      return region;
    })();
    const answer = await fetch(`${url.replace('0.0.0.0', '127.0.0.1')}/matchmake/joinById/region-0`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(((await answer.json()) as { publicAddress: string }).publicAddress).toBe('game.example.com:99');
  } finally {
    await deployment.end();
  }
});
