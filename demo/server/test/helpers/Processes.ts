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
  deaf: number[];
  recovering: number[];
}

/** What it answers when it is asked for its entities. */
interface Own {
  own: number[];
  tick: number;
}

export const hasRedis: boolean = spawnSync('redis-server', ['--version']).status === 0;
/** The title of tests that are left out where there is no Redis. */
export const withRedis = (title: string): string =>
  hasRedis ? title : `SKIPPED, there is no redis-server (apt-get install redis-server): ${title}`;

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));
const CREATE = fileURLToPath(new URL('../../dist/server/create.js', import.meta.url));

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

/** `npm run create`: what it printed, and whether it went well. */
export function create(environment: Record<string, string>, ...words: string[]): { status: number; text: string } {
  const options = { env: { ...process.env, ...environment }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [CREATE, ...words], options);
  return { status: status ?? 1, text: `${stdout}${stderr}` };
}

/** A process with one region. */
export class RegionProcess {
  readonly child: ChildProcess;
  url = '';
  last: Report | null = null;
  /** All that it printed. */
  text = '';
  /** How it ended. */
  ended: string | null = null;
  #own: Own | null = null;
  #listeners: (() => void)[] = [];

  /** @param skew Milliseconds by which its clock is ahead. */
  constructor(environment: Record<string, string>, skew = 0) {
    const clock = `const now = Date.now; Date.now = () => now() + ${skew};`;
    this.child = fork(MAIN, {
      env: { ...process.env, ...environment },
      execArgv: skew === 0 ? [] : ['--import', `data:text/javascript,${encodeURIComponent(clock)}`],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream!.on('data', (data) => {
        this.text += data;
        this.#tell();
      });
    }
    this.child.on('message', (message: Report & Own & { url?: string }) => {
      if (message.url !== undefined) this.url = message.url;
      else if (message.own !== undefined) this.#own = message;
      else this.last = message;
      this.#tell();
    });
    this.child.on('exit', (code, signal) => {
      this.ended = `${code ?? signal}`;
      this.#tell();
    });
  }

  /** Resolves with the first of the next messages of which something holds. */
  until(holds: (report: Report) => boolean): Promise<void> {
    return this.#until(() => this.last !== null && holds(this.last));
  }

  /** Resolves when it has printed something. */
  says(text: string): Promise<void> {
    return this.#until(() => this.text.includes(text));
  }

  /** The entities that it owns now. */
  async own(): Promise<number[]> {
    this.#own = null;
    this.child.send('entities');
    await this.#until(() => this.#own !== null);
    return this.#own!.own;
  }

  /** Resolves when it has ended by itself, or by a signal that it is given. */
  async end(signal?: NodeJS.Signals): Promise<string> {
    if (signal !== undefined) this.child.kill(signal);
    while (this.ended === null) await new Promise<void>((resolve) => this.#listeners.push(resolve));
    return this.ended;
  }

  async kill(): Promise<void> {
    if (this.ended !== null) return;
    this.child.kill('SIGKILL');
    await this.end();
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.ended !== null) throw new Error(`the process ended with ${this.ended}: ${this.text}`);
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  #tell(): void {
    for (const tell of this.#listeners.splice(0)) tell();
  }
}
