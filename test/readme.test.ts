import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { codeBlocks, compile, writeBlock } from './helpers/codeBlocks.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = codeBlocks(readme);
const examples = blocks.filter(({ language }) => language === 'ts');
const pages = blocks.filter(({ language }) => language === 'tsx');
const files = examples.map((block, i) => writeBlock('readme', `example${i}`, block));

describe('the README', () => {
  it('has a usage of at most a dozen statements, and three more', () => {
    expect(examples).toHaveLength(5);
    const statements = examples[0].code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('import'));
    expect(statements.length).toBeLessThanOrEqual(12);
  });

  it('has examples that compile', () => {
    expect(compile('readme', files)).toBe('');
  });

  it.each(examples.map((_, i) => i))('has an example %i that runs', async (i) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    await import(/* @vite-ignore */ pathToFileURL(files[i]).href);
    const said = log.mock.calls.map((call) => call.join(' ')).join('\n');
    log.mockRestore();
    expect(said).not.toBe('');
    if (i === 0) expect(said).toBe('33 of 1000 seen, one hit');
  });

  it('shows the page of React Three Fiber that is tested', () => {
    expect(pages.map(({ code }) => code)).toEqual([readFileSync(join(root, 'test/react/Boxes.tsx'), 'utf8')]);
  });

  it('names files that exist', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1]);
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(existsSync(join(root, link)), link).toBe(true);
  });
});
