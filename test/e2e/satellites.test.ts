import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { propagate, twoline2satrec } from 'satellite.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STRUCTURES } from '../../src/index.js';
import { clickPane, counts, openStill, report, settled, withEachStructure } from './acts.js';
import type { Demo } from './demo.js';
import { violations } from './violations.js';

describe('the demo, satellites', () => {
  let demo: Demo;
  let page: Page;

  beforeAll(async () => {
    // Half a minute at a minute a second.
    demo = await openStill('world=satellites&t=30&nearer=100', { width: 640, height: 560 });
    page = demo.page;
  });
  afterAll(() => demo?.close());

  it('sorts every satellite into one class', async () => {
    const { inside, intersecting, culled, total } = await counts(page);
    expect(total).toBe(3333);
    expect(inside + intersecting + culled).toBe(total);
    expect(inside).toBeGreaterThan(300);
    expect(culled).toBeGreaterThan(300);
  });

  it('finds the pairs that are nearer than the distance asked for, as a comparison of all with all does', async () => {
    const { figure } = await report(page);
    expect(Number(figure)).toBe(pairsNearer(100, new Date('2022-02-22T18:30:00Z')));
    expect(await page.locator('#report').textContent()).toContain('pairs nearer than 100 km');
  });

  it('gives the same counts and pairs with every structure', async () => {
    const before = { ...(await counts(page)), ...(await report(page)) };
    await withEachStructure(page, STRUCTURES, async (structure) => {
      expect(await page.evaluate(() => window.__demo.structure)).toBe(structure);
      expect({ ...(await counts(page)), ...(await report(page)) }).toEqual(before);
    });
  });

  it('picks a satellite, tells of it and removes it', async () => {
    // Many pass over the pole: some is within reach of the pointer.
    await clickPane(page, '#above', 0.5, 0.24);
    const card = page.locator('#card');
    expect(await card.textContent()).toMatch(/Altitude[\d,]+ km.*Speed\d\.\d\d km\/s/);
    await card.locator('[data-act=remove]').click();
    await settled(page);
    expect((await counts(page)).total).toBe(3332);
    expect(await card.isVisible()).toBe(false);
  });

  it('has no place for further objects', async () => {
    expect(await page.locator('#add').isDisabled()).toBe(true);
  });

  it('says whose data it is', async () => {
    expect(await page.locator('#credit').textContent()).toContain('Space-Track');
  });

  it('is accessible', async () => expect(await violations(page)).toEqual([]));

  it('did all this without a warning', () => expect(demo.messages).toEqual([]));
});

/** By the model itself, each with each. */
function pairsNearer(kilometres: number, date: Date): number {
  const lines = readFileSync('assets/satellites.tle', 'utf8').trimEnd().split('\n');
  const places: [number, number, number][] = [];
  for (let i = 0; i < lines.length; i += 3) {
    const { x, y, z } = propagate(twoline2satrec(lines[i + 1]!, lines[i + 2]!), date)!.position;
    places.push([x, y, z]);
  }
  let count = 0;
  places.forEach(([x, y, z], i) => {
    for (let j = 0; j < i; j++) {
      const [u, v, w] = places[j]!;
      if (Math.hypot(x - u, y - v, z - w) <= kilometres) count++;
    }
  });
  return count;
}
