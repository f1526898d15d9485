import type { ChildProcess } from 'node:child_process';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startGameServer } from '../src/GameServer.js';
import { Region } from '../src/protocol/regions/index.js';
import { createWorld } from '../src/regions/createWorld.js';
import { RegionLink } from '../src/regions/RegionLink.js';
import { readRoomOptions } from '../src/room/RoomOptions.js';
import { freePort, hasRedis, startRedis, withRedis } from './helpers/Processes.js';
import { until } from './helpers/until.js';

const OPTIONS = readRoomOptions({ size: 100, radius: 8, regions: 2, entities: 10 });
/** Long enough to look at, short enough to wait for. */
const LEASE = 300;

describe.skipIf(!hasRedis)(withRedis('the link of a region'), () => {
  let redis: ChildProcess;
  let url: string;
  let client: Redis;
  const links: RegionLink[] = [];

  beforeAll(async () => {
    const port = await freePort();
    redis = await startRedis(port);
    url = `redis://127.0.0.1:${port}`;
    client = new Redis(url);
  });
  afterEach(async () => {
    for (const link of links.splice(0)) {
      await link.release();
      link.close();
    }
    await client.flushall();
  });
  afterAll(() => {
    client.disconnect();
    redis.kill();
  });

  async function claim(world: string, region = 0): Promise<RegionLink> {
    const link = await RegionLink.claim(url, world, region, { lease: LEASE });
    links.push(link);
    return link;
  }
  const restore = ({ saved }: RegionLink): Region => Region.restore(saved.snapshot, saved.token, saved.log);
  const snapshotOf = (world: string): Promise<Buffer | null> => client.hgetBuffer(`${world}:saved:0`, 'snapshot');

  /** Two regions of a world that has just begun, which have met. */
  async function claimBoth(world: string): Promise<[RegionLink, Region, RegionLink, Region]> {
    await createWorld(url, world, OPTIONS);
    const [here, there] = [await claim(world, 0), await claim(world, 1)];
    const [a, b] = [restore(here), restore(there)];
    while (a.recovering.length + b.recovering.length > 0) await tick(here, a, there, b);
    // Each has heard that the other is back.
    for (let i = 0; i < 3; i++) await tick(here, a, there, b);
    return [here, a, there, b];
  }

  async function tick(...pairs: (RegionLink | Region)[]): Promise<void> {
    for (let i = 0; i < pairs.length; i += 2) {
      const [link, region] = [pairs[i] as RegionLink, pairs[i + 1] as Region];
      for (const bytes of link.take()) region.import(bytes);
      region.tick();
      link.give(region);
    }
    await client.ping();
  }

  test('saves a region as soon as another one waits for that', async () => {
    const [here, a, there, b] = await claimBoth('wanted');
    const stored = vi.spyOn(a, 'stored');
    const restored = Region.restore(b.snapshot(), b.ticks + Date.now() * 2);
    // Fewer than there are between two snapshots that are made from time to time.
    for (let i = 0; i < 20 && restored.recovering.length > 0; i++) await tick(here, a, there, restored);
    await until(() => stored.mock.calls.length > 0);
    expect(a.ticks).toBeLessThan(80);
  });

  test('does not pile up messages while Redis hangs, and stores what it could not', async () => {
    const [here, a] = await claimBoth('hung');
    const heard: string[] = [];
    const listener = new Redis(url);
    await listener.subscribe('hung:region:1', 'hung:end');
    listener.on('message', (channel) => heard.push(channel));
    redis.kill('SIGSTOP');
    // Within one tick: later the other region would be silent, and be given nothing.
    for (let i = 0; i < 1000; i++) here.give(a);
    a.add(99, [80, 0, 50, 80, 0, 50]);
    a.tick();
    here.give(a);
    redis.kill('SIGCONT');
    // Answered after all that went out before on the same connection.
    await here.release();
    await client.publish('hung:end', '');
    await until(() => heard.includes('hung:end'));
    expect(heard.length).toBeLessThan(100);
    // It is heard of again, and begins with a snapshot, as the handover is in no log.
    const before = await snapshotOf('hung');
    const { length } = heard;
    while (heard.length === length) await tick(here, a);
    expect(String(await snapshotOf('hung'))).not.toBe(String(before));
    listener.disconnect();
  });

  test('stores what is given away before anybody hears of it', async () => {
    const [here, a, there, b] = await claimBoth('logged');
    a.add(99, [80, 0, 50, 80, 0, 50]);
    expect(await here.save(a)).toBe(true);
    const stored = await snapshotOf('logged');
    while (!b.owns(99)) await tick(here, a, there, b);
    links.splice(links.indexOf(here), 1);
    await here.release();
    here.close();
    const again = await claim('logged');
    // With that snapshot alone it would own the entity still.
    expect(Buffer.from(again.saved.snapshot)).toEqual(stored);
    expect(Region.restore(again.saved.snapshot, again.saved.token).owns(99)).toBe(true);
    expect(restore(again).owns(99)).toBe(false);
    expect(again.saved.token).toBeGreaterThan(here.saved.token);
  });

  test('of two processes only the one that claimed the region last is listened to, and saved', async () => {
    const [old, a, other, b] = await claimBoth('fenced');
    // As it is when the process hangs for longer than the lease.
    await client.del('fenced:lease:0');
    const next = await claim('fenced');
    const young = restore(next);
    const { token } = next.saved;
    for (let i = 0; i < 50; i++) await tick(next, young, other, b);
    const stored = String(await snapshotOf('fenced'));
    const listener = new Redis(url);
    let heard = 0;
    await listener.subscribe('fenced:region:1');
    listener.on('message', () => heard++);
    old.give(a);
    expect(await old.save(a)).toBe(false);
    await client.publish('fenced:region:1', '');
    await until(() => heard > 0);
    expect(heard).toBe(1);
    expect(old.isReplaced).toBe(true);
    expect(String(await snapshotOf('fenced'))).toBe(stored);
    expect(await client.hget('fenced:saved:0', 'token')).toBe(`${token}`);
    listener.disconnect();
  });

  test('waits until the former process has given the region up, or was not heard of for long', async () => {
    await createWorld(url, 'waiting', OPTIONS);
    const first = await claim('waiting');
    const waits = vi.fn();
    const second = RegionLink.claim(url, 'waiting', 0, { lease: LEASE, waits });
    await vi.waitFor(() => expect(waits).toHaveBeenCalledTimes(1));
    await first.release();
    const { saved } = await second;
    expect(saved.token).toBeGreaterThan(first.saved.token);
    (await second).close();
    expect((await claim('waiting')).saved.token).toBeGreaterThan(saved.token);
  });

  test.each([
    ['emptied', () => client.flushall()],
    ['back at an earlier state', () => client.hset('holes:saved:0', 'tick', 1)],
  ])('begins with a snapshot where Redis was %s', async (_, damage) => {
    const [here, a] = await claimBoth('holes');
    await tick(here, a);
    await damage();
    a.add(99, [80, 0, 50, 80, 0, 50]);
    for (let i = 0; i < 5; i++) await tick(here, a);
    const snapshot = await snapshotOf('holes');
    expect(snapshot).not.toBe(null);
    expect(Region.restore(Uint8Array.from(snapshot!), here.saved.token + 1).owns(99)).toBe(false);
  });

  test('a token is a time of Redis, so that others believe it though Redis lost the last ones', async () => {
    await createWorld(url, 'tokens', OPTIONS);
    const before = (await claim('tokens')).saved.token;
    await client.hset('tokens:saved:0', 'token', 1);
    await client.del('tokens:lease:0');
    const [seconds] = await client.time();
    const { token } = (await claim('tokens')).saved;
    expect(token).toBeGreaterThan(before);
    expect(Math.abs(token - 1000 * Number(seconds))).toBeLessThan(10_000);
    // And higher than the last one where the clock went back.
    await client.hset('tokens:saved:0', 'token', 2 * token);
    await client.del('tokens:lease:0');
    expect((await claim('tokens')).saved.token).toBe(2 * token + 1);
  });

  test('claims nothing where there is no snapshot', async () => {
    await expect(RegionLink.claim(url, 'nothing', 0)).rejects.toThrow('npm run create');
    expect(await client.keys('nothing:*')).toEqual([]);
  });

  test('a world is begun as a whole, and only where there is none', async () => {
    await createWorld(url, 'whole', OPTIONS);
    const sizes = [restore(await claim('whole', 0)).size, restore(await claim('whole', 1)).size];
    expect(sizes[0] + sizes[1]).toBe(OPTIONS.entities);
    await expect(createWorld(url, 'whole', OPTIONS)).rejects.toThrow('whole:*');
    await client.del('whole:saved:1');
    await expect(createWorld(url, 'whole', OPTIONS)).rejects.toThrow('whole:*');
    // Its process runs.
    await expect(createWorld(url, 'whole', OPTIONS, 1)).rejects.toThrow('whole:*');
    await client.del('whole:lease:1');
    await createWorld(url, 'whole', OPTIONS, 1);
    expect(restore(await claim('whole', 1)).size).toBe(0);
  });

  test('goes with its server', async () => {
    const count = async (): Promise<number> => `${await client.client('LIST')}`.trim().split('\n').length;
    const room = { rate: 0, entities: 10 };
    await createWorld(url, 'world', readRoomOptions(room));
    const server = await startGameServer({ port: await freePort(), room, redis: url });
    expect(await count()).toBeGreaterThan(3);
    expect(await client.exists('world:lease:0')).toBe(1);
    await server.close();
    expect(await client.exists('world:lease:0')).toBe(0);
    // But that which asks.
    let left = await count();
    for (let i = 0; i < 5000 && left > 1; i++) left = await count();
    expect(left).toBe(1);
  });
});
