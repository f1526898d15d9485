import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { TASKS } from '../../demo/docs/site/apiTasks.mjs';
import { codeBlocks, compile, writeBlock } from '../helpers/codeBlocks.js';
import { allExports, type Export } from '../helpers/publicDocs.js';
import { atWidth, isFull } from '../helpers/width.js';
import { DOCS, pages } from './pages.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const exported = allExports();
const docsOf = (one: Export) => [one, ...one.members];

/** The blocks of code of a text, with the files into which they are written. */
const blocksOf = (folder: string, text: string, of: string) =>
  codeBlocks(text).map((block, i) => {
    const name = `${of}-${i}`;
    return { ...block, name, file: writeBlock(folder, name, block) };
  });

const ofReadme = blocksOf('docs', readme, 'readme');
const ofPages = pages.flatMap(({ file, text }) =>
  blocksOf('docs', text, file.replace(/\.md$/, '').replaceAll('/', '-')),
);

/** What a block says it prints: the comments behind its calls of console.log. */
const said = (code: string) => [...code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, output]) => output);

/** What a file prints. */
async function printed(file: string): Promise<string[]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import(/* @vite-ignore */ pathToFileURL(file).href);
  const lines = log.mock.calls.map((call) => call.map(String).join(' '));
  log.mockRestore();
  return lines;
}

describe('code of the documentation', () => {
  const given = (name: string) => join(import.meta.dirname, `given.${name}.d.ts`);
  /** Examples without three.js take other things as given. */
  const isCore = ({ entry }: Export) => entry === 'standalone' || entry === 'interest';
  const examples = (folder: string, isWanted: (one: Export) => boolean) =>
    exported
      .filter(isWanted)
      .flatMap(docsOf)
      .flatMap(({ text, name }) => blocksOf(folder, text, name));
  const ofDocstrings = examples('examples', (one) => !isCore(one));
  // Each run of the compiler reads all of the library anew.
  const programs = [
    {
      folder: 'docs',
      blocks: isFull ? [...ofPages, ...ofReadme, ...ofDocstrings] : ofReadme,
      takenAsGiven: [join(DOCS, 'given.d.ts'), given('scene')],
    },
    { folder: 'examples-core', blocks: examples('examples-core', isCore), takenAsGiven: [given('core')] },
  ];

  it.each(programs.slice(0, atWidth(2, 1)))('compiles: $folder', ({ folder, blocks, takenAsGiven }) => {
    if (isFull) expect(blocks.length).toBeGreaterThan(20);
    expect(compile(folder, [...takenAsGiven, ...blocks.map(({ file }) => file)])).toBe('');
  });

  it('prints in the README what it should', async () => {
    expect(await printed(ofReadme[0].file)).toEqual(['33 of 1000 in view, one hit']);
  });

  it.each(ofPages.filter(({ code }) => said(code).length > 0))(
    'prints in $name what it says',
    async ({ code, file }) => {
      expect(await printed(file)).toEqual(said(code));
    },
  );
});

describe('the README', () => {
  it('is a page: at most 1,200 words, a page of at most 35 lines, a usage of at most a dozen statements', () => {
    expect(readme.replace(/^```.*?^```$/gms, '').split(/\s+/).length).toBeLessThanOrEqual(1200);
    const [html] = readme.match(/(?<=^```html\n).*?(?=^```$)/ms) ?? [''];
    expect(html).not.toBe('');
    expect(html.trimEnd().split('\n').length).toBeLessThanOrEqual(35);
    const [usage, ...others] = ofReadme.filter(({ language }) => language === 'ts');
    expect(others).toEqual([]);
    const statements = usage.code.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('import'));
    expect(statements.length).toBeLessThanOrEqual(12);
  });

  it('turns the camera of its page once in ten seconds', () => {
    const [, angle] = /camera\.rotation\.y = (.*?);/.exec(readme)!;
    expect(new Function('time', `return ${angle}`)(10_000)).toBeCloseTo(2 * Math.PI);
  });

  it('names files that exist', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1]);
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(existsSync(join(root, link)), link).toBe(true);
  });
});

describe('docstrings of exports', () => {
  it('are found, and what people call or make is in one group of the first page of the API', () => {
    expect(exported.flatMap(({ members }) => members).length).toBeGreaterThan(250);
    const listed = TASKS.flatMap(({ names }) => names);
    expect(listed).toEqual([...new Set(listed)]);
    expect(listed.filter((name) => !exported.some((one) => one.name === name))).toEqual([]);
    // Types may stand there too.
    const made = exported.filter(({ isType }) => !isType).map(({ name }) => name);
    expect(made.filter((name) => !listed.includes(name))).toEqual([]);
  });

  // Types are seen in the examples of what takes and returns them.
  it('have an example in a block of code, of 12 lines at most, that shows what they document', () => {
    for (const { name, text, isType } of exported) {
      if (isType && !text.includes('@example')) continue;
      expect(text, name).toMatch(/^@example\n```tsx?\n/m);
      const [{ code }] = codeBlocks(text.slice(text.indexOf('@example'))).slice(-1);
      expect(code, name).toMatch(new RegExp(`\\b${name}\\b`));
      expect(code.trimEnd().split('\n').length, name).toBeLessThanOrEqual(12);
    }
    const bare = exported.flatMap(docsOf).filter(({ text }) => /^@example(?!\n```tsx?\n)/m.test(text));
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it('begin with a sentence of at most fifteen words', () => {
    const long = exported.flatMap(docsOf).filter(({ text }) => firstSentence(text).split(' ').length > 15);
    expect(long.map(({ name, text }) => `${name}: ${firstSentence(text)}`)).toEqual([]);
  });
});

function firstSentence(text: string): string {
  const [paragraph] = text.split(/\n\n|\n?^@/m);
  const [sentence] = paragraph.replace(/\s+/g, ' ').split(/(?<=[.?!])\s(?=[A-Z`])/);
  return sentence.trim();
}
