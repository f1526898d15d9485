import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type GameServer, startGameServer } from './GameServer.js';
import { readSettings } from './settings.js';

/** A process that cannot end in time ends without saving, in milliseconds. */
const LONGEST_END = 8000;

const { bots, ...settings } = readSettings(process.env, process.argv.includes('--demo'));
const page = fileURLToPath(new URL('../page', import.meta.url));
const { region = 0 } = settings.room;
const waits = (): void => console.warn(`another process runs region ${region}: waiting until it ends`);
const server = await startGameServer({ ...settings, page, claim: { ...settings.claim, waits } }).catch(
  (error: Error): never => {
    console.error(error.message);
    process.exit(1);
  },
);

const { world, sessions, times } = server.room;
if (process.send === undefined) console.log(`${server.url} (${bots} bots, ${world.count} entities)`);
else report();
watch();
if (bots > 0) {
  const worker = new Worker(new URL('bots.js', import.meta.url), { workerData: { url: server.url, count: bots } });
  // Bots that find no seat are no reason for the world to end.
  worker.on('error', ({ message }) => console.warn(`the bots are gone: ${message}`));
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(server));

/** Saves the region, and ends. */
async function end({ close }: GameServer): Promise<void> {
  setTimeout(() => process.exit(1), LONGEST_END).unref();
  await close();
  process.exit();
}

/** Tells the process that started this one where it listens, each second how it is, and what it has when it is asked. */
function report(): void {
  // Whoever asked may have just gone; then this process goes as well.
  const ignore = (): void => {};
  process.send!({ url: server.url });
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    const { silent, deaf, recovering } = world.region;
    const now = {
      ...{ clients: sessions.size, entities: world.count, items: world.index.size, silent, deaf, recovering },
      ...{ cpu: (user + system) / 1e3, ...times.take() },
    };
    process.send!(now, ignore);
  }, 1000);
  process.on('message', (asked) => {
    if (asked === 'entities') process.send!({ own: world.region.entities(), tick: world.tick }, ignore);
  });
  process.on('disconnect', () => process.exit());
}

/** Says with whom there is a fault, which messages were passed over, and ends a process that another one has replaced. */
function watch(): void {
  let fault = ' ';
  let refused: string | null = null;
  setInterval(() => {
    const { silent, deaf } = world.region;
    const now = [
      silent.length > 0 ? `nothing is heard of region ${silent}` : '',
      deaf.length > 0 ? `region ${deaf} does not hear` : '',
    ].join(' ');
    if (now !== fault) console.warn(now.trim() === '' ? 'all regions hear each other' : now.trim());
    fault = now;
    if (world.refused !== refused) console.warn(`a message was passed over: ${world.refused}`);
    refused = world.refused;
    if (!server.room.isReplaced) return;
    console.warn('another process runs this region');
    process.exit(1);
  }, 1000);
}
