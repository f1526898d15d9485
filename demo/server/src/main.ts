import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { startGameServer } from './GameServer.js';
import { readSettings } from './settings.js';

const { bots, ...settings } = readSettings(process.env);
const page = fileURLToPath(new URL('../page', import.meta.url));
const server = await startGameServer({ ...settings, page });

const { world, sessions, times } = server.room;
if (process.send === undefined) console.log(`${server.url} (${bots} bots, ${world.count} entities)`);
else report();
watch();
if (bots > 0) {
  const worker = new Worker(new URL('bots.js', import.meta.url), { workerData: { url: server.url, count: bots } });
  // Bots that find no seat are no reason for the world to end.
  worker.on('error', ({ message }) => console.warn(`the bots are gone: ${message}`));
}
process.on('SIGINT', () => process.exit());
process.on('SIGTERM', () => process.exit());

/** Tells the process that started this one where it listens, and each second how it is. */
function report(): void {
  process.send!({ url: server.url });
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    const { silent, recovering } = world.region;
    // Whoever asked may have just gone; then this process goes as well.
    const ignore = (): void => {};
    const now = {
      ...{ clients: sessions.size, entities: world.count, items: world.index.size, silent, recovering },
      ...{ cpu: (user + system) / 1e3, ...times.take() },
    };
    process.send!(now, ignore);
  }, 1000);
  process.on('disconnect', () => process.exit());
}

/** Says which regions are not heard of, which messages were passed over, and ends a process that another one has replaced. */
function watch(): void {
  let silent = '';
  let refused: string | null = null;
  setInterval(() => {
    const now = world.region.silent.join(', ');
    if (now !== silent) console.warn(now === '' ? 'all regions are heard of' : `nothing is heard of region ${now}`);
    silent = now;
    if (world.refused !== refused) console.warn(`a message was passed over: ${world.refused}`);
    refused = world.refused;
    if (!world.region.isReplaced) return;
    console.warn('another process runs this region');
    process.exit(1);
  }, 1000);
}
