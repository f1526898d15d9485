import type { ChildProcess } from 'node:child_process';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startGameServer } from '../src/GameServer.js';
import { Region, RegionMap } from '../src/protocol/regions/index.js';
import { RegionLink } from '../src/regions/RegionLink.js';
import { freePort, hasRedis, startRedis } from './helpers/Processes.js';
import { until } from './helpers/until.js';

const OPTIONS = { margin: 10, hysteresis: 1 };

describe.skipIf(!hasRedis)('the link of a region', () => {
  let redis: ChildProcess;
  let url: string;
  let client: Redis;
  const map = new RegionMap({ bounds: [0, 0, 100, 100], columns: 2, rows: 1 });

  beforeAll(async () => {
    const port = await freePort();
    redis = await startRedis(port);
    url = `redis://127.0.0.1:${port}`;
    client = new Redis(url);
  });
  afterAll(() => {
    client.disconnect();
    redis.kill();
  });

  test('saves a region as soon as another one waits for that', async () => {
    const { link } = await RegionLink.open(url, 'wanted', 0);
    const here = new Region(map, 0, OPTIONS);
    const there = new Region(map, 1, OPTIONS);
    here.snapshot();
    there.add(7, [60, 0, 5, 60, 0, 5]);
    const restored = Region.restore(there.snapshot());
    const stored = vi.spyOn(here, 'stored');
    const tick = (): void => {
      restored.tick();
      here.import(restored.export(0));
      here.tick();
      link.give(here);
      restored.import(here.export(1));
    };
    // Fewer than there are between two snapshots that are made from time to time.
    for (let i = 0; i < 10; i++) tick();
    await until(() => stored.mock.calls.length > 0);
    for (let i = 0; i < 10; i++) tick();
    expect(restored.recovering).toEqual([]);
    expect(stored).toHaveBeenCalledTimes(1);
    expect(await client.exists('wanted:snapshot:0')).toBe(1);
    link.close();
  });

  test('does not pile up messages while Redis hangs', async () => {
    const { link } = await RegionLink.open(url, 'hung', 0);
    const region = new Region(map, 0, OPTIONS);
    const heard: string[] = [];
    const listener = new Redis(url);
    await listener.subscribe('hung:region:1', 'hung:end');
    listener.on('message', (channel) => heard.push(channel));
    redis.kill('SIGSTOP');
    for (let i = 0; i < 1000; i++) {
      region.tick();
      link.give(region);
    }
    redis.kill('SIGCONT');
    await until(() => heard.length > 0);
    await client.publish('hung:end', '');
    await until(() => heard.includes('hung:end'));
    expect(heard.length).toBeLessThan(100);
    // It is heard of again.
    const before = heard.length;
    region.tick();
    link.give(region);
    await until(() => heard.length > before);
    listener.disconnect();
    link.close();
  });

  test('goes with its server', async () => {
    const count = async (): Promise<number> => `${await client.client('LIST')}`.trim().split('\n').length;
    const server = await startGameServer({ port: await freePort(), room: { rate: 0, entities: 10 }, redis: url });
    expect(await count()).toBeGreaterThan(3);
    await server.close();
    // But that which asks.
    let left = await count();
    for (let i = 0; i < 1000 && left > 1; i++) left = await count();
    expect(left).toBe(1);
  });
});
