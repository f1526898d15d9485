import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `${port}`;
}

/** A Redis that keeps nothing; resolves when it listens. */
export async function startRedis(port: string): Promise<ChildProcess> {
  const redis = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']);
  for await (const text of redis.stdout) if (`${text}`.includes('Ready to accept')) break;
  return redis;
}

/** Starts a process of the world. */
export async function start(env: Record<string, string>): Promise<{ url: string; child: ChildProcess; log: string[] }> {
  const main = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));
  const child = spawn('node', [main], {
    env: { ...process.env, PORT: await freePort(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  child.stderr!.on('data', (text) => log.push(...`${text}`.split('\n').filter(Boolean)));
  const [text] = await once(child.stdout!, 'data');
  return { url: /http:\S+/.exec(`${text}`)![0], child, log };
}

export async function until(holds: () => boolean, milliseconds = 10): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Asks for a seat. */
export async function ask(
  url: string,
  path = 'joinOrCreate/zone-0',
  headers: Record<string, string> = {},
  body = '{}',
) {
  const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
  const answer = await fetch(`${url}/matchmake/${path}`, request);
  return { status: answer.status, seat: (await answer.json()) as Record<string, string> };
}
