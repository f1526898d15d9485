/**
 * A scene in one mode, in a process of its own. Runs as many frames as it is told to, and answers with the CPU time of its
 * main thread, as a page does: other threads compile what is hot meanwhile. Only Linux tells it by thread.
 */
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { WebGLRenderer } from 'three';
import { Contestant, type Mode } from './Contestant.js';
import { makeStubCanvas } from './stubContext.js';

const [name, count, mode] = process.argv.slice(2);
const renderer = new WebGLRenderer({ canvas: makeStubCanvas() });
const contestant = Contestant.of(name, Number(count), mode as Mode, renderer);

process.on('message', async ({ frames, isPaced, isProfiled }) => {
  const session = isProfiled ? await startProfile() : null;
  const before = clock();
  const drawn = await contestant.run(frames, isPaced);
  const time = (clock() - before) / frames;
  const profile = (await session?.post('Profiler.stop'))?.profile;
  process.send?.({ time, ...drawn, profile });
});
process.send?.('ready');

/** Microseconds for which the main thread has run. */
function clock(): number {
  // Also has the kernel bring its number up to date, which it does a few hundred times a second otherwise.
  const { user, system } = process.cpuUsage();
  if (process.platform !== 'linux') return user + system;
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1000;
}

async function startProfile(): Promise<Session> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 100 });
  await session.post('Profiler.start');
  return session;
}
