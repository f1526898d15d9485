import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

/** What a server says of itself each second. */
export interface Report {
  clients: number;
  entities: number;
  items: number;
  silent: number[];
  recovering: number[];
}

export const hasRedis: boolean = spawnSync('redis-server', ['--version']).status === 0;
const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A Redis that keeps nothing; resolves when it listens. */
export async function startRedis(port: number): Promise<ChildProcess> {
  const redis = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']);
  for await (const text of redis.stdout) if (`${text}`.includes('Ready to accept')) break;
  // What it says further is not read; its output is not to fill up.
  redis.stdout.resume();
  return redis;
}

/** A process with one region. */
export class RegionProcess {
  readonly child: ChildProcess;
  url = '';
  last: Report | null = null;
  #listeners: (() => void)[] = [];

  constructor(environment: Record<string, string>) {
    this.child = fork(MAIN, { env: { ...process.env, BOTS: '0', OVERVIEW: '0', ...environment }, stdio: 'ignore' });
    this.child.on('message', (message: Report & { url?: string }) => {
      if (message.url === undefined) this.last = message;
      else this.url = message.url;
      this.#tell();
    });
    this.child.on('exit', () => this.#tell());
  }

  /** Resolves with the first of the next messages of which something holds. */
  async until(holds: (report: Report) => boolean): Promise<void> {
    const { child } = this;
    while (this.last === null || !holds(this.last)) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`the process ended with ${child.exitCode}`);
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  #tell(): void {
    for (const tell of this.#listeners.splice(0)) tell();
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}
