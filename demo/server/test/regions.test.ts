import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MOVED } from '../src/protocol/closeCodes.js';
import { STEER } from '../src/protocol/limits.js';
import { writeSteer } from '../src/protocol/steer.js';
import { Player } from './helpers/Player.js';
import { freePort, hasRedis, RegionProcess, startRedis } from './helpers/Processes.js';

const ENTITIES = 600;

if (!hasRedis) console.warn('There is no redis-server: the tests of regions in several processes are left out.');

describe.skipIf(!hasRedis)('two regions of one world, in processes of their own', () => {
  let redisPort: number;
  let redis: ChildProcess;
  let ports: number[];
  const regions: RegionProcess[] = [];

  const start = (region: number): RegionProcess =>
    new RegionProcess({
      ...{ REDIS_URL: `redis://127.0.0.1:${redisPort}`, PORT: `${ports[region]}`, REGIONS: '2', REGION: `${region}` },
      ...{ ENTITIES: `${ENTITIES}`, SIZE: '300', SPEED: '60' },
    });
  /** Resolves when both say the same world between them, each with ghosts of the other. */
  async function agree(): Promise<void> {
    const isWhole = (): boolean => regions.reduce((sum, { last }) => sum + (last?.entities ?? 0), 0) === ENTITIES;
    const hasGhosts = (): boolean => regions.every(({ last }) => last !== null && last.items > last.entities);
    const isHeard = (): boolean =>
      regions.every(({ last }) => last?.silent.length === 0 && last.recovering.length === 0);
    for (const { last } of regions) if (last !== null) last.entities = Number.NaN;
    for (let i = 0; !(isWhole() && hasGhosts() && isHeard()); i++) {
      const before = regions[i % 2].last;
      await regions[i % 2].until((report) => report !== before);
    }
  }

  /** Resolves after as many reports as there are between two snapshots at most. */
  async function isSaved(region: RegionProcess): Promise<void> {
    for (let i = 0; i < 3; i++) {
      const { last } = region;
      await region.until((report) => report !== last);
    }
  }

  beforeAll(async () => {
    redisPort = await freePort();
    ports = [await freePort(), await freePort()];
    redis = await startRedis(redisPort);
    for (const region of [0, 1]) {
      regions[region] = start(region);
      await regions[region].until(() => true);
    }
  });
  afterAll(async () => {
    await Promise.all(regions.map((region) => region.kill()));
    redis.kill();
  });

  test('hold each entity once, and what is near the border as ghosts', agree);

  test('send a player who crosses the border to the other process, which knows it by its ticket alone', async () => {
    // The process that is asked need not be the one that has the room.
    const here = await Player.join(regions[1].url, 'region-0');
    await here.next();
    const steer = (): void => here.room.sendBytes(STEER, writeSteer(1, 0));
    const timer = setInterval(steer, 200);
    expect(await here.closed).toBe(MOVED);
    clearInterval(timer);
    expect(here.reason).toBe('region-1');
    const { ticket } = here;
    await expect(Player.join(regions[0].url, 'region-1', { ...ticket, ticket: 'ff' })).rejects.toThrow();
    await expect(Player.join(regions[0].url, 'region-1', { entity: 1, ticket: '0' })).rejects.toThrow();
    const there = await Player.join(regions[0].url, here.reason, ticket);
    await there.next();
    // It went on meanwhile.
    expect(there.picture.x).toBeGreaterThanOrEqual(here.picture.x);
    expect(there.picture.z).toBe(here.picture.z);
    expect([...there.cards.keys()].sort()).toEqual([...there.picture.seen.keys()].sort());
    expect(there.cards.size).toBeGreaterThan(0);
    await there.room.leave();
    await agree();
  });

  test('do without one that was killed, and take it back with its entities', async () => {
    const before = await Player.join(regions[1].url, 'region-1');
    await isSaved(regions[1]);
    await regions[1].kill();
    // Those that are on their way to it remain.
    await regions[0].until(({ silent, items, entities }) => silent.includes(1) && items - entities < 20);
    regions[1] = start(1);
    await regions[1].until(({ recovering }) => recovering.length === 0);
    const after = await Player.join(regions[1].url, 'region-1', before.ticket);
    await after.next();
    expect([after.picture.x, after.picture.z]).toEqual([before.picture.x, before.picture.z]);
    await after.room.leave();
    await agree();
  });

  test('come back when both were killed at once', async () => {
    await Promise.all(regions.map(isSaved));
    await Promise.all(regions.map((region) => region.kill()));
    for (const region of [0, 1]) regions[region] = start(region);
    for (const region of regions) await region.until(({ recovering }) => recovering.length === 0);
    await agree();
  });

  test('do without Redis while it is gone, and find each other when it is back', async () => {
    const player = await Player.join(regions[0].url, 'region-0');
    await player.next();
    redis.kill('SIGKILL');
    await once(redis, 'exit');
    await regions[0].until(({ silent }) => silent.includes(1));
    await player.next();
    redis = await startRedis(redisPort);
    await regions[0].until(({ silent }) => silent.length === 0);
    await player.next();
    expect(player.fault).toBe(null);
    await player.room.leave();
    await agree();
  });
});
