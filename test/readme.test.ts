import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { codeBlocks, compile, writeBlock } from './helpers/codeBlocks.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = codeBlocks(readme);
const examples = blocks.filter(({ language }) => language === 'ts');
const files = blocks.map((block, i) => writeBlock('readme', `example${i}`, block));

describe('the README', () => {
  it('is a page: at most 1,200 words', () => {
    const prose = readme.replace(/^```.*?^```$/gms, '');
    expect(prose.split(/\s+/).length).toBeLessThanOrEqual(1200);
  });

  it('has a page of at most 35 lines, and a usage of at most a dozen statements', () => {
    const [html] = readme.match(/(?<=^```html\n).*?(?=^```$)/ms) ?? [''];
    expect(html).not.toBe('');
    expect(html.trimEnd().split('\n').length).toBeLessThanOrEqual(35);
    expect(examples).toHaveLength(1);
    const statements = examples[0].code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('import'));
    expect(statements.length).toBeLessThanOrEqual(12);
  });

  it('has examples that compile', () => {
    expect(compile('readme', files)).toBe('');
  });

  it('has an example that runs', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    await import(/* @vite-ignore */ pathToFileURL(files[0]).href);
    const said = log.mock.calls.map((call) => call.join(' ')).join('\n');
    log.mockRestore();
    expect(said).toBe('33 of 1000 in view, one hit');
  });

  it('names files that exist', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1]);
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(existsSync(join(root, link)), link).toBe(true);
  });
});
