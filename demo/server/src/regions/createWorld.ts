import { openWorld, populate } from '../room/openWorld.js';
import type { RoomOptions } from '../room/RoomOptions.js';
import { connectRedis } from './redisConnections.js';
import { defineScripts, keysOf } from './scripts.js';

/**
 * Creates a world in Redis: the first snapshots of all regions, or none. Nothing else does: a region without a snapshot does
 * not start, as its entities may have moved to other regions.
 * @param empty Create only this region, without entities, after its snapshot alone was lost.
 * @throws Error if Redis has a snapshot of one of these regions already, or a process runs it.
 */
export async function createWorld(url: string, world: string, options: RoomOptions, empty?: number): Promise<void> {
  const redis = defineScripts(connectRedis(url, { retryStrategy: null, lazyConnect: true }));
  try {
    await redis.connect();
    const [seconds, microseconds] = await redis.time();
    const token = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
    const regions = empty === undefined ? Array.from({ length: options.regions }, (_, region) => region) : [empty];
    const snapshots = regions.map((region) => {
      const part = openWorld({ ...options, region }, token);
      if (empty === undefined) populate(part, options);
      return Buffer.from(part.region.snapshot());
    });
    const keys = regions.flatMap((region) => keysOf(world, region));
    if ((await redis.createRegions(keys.length, ...keys, token, ...snapshots)) === 1) return;
    throw new Error(
      `createWorld: ${redis.options.host}:${redis.options.port} has a snapshot of the world already, or a process runs it. To discard it, stop all regions and delete the keys ${world}:*.`,
    );
  } finally {
    redis.disconnect();
  }
}
