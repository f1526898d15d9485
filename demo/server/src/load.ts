// Measures what the ticks of a zone take, with real connections from another process on loopback.

import { fork } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { matchMaker } from '@colyseus/core';
import { readSettings } from './settings.js';
import { startServer } from './startServer.js';
import type { ZoneRoom } from './ZoneRoom.js';

const { CLIENTS = '200', SECONDS = '15', ...environment } = process.env;
const seconds = Number(SECONDS);
const defaults = { ENTITIES: '5000', SIZE: '1000', SPEED: '12' };
const world = { ...defaults, ...environment, ZONES: '1', SEATS: '1000000', MOST_CLIENTS: '2500' };
const { url } = await startServer({ ...readSettings(world), port: 0 });
const room = matchMaker.getLocalRoomById('zone-0') as ZoneRoom;
const env = { ...process.env, url, count: CLIENTS, zones: '1' };
const bots = fork(fileURLToPath(new URL('bots.js', import.meta.url)), { env });
bots.once('exit', (code) => process.exit(code ?? 1));
while (room.sessions.size < Number(CLIENTS)) await setTimeout(100);
// Until code is compiled, ticks say nothing.
await setTimeout(5000);
const before = { tick: room.world.tick, cpu: process.cpuUsage() };
await setTimeout(1000 * seconds);
const { user, system } = process.cpuUsage(before.cpu);
const ticks = room.world.tick - before.tick;
console.log(`${room.sessions.size} clients, ${world.ENTITIES} animals, node ${process.version}`);
console.log(`${(ticks / seconds).toFixed(1)} ticks a second, a tick ${room.state.tick.toFixed(1)} ms`);
console.log(`CPU of a tick: ${((user + system) / 1000 / ticks).toFixed(2)} ms, all threads of the process`);
bots.kill();
