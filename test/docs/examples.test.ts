import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TASKS } from '../../demo/docs/site/apiTasks.mjs';
import { codeBlocks, compile, writeBlock } from '../helpers/codeBlocks.js';
import { allExports, type Export } from '../helpers/publicDocs.js';
import { isFull } from '../helpers/width.js';
import { DOCS } from './pages.js';

const all = allExports();
const docsOf = (one: Export) => [one, ...one.members];

const HERE = import.meta.dirname;
/** Examples without three.js take other things as given. */
const isCore = ({ entry }: Export) => entry === 'standalone' || entry === 'interest';
const PROGRAMS = [
  {
    name: 'examples',
    given: [join(DOCS, 'given.d.ts'), join(HERE, 'given.scene.d.ts')],
    exports: all.filter((one) => !isCore(one)),
  },
  { name: 'examples-core', given: [join(HERE, 'given.core.d.ts')], exports: all.filter(isCore) },
];

describe('docstrings of exports', () => {
  it('are found', () => {
    expect(all.length).toBeGreaterThan(80);
    expect(all.flatMap(({ members }) => members).length).toBeGreaterThan(250);
  });

  // Types are seen in the examples of what takes and returns them.
  it('have an example in a block of code, of 12 lines at most, that shows what they document', () => {
    for (const { name, text, isType } of all) {
      if (isType && !text.includes('@example')) continue;
      expect(text, name).toMatch(/^@example\n```tsx?\n/m);
      const [{ code }] = codeBlocks(text.slice(text.indexOf('@example'))).slice(-1);
      expect(code, name).toMatch(new RegExp(`\\b${name}\\b`));
      expect(code.trimEnd().split('\n').length, name).toBeLessThanOrEqual(12);
    }
    const bare = all.flatMap(docsOf).filter(({ text }) => /^@example(?!\n```tsx?\n)/m.test(text));
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it.runIf(isFull).each(PROGRAMS)('have examples that compile: $name', ({ name, given, exports }) => {
    const files = exports
      .flatMap(docsOf)
      .flatMap((doc) => codeBlocks(doc.text).map((block, i) => writeBlock(name, `${doc.name}-${i}`, block)));
    expect(files.length).toBeGreaterThan(20);
    expect(compile(name, [...files, ...given])).toBe('');
  });

  it('begin with a sentence of at most fifteen words', () => {
    const long = all.flatMap(docsOf).filter(({ text }) => firstSentence(text).split(' ').length > 15);
    expect(long.map(({ name, text }) => `${name}: ${firstSentence(text)}`)).toEqual([]);
  });
});

it('the first page of the API has every export in one group', () => {
  const listed = TASKS.flatMap(({ names, types }) => [...names, ...types]);
  expect(listed.sort()).toEqual([...new Set(all.map(({ name }) => name))].sort());
});

function firstSentence(text: string): string {
  const [paragraph] = text.split(/\n\n|\n?^@/m);
  const [sentence] = paragraph.replace(/\s+/g, ' ').split(/(?<=[.?!])\s(?=[A-Z`])/);
  return sentence.trim();
}
