import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distinctColours, openStill, settled } from './acts.js';
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
    expect(names).toHaveLength(7);
    for (const name of names) {
      // A model of one's own comes by a dialog.
      if (name === 'model') continue;
      await page.locator(`#worlds [data-world=${name}]`).click();
      await page.waitForFunction((wanted) => window.__demo.world === wanted, name, { timeout: 120_000 });
      await settled(page);
      const { left } = await page.evaluate(distinctColours);
      expect(left, name).toBeGreaterThan(5);
      expect(demo.messages, name).toEqual([]);
    }
  });
});
