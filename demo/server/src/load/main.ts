// Real clients on loopback, and what the ticks of a server in a process of its own take meanwhile.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Bots } from '../bots/Bots.js';
import { PARTS, type Times } from '../room/TickTimes.js';

const clients = Number(process.env.CLIENTS ?? 500);
const entities = Number(process.env.ENTITIES ?? 10_000);
const seconds = Number(process.env.SECONDS ?? 15);
/** Ticks until all have joined, and code is compiled, say nothing. */
const WARM_UP = 5;

interface Report extends Times {
  clients: number;
  cpu: number;
}

const server = fork(fileURLToPath(new URL('main.js', import.meta.url)), {
  env: { ...process.env, PORT: '0', BOTS: '0', OVERVIEW: '0', ENTITIES: String(entities) },
});
const { url } = await next<{ url: string }>(server);
const bots = new Bots();
await bots.join(url, clients, 1);
for (let second = 0; second < WARM_UP; second++) await next(server);

const before = { ...bots.heard };
const first = await next<Report>(server);
const reports: Report[] = [];
while (reports.length < seconds) reports.push(await next<Report>(server));

const ticks = reports.reduce((sum, report) => sum + report.ticks, 0);
const mean = (of: (report: Report) => number): number => reports.reduce((sum, r) => sum + of(r) * r.ticks, 0) / ticks;
const each = (bytes: number): string => (bytes / clients / (seconds + 1)).toFixed(0);
const busy = (reports.at(-1)!.cpu - first.cpu) / 1000 / seconds;
console.log(`${clients} clients, ${entities} entities, ${process.env.VIEWS === '1' ? 'plain views' : 'interest'}`);
console.log(`node ${process.version}, ${ticks} ticks in ${seconds} s, ${bots.open} still connected`);
for (const part of PARTS) console.log(`${part.padEnd(10)}${mean((report) => report.means[part]).toFixed(2)} ms`);
console.log(`${'tick'.padEnd(10)}${mean((report) => report.mean).toFixed(2)} ms, slowest ${slowest().toFixed(1)} ms`);
console.log(`${'a client'.padEnd(10)}${each(bots.heard.positions - before.positions)} B/s of positions`);
console.log(`${''.padEnd(10)}${each(bots.heard.state - before.state)} B/s of state`);
console.log(`${'process'.padEnd(10)}${(100 * busy).toFixed(0)} % of a core`);
bots.close();
server.kill();
process.exit();

function slowest(): number {
  return Math.max(...reports.map((report) => report.slowest));
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
