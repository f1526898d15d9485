import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../demo/server/', import.meta.url));

/** Its end is what says why it failed. */
function npm(...words: string[]): { status: number | null; end: string } {
  const options = { cwd: FOLDER, encoding: 'utf8', timeout: 600_000, shell: process.platform === 'win32' } as const;
  const { status, stdout, stderr } = spawnSync('npm', words, options);
  return { status, end: `${stdout}${stderr}`.slice(-4000) };
}

/** Its packages are its own, and it takes some minutes: `SERVER=1 npx vitest run --project unit test/consumer/server`. */
it.runIf(process.env.SERVER === '1')('the game server passes its own tests', ({ skip }) => {
  skip(npm('ping').status !== 0, 'the registry cannot be reached');
  const install = npm('ci', '--no-audit', '--no-fund');
  expect(install.status, install.end).toBe(0);
  const test = npm('test');
  expect(test.status, test.end).toBe(0);
});
