// Creates a world in Redis: `npm run create`, or `npm run create -- 1` for region 1 alone, without entities.

import { createWorld } from './regions/createWorld.js';
import { readRoomOptions } from './room/RoomOptions.js';
import { readSettings, WORLD } from './settings.js';

const { redis, room } = readSettings(process.env);
const options = readRoomOptions(room);
const empty = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
try {
  if (redis === null) throw new Error('REDIS_URL: must be set, as a world without Redis is not stored');
  if (empty !== undefined && !(empty in Array.from({ length: options.regions }))) {
    throw new RangeError(`create: there are regions 0 to ${options.regions - 1}, got ${process.argv[2]}`);
  }
  await createWorld(redis, WORLD, options, empty);
  console.log(empty === undefined ? `${options.entities} entities in ${options.regions} regions` : `region ${empty}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
