import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { readSettings } from './settings.js';
import { startServer } from './startServer.js';

const demo = process.argv.includes('--demo') ? { BOTS: '100', OVERVIEW: '1' } : {};
const settings = readOrExit();
const { url } = await startServer(settings, fileURLToPath(new URL('../page', import.meta.url)));
// As when Redis is gone, for which Colyseus waits.
process.once('SIGTERM', () => setTimeout(() => process.exit(1), 30_000).unref());
console.log(`${url} (${settings.bots} bots)`);
if (settings.bots > 0) {
  const workerData = { url, count: settings.bots, zones: settings.zone.zones };
  // In a thread of their own, so that ticks do not wait for them. That they find no seat does not end the world.
  const worker = new Worker(new URL('bots.js', import.meta.url), { workerData });
  worker.on('error', ({ message }) => console.warn(`the bots are gone: ${message}`));
}

function readOrExit(): ReturnType<typeof readSettings> {
  try {
    return readSettings({ ...demo, ...process.env });
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
