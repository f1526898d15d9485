/** A scene in one mode, in a process of its own. Runs as many frames as it is told to, and answers with their CPU time. */
import { Session } from 'node:inspector/promises';
import { WebGLRenderer } from 'three';
import { Contestant, type Mode } from './Contestant.js';
import { makeStubCanvas } from './stubContext.js';

const [name, count, mode] = process.argv.slice(2);
const renderer = new WebGLRenderer({ canvas: makeStubCanvas() });
const contestant = Contestant.of(name, Number(count), mode as Mode, renderer);

process.on('message', async ({ frames, isPaced, isProfiled }) => {
  const session = isProfiled ? await startProfile() : null;
  const before = process.cpuUsage();
  const drawn = await contestant.run(frames, isPaced);
  const { user, system } = process.cpuUsage(before);
  const profile = (await session?.post('Profiler.stop'))?.profile;
  process.send?.({ time: (user + system) / frames, ...drawn, profile });
});
process.send?.('ready');

async function startProfile(): Promise<Session> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 100 });
  await session.post('Profiler.start');
  return session;
}
