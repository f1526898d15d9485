import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pageText } from '../../demo/docs/site/pageText.mjs';
import { factor } from '../../demo/docs/tables/kept.mjs';
import { TABLES } from '../../demo/docs/tables/tables.mjs';
import { time } from '../bench/figures.mjs';
import { DOCS, pages } from './pages.js';

/** A number with a unit that a measurement has; a multiplication is none. */
const FIGURE =
  /(?<![\w.#-])(?:\d[\d,.]*|half a|a)(?:\s|&nbsp;)*(?:[nµμm]s|milliseconds?|microseconds?|nanoseconds?|[kMG]B|fps|frames (?:a|per) second|meshes (?:a|per) second)\b|(?<![\w.#-])\d[\d,.]*(?:\s|&nbsp;)*(?:%|×(?!\s*\d)|x (?:faster|smaller|as)\b|times (?:as|the|faster|smaller|less|more)\b|s\b)|\b1\/\d+\b/g;

/** Figures that no benchmark measures. */
const EXCEPTIONS: [file: string, figure: string, reason: string][] = [
  ['README.md', 'kB', 'the row of sizes, which `npm run bench:sizes` writes and the size test holds'],
  ['comparison.md', 'kB', 'the same row'],
  ['guides/accelerate.md', '256 MB', 'the default of an option'],
  ['guides/accelerate.md', '64 MB', 'a limit of the library'],
  ['guides/shadows.md', '64 MB', 'a limit of the library'],
];

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const readmes = ['README.md', 'test/bench/README.md'].map((file) => ({ file, text: read(file) }));
const prose = [...readmes, ...pages.filter(({ file }) => /^(guides\/|[\w-]+\.md$)/.test(file))];

/** What is written by hand: without code, and without what a script keeps between two comments. */
function figuresOf(text: string): string[] {
  const typed = text
    .replace(/^( *)```.*?^\1```$/gms, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/<!-- (\w+) -->.*?<!-- \/\1 -->/gs, '');
  return typed.match(FIGURE) ?? [];
}

it.each(prose)('$file types no figure', ({ file, text }) => {
  const allowed = EXCEPTIONS.filter(([where]) => where === file);
  expect(figuresOf(text).filter((figure) => !allowed.some(([, known]) => figure.endsWith(known)))).toEqual([]);
});

it.each(EXCEPTIONS)('%s still has %s, %s', (file, figure) => {
  const { text } = prose.find((page) => page.file === file) ?? { text: '' };
  expect(figuresOf(text).filter((found) => found.endsWith(figure))).not.toEqual([]);
});

it('figures are found, and what is none is not', () => {
  const figures =
    '3 ms, 0.5&nbsp;µs, 33.5 kB, 6 %, 28× as fast, 28×., 3 times as fast, 60 fps, 1/28, 1.5 s, half a millisecond';
  for (const figure of figures.split(', ')) expect(figuresOf(`It takes ${figure} here.`), figure).toHaveLength(1);
  const others = '20,000 meshes; 500 × 10,000 boxes; `0.5 ms`; two times; r186; a mesh; <!-- x -->\n3 ms\n<!-- /x -->';
  expect(figuresOf(others)).toEqual([]);
});

it.each(Object.entries(TABLES))('the table %s is made of kept rows', (_, make) => {
  expect(make().split('\n').length).toBeGreaterThan(3);
  expect(make()).not.toMatch(/undefined|NaN/);
});

it.each([...readmes, ...pages, ...Object.entries(TABLES).map(([file, make]) => ({ file, text: make() }))])(
  '$file names each column of its tables',
  ({ file, text }) => {
    const whole = pages.some((page) => page.file === file) ? pageText(join(DOCS, file)) : text;
    const heads = whole.matchAll(/^(\|.*\|)\n\|[ |:-]+\|$/gm);
    expect([...heads].map(([, head]) => head).filter((head) => cellsOf(head).includes(''))).toEqual([]);
  },
);

const linesIn = (text: string): string[] => text.split('\n');
const cellsOf = (line = ''): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

it('the browser is told by ratios, not by times of turns that do not belong together', () => {
  const table = TABLES.browser();
  for (const count of ['10', '300', '1,000']) {
    const kept = linesIn(read('test/bench/results-browser.md')).find((line) =>
      line.startsWith(`| whole frame of ${count} meshes`),
    );
    const shown = linesIn(table).find((line) => line.includes(`: ${count} meshes |`));
    expect(cellsOf(shown).at(-1)).toBe(factor(1 / Number(cellsOf(kept)[4])));
  }
});

it('structures have the times of their columns, and the fastest of a row is marked', () => {
  const { results } = JSON.parse(read('test/bench/results/uniform-100000.json'));
  const [head, , first] = linesIn(TABLES.structures());
  const times = cellsOf(head)
    .slice(1)
    .map((name) => results.build[name].median);
  const cells = cellsOf(first).slice(1);
  expect(cells.map((cell) => cell.replaceAll('*', ''))).toEqual(times.map(time));
  expect(cells.filter((cell) => cell.startsWith('**'))).toEqual([`**${time(Math.min(...times))}**`]);
});
