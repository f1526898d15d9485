import { describe, expect, it } from 'vitest';
import { CHARTS } from '../../demo/docs/charts/chart.mjs';

describe('the charts of the docs', () => {
  it.each(Object.entries(CHARTS))('%s is drawn of kept results, with a table', (_, make) => {
    const { svg, caption, table } = make();
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    expect(caption).not.toMatch(/undefined/);
    expect(table.split('\n').length).toBeGreaterThan(6);
    expect(table).not.toMatch(/NaN|undefined/);
  });
});
