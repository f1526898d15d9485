import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CHARTS } from '../../demo/docs/charts/chart.mjs';
import { microseconds } from '../../demo/docs/charts/kept.mjs';
import { factor } from '../../demo/docs/charts/svg.mjs';
import { time } from '../bench/peers/time.mjs';

describe('the charts of the docs', () => {
  it.each(Object.entries(CHARTS))('%s is drawn of kept results, with a table', (_, make) => {
    const { svg, caption, table } = make();
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    expect(caption).not.toMatch(/undefined/);
    expect(table.split('\n').length).toBeGreaterThan(6);
    expect(table).not.toMatch(/NaN|undefined/);
  });

  it('the browser is drawn by ratios, not by times of turns that do not belong together', () => {
    const { svg, table } = CHARTS.browser();
    for (const count of ['10', '300', '1,000']) {
      const kept = linesOf('results-browser.md').find((line) => line.startsWith(`| whole frame of ${count} meshes`));
      const times = factor(1 / Number(cellsOf(kept)[4]));
      const shown = linesIn(table).find((line) => line.includes(`: ${count} meshes |`));
      expect(cellsOf(shown).at(-1)).toBe(times);
      expect(svg).toContain(`>${times}</text>`);
    }
  });

  it('structures have the times of their columns', () => {
    const kept = linesOf('results.md');
    const at = kept.findIndex((line) => line.includes('uniform boxes in a cube'));
    const [head, , first] = linesIn(CHARTS.structures().table);
    expect(cellsOf(head)).toEqual(cellsOf(kept[at + 2]));
    expect(cellsOf(first).slice(1)).toEqual(
      cellsOf(kept[at + 4])
        .slice(1)
        .map((cell) => time(microseconds(cell))),
    );
  });
});

const linesIn = (text: string): string[] => text.split('\n');
const linesOf = (name: string): string[] => linesIn(readFileSync(new URL(`../bench/${name}`, import.meta.url), 'utf8'));
const cellsOf = (line = ''): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
