import type { Redis } from 'ioredis';

/*
 * What Redis keeps of a region, and the scripts that change it, each of which runs as a whole or not at all.
 *
 *     world:lease:3   which process runs the region, until it has not been renewed for a while
 *     world:saved:3   token, tick and snapshot
 *     world:log:3     what was given away since the snapshot
 *
 * A token says which process of all that have run a region this one is. It is a time of Redis' own clock, and higher than the
 * last one, so that clocks of other machines do not matter. Whoever comes with a token that is not the latest changes nothing.
 */

/** What `claimRegionBuffer` answers. */
export type ClaimAnswer = [held: 0] | [missing: -1] | [claimed: 1, token: Buffer, snapshot: Buffer, log: Buffer[]];

/** The answers of the other scripts. */
export const REPLACED = 0;
export const DONE = 1;
/** The tick before was not stored: it is to come again, with a snapshot. */
export const GAP = -1;

const CLAIM = `
if redis.call('EXISTS', KEYS[1]) == 1 then return {0} end
local snapshot = redis.call('HGET', KEYS[2], 'snapshot')
if not snapshot then return {-1} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local token = string.format('%.0f', math.max(now, redis.call('HGET', KEYS[2], 'token') + 1))
redis.call('HSET', KEYS[2], 'token', token, 'tick', 0)
redis.call('SET', KEYS[1], token, 'PX', ARGV[1])
return {1, token, snapshot, redis.call('LRANGE', KEYS[3], 0, -1)}`;

const RENEW = `
local token = redis.call('HGET', KEYS[2], 'token')
if token and tonumber(token) > tonumber(ARGV[1]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/** token, tick, snapshot or '', log or '', then a channel and a message each. */
const COMMIT = `
local token = tonumber(redis.call('HGET', KEYS[2], 'token') or 0)
if token > tonumber(ARGV[1]) then return 0 end
if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[2], 'token', ARGV[1], 'snapshot', ARGV[3])
  redis.call('DEL', KEYS[3])
else
  local tick = tonumber(redis.call('HGET', KEYS[2], 'tick') or -1)
  if token ~= tonumber(ARGV[1]) or tick + 1 ~= tonumber(ARGV[2]) then return -1 end
  if ARGV[4] ~= '' then redis.call('RPUSH', KEYS[3], ARGV[4]) end
end
redis.call('HSET', KEYS[2], 'tick', ARGV[2])
for i = 5, #ARGV, 2 do redis.call('PUBLISH', ARGV[i], ARGV[i + 1]) end
return 1`;

const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
return 1`;

/** All keys of some regions, then the token and their snapshots. */
const CREATE = `
for i = 1, #KEYS, 3 do
  if redis.call('EXISTS', KEYS[i]) == 1 or redis.call('HEXISTS', KEYS[i + 1], 'snapshot') == 1 then return 0 end
end
for i = 1, #KEYS, 3 do
  redis.call('HSET', KEYS[i + 1], 'token', ARGV[1], 'snapshot', ARGV[1 + (i + 2) / 3])
  redis.call('DEL', KEYS[i + 2])
end
return 1`;

/** A connection to Redis that knows the scripts. */
export interface RegionRedis extends Redis {
  claimRegionBuffer(lease: string, saved: string, log: string, milliseconds: number): Promise<ClaimAnswer>;
  renewRegion(lease: string, saved: string, log: string, token: number, milliseconds: number): Promise<number>;
  commitRegion(lease: string, saved: string, log: string, ...commit: (string | number | Buffer)[]): Promise<number>;
  releaseRegion(lease: string, saved: string, log: string, token: number): Promise<number>;
  createRegions(keys: number, ...keysTokenAndSnapshots: (string | number | Buffer)[]): Promise<number>;
}

export function defineScripts(redis: Redis): RegionRedis {
  redis.defineCommand('claimRegion', { numberOfKeys: 3, lua: CLAIM });
  redis.defineCommand('renewRegion', { numberOfKeys: 3, lua: RENEW });
  redis.defineCommand('commitRegion', { numberOfKeys: 3, lua: COMMIT });
  redis.defineCommand('releaseRegion', { numberOfKeys: 3, lua: RELEASE });
  redis.defineCommand('createRegions', { lua: CREATE });
  return redis as RegionRedis;
}

/** The three keys of a region. */
export function keysOf(world: string, region: number): [lease: string, saved: string, log: string] {
  return [`${world}:lease:${region}`, `${world}:saved:${region}`, `${world}:log:${region}`];
}
