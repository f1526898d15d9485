import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A browser that can be told to show a page. */
export interface Engine {
  open(url: string): Promise<void>;
  close(): Promise<void>;
}

/** A program with a display and a folder of its own, which are gone when it is ended. */
export class OwnProcess {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'engine-'));
  #child: ChildProcess | null = null;

  /**
   * Starts it, and waits for what it says when it is ready. Without a window it has no WebGL where there is no GPU, so
   * where there is no display `xvfb-run` makes one.
   * @param ready Matched against its output.
   */
  start(command: string, args: readonly string[], ready: RegExp): Promise<RegExpMatchArray> {
    const line = process.env.DISPLAY ? [command, ...args] : ['xvfb-run', '-a', command, ...args];
    const child = spawn(line[0], line.slice(1), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, HOME: this.folder, LIBGL_ALWAYS_SOFTWARE: '1' },
      // In a group, which is ended as a whole.
      detached: true,
    });
    this.#child = child;
    return new Promise((resolve, reject) => {
      let output = '';
      const read = (data: Buffer): void => {
        output += data;
        const match = output.match(ready);
        if (match !== null) resolve(match);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('error', ({ message }) =>
        reject(new Error(`${message}: for the packages see CONTRIBUTING.md, engines`)),
      );
      child.on('exit', (status) => reject(new Error(`${command} ended with ${status}: ${output.slice(-2000)}`)));
    });
  }

  async end(): Promise<void> {
    const child = this.#child;
    if (child !== null && child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      process.kill(-(child.pid as number));
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
