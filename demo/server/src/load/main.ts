// Real clients on loopback, and what the ticks of a server in a process of its own take meanwhile.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Bots } from '../bots/Bots.js';
import { createWorld } from '../regions/createWorld.js';
import { readRoomOptions } from '../room/RoomOptions.js';
import { PARTS, type Times } from '../room/TickTimes.js';
import { readSettings, WORLD } from '../settings.js';

const clients = Number(process.env.CLIENTS ?? 500);
const entities = Number(process.env.ENTITIES ?? 10_000);
const seconds = Number(process.env.SECONDS ?? 15);
/** Ticks until all have joined, and code is compiled, say nothing. */
const WARM_UP = 5;
const FIRST_PORT = 2570;

interface Report extends Times {
  clients: number;
  items: number;
  cpu: number;
}

const regions = Number(process.env.REGIONS ?? 1);
if (regions > 1)
  await createWorld(
    process.env.REDIS_URL!,
    WORLD,
    readRoomOptions(readSettings({ ...process.env, ENTITIES: `${entities}` }).room),
  );
const servers = await Promise.all(Array.from({ length: regions }, (_, region) => start(region)));
const bots = new Bots();
const rooms = regions === 1 ? ['world'] : servers.map((_, region) => `region-${region}`);
await bots.join(servers[0].url, clients, 1, rooms);
for (let second = 0; second < WARM_UP; second++) await nextOfAll();

const before = { ...bots.heard };
const first = await nextOfAll();
const reports: Report[] = [];
let last = first;
for (let second = 0; second < seconds; second++) {
  last = await nextOfAll();
  reports.push(...last);
}

const ticks = reports.reduce((sum, report) => sum + report.ticks, 0);
const mean = (of: (report: Report) => number): number => reports.reduce((sum, r) => sum + of(r) * r.ticks, 0) / ticks;
const each = (bytes: number): string => (bytes / clients / (seconds + 1)).toFixed(0);
const busy = last.reduce((sum, { cpu }, i) => sum + cpu - first[i].cpu, 0) / 1000 / seconds / regions;
const items = last.reduce((sum, report) => sum + report.items, 0);
console.log(
  `${clients} clients, ${entities} entities, ${process.env.VIEWS === '1' ? 'plain views' : 'interest'}, ${regions} processes`,
);
console.log(
  `node ${process.version}, ${(ticks / seconds / regions).toFixed(1)} ticks a second, ${items} items with ghosts, ${bots.open} still connected`,
);
for (const part of PARTS) console.log(`${part.padEnd(10)}${mean((report) => report.means[part]).toFixed(2)} ms`);
console.log(`${'tick'.padEnd(10)}${mean((report) => report.mean).toFixed(2)} ms, slowest ${slowest().toFixed(1)} ms`);
console.log(`${'a client'.padEnd(10)}${each(bots.heard.positions - before.positions)} B/s of positions`);
console.log(`${''.padEnd(10)}${each(bots.heard.state - before.state)} B/s of state`);
console.log(
  `${'each'.padEnd(10)}${((1000 * busy) / (ticks / seconds / regions)).toFixed(1)} ms of a core a tick, ${(100 * busy).toFixed(0)} %`,
);
bots.close();
for (const { child } of servers) child.kill();
process.exit();

function slowest(): number {
  return Math.max(...reports.map((report) => report.slowest));
}

/** Starts the process of a region; several need `REDIS_URL`, where there is no world yet. */
async function start(region: number): Promise<{ child: ChildProcess; url: string }> {
  const port = regions === 1 ? 0 : FIRST_PORT + region;
  const own = { PORT: `${port}`, REGION: `${region}`, SEATS: '1000000', ENTITIES: `${entities}` };
  const child = fork(fileURLToPath(new URL('main.js', import.meta.url)), { env: { ...process.env, ...own } });
  const { url } = await next<{ url: string }>(child);
  return { child, url };
}

function nextOfAll(): Promise<Report[]> {
  return Promise.all(servers.map(({ child }) => next<Report>(child)));
}

function next<T>(from: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null): void => reject(new Error(`the server ended with ${code}`));
    from.once('exit', fail);
    from.once('message', (message) => {
      from.removeListener('exit', fail);
      resolve(message as T);
    });
  });
}
