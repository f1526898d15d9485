import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1]);
const folder = join(root, 'node_modules/.cache/readme');

/** Writes an example to a file that imports the sources in place of the package. */
function write(example: string, i: number): string {
  const code = example
    .replace("'three-scene-index/core'", `'${root}src/standalone.js'`)
    .replace("'three-scene-index'", `'${root}src/index.js'`);
  const file = join(folder, `example${i}.ts`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, code);
  return file;
}

describe('the README', () => {
  it('has a usage of at most a dozen statements, and three more', () => {
    expect(examples).toHaveLength(5);
    const statements = examples[0].split('\n').filter((line) => line.trim() !== '' && !line.startsWith('import'));
    expect(statements.length).toBeLessThanOrEqual(12);
  });

  it('has examples that compile', () => {
    const files = examples.map(write);
    const config = join(folder, 'tsconfig.json');
    writeFileSync(
      config,
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        files,
        include: [],
        compilerOptions: { noUnusedLocals: false },
      }),
    );
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', config], {
      stdio: 'pipe',
    });
  }, 60_000);

  it.each(examples.map((_, i) => i))('has an example %i that runs', async (i) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    await import(/* @vite-ignore */ pathToFileURL(write(examples[i], i)).href);
    const said = log.mock.calls.map((call) => call.join(' ')).join('\n');
    log.mockRestore();
    expect(said).not.toBe('');
    if (i === 0) expect(said).toBe('33 of 1000 seen, one hit');
  });

  it('shows the page of React Three Fiber that is tested', () => {
    const [page] = [...readme.matchAll(/```tsx\n(.*?)```/gs)].map((match) => match[1]);
    expect(readFileSync(join(root, 'test/react/Boxes.tsx'), 'utf8')).toBe(page);
  });

  it('names files that exist', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1]);
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(existsSync(join(root, link)), link).toBe(true);
  });
});
