import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { microseconds } from '../../demo/docs/tables/kept.mjs';
import { factor } from '../../demo/docs/tables/markdown.mjs';
import { TABLES } from '../../demo/docs/tables/tables.mjs';
import { time } from '../bench/peers/time.mjs';

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
    const kept = linesOf('results.md');
    const at = kept.findIndex((line) => line.includes('uniform boxes in a cube'));
    const [head, , first] = linesIn(TABLES.structures());
    expect(cellsOf(head)).toEqual(cellsOf(kept[at + 2]));
    const cells = cellsOf(first).slice(1);
    const times = cellsOf(kept[at + 4])
      .slice(1)
      .map(microseconds);
    expect(cells.map((cell) => cell.replaceAll('*', ''))).toEqual(times.map(time));
    expect(cells.filter((cell) => cell.startsWith('**'))).toEqual([`**${time(Math.min(...times))}**`]);
  });
});

const linesIn = (text: string): string[] => text.split('\n');
const linesOf = (name: string): string[] => linesIn(readFileSync(new URL(`../bench/${name}`, import.meta.url), 'utf8'));
const cellsOf = (line = ''): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
