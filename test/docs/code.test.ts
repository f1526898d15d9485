import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { codeBlocks, compile, writeBlock } from '../helpers/codeBlocks.js';
import { DOCS, pages } from './pages.js';

const blocks = pages.flatMap(({ file, text }) =>
  codeBlocks(text).map((block, i) => ({ ...block, name: `${file.replace(/\.md$/, '').replaceAll('/', '-')}-${i}` })),
);
const files = blocks.map((block) => writeBlock('docs', block.name, block));
/** What a block says it prints: the comments behind its calls of console.log. */
const said = (code: string) => [...code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, output]) => output);

describe('the code of the docs', () => {
  it('is on most pages', () => {
    expect(blocks.length).toBeGreaterThan(30);
  });

  it('compiles', () => {
    expect(compile('docs', [join(DOCS, 'given.d.ts'), ...files])).toBe('');
  });

  const printing = blocks.flatMap(({ name, code }, i) =>
    said(code).length > 0 ? [{ name, code, file: files[i] }] : [],
  );

  it.each(printing)('prints in $name what it says', async ({ code, file }) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    await import(/* @vite-ignore */ pathToFileURL(file).href);
    const printed = log.mock.calls.map((call) => call.map(String).join(' '));
    log.mockRestore();
    expect(printed).toEqual(said(code));
  });
});
