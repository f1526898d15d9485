import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { factor } from '../../demo/docs/tables/markdown.mjs';
import { TABLES } from '../../demo/docs/tables/tables.mjs';
import { time } from '../bench/figures.mjs';

describe('the tables of the docs', () => {
  it('the browser is told by ratios, not by times of turns that do not belong together', () => {
    const table = TABLES.browser();
    for (const count of ['10', '300', '1,000']) {
      const kept = linesOf('results-browser.md').find((line) => line.startsWith(`| whole frame of ${count} meshes`));
      const shown = linesIn(table).find((line) => line.includes(`: ${count} meshes |`));
      expect(cellsOf(shown).at(-1)).toBe(factor(1 / Number(cellsOf(kept)[4])));
    }
  });

  it('structures have the times of their columns, and the fastest of a row is marked', () => {
    const { results } = JSON.parse(read('results/uniform-100000.json'));
    const [head, , first] = linesIn(TABLES.structures());
    const times = cellsOf(head)
      .slice(1)
      .map((name) => results.build[name].median);
    const cells = cellsOf(first).slice(1);
    expect(cells.map((cell) => cell.replaceAll('*', ''))).toEqual(times.map(time));
    expect(cells.filter((cell) => cell.startsWith('**'))).toEqual([`**${time(Math.min(...times))}**`]);
  });
});

const linesIn = (text: string): string[] => text.split('\n');
const read = (name: string): string => readFileSync(new URL(`../bench/${name}`, import.meta.url), 'utf8');
const linesOf = (name: string): string[] => linesIn(read(name));
const cellsOf = (line = ''): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
