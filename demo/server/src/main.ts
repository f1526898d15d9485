import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { startGameServer } from './GameServer.js';
import { readSettings } from './settings.js';

const { bots, ...settings } = readSettings(process.env);
const page = fileURLToPath(new URL('../page', import.meta.url));
const server = await startGameServer({ ...settings, page });

if (process.send === undefined) console.log(`${server.url} (${bots} bots, ${server.room.world.count} entities)`);
else report();
if (bots > 0) new Worker(new URL('bots.js', import.meta.url), { workerData: { url: server.url, count: bots } });
process.on('SIGINT', () => process.exit());
process.on('SIGTERM', () => process.exit());

/** Tells the process that started this one where it listens, and each second what its ticks take. */
function report(): void {
  process.send!({ url: server.url });
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    const { sessions, times } = server.room;
    process.send!({ clients: sessions.size, cpu: (user + system) / 1e3, ...times.take() });
  }, 1000);
  process.on('disconnect', () => process.exit());
}
