import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atWidth } from '../helpers/width.js';
import { distinctColours, openStill, report, settled } from './acts.js';
import type { Demo } from './demo.js';

// Of what the demo does, the least; a run of full width tries the rest of it as well.
describe('the demo', () => {
  let demo: Demo;
  let page: Page;

  beforeAll(async () => {
    demo = await openStill('t=0', { width: 640, height: 560 });
    page = demo.page;
  });
  afterAll(() => demo?.close());

  it('starts with a picture', async () => {
    const colours = await page.evaluate(distinctColours);
    expect(colours.left).toBeGreaterThan(50);
    expect(await page.evaluate(() => window.__demo.counts.visible)).toBeGreaterThan(0);
  });

  it('opens each world, draws it, and says nothing against it', async () => {
    const names = await page
      .locator('#worlds button')
      .evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).dataset.world ?? ''));
    expect(names).toHaveLength(8);
    for (const name of atWidth(names, ['forest', 'collisions'])) {
      // A model of one's own comes by a dialog, and the address names fewer than a million, see below.
      if (name === 'model' || name === 'million') continue;
      await page.locator(`#worlds [data-world=${name}]`).click();
      await page.waitForFunction((wanted) => window.__demo.world === wanted, name, { timeout: 120_000 });
      await settled(page);
      const { left } = await page.evaluate(distinctColours);
      expect(left, name).toBeGreaterThan(5);
      expect(demo.messages, name).toEqual([]);
    }
  });

  it('opens a galaxy of as many boxes as its address names', async () => {
    const million = await openStill('world=million&instances=5000&t=0', { width: 640, height: 560 });
    expect((await report(million.page)).figure).toBe('5,000');
    expect((await million.page.evaluate(distinctColours)).left).toBeGreaterThan(5);
    expect(million.messages).toEqual([]);
    await million.close();
  });
});
