import { expect, it } from 'vitest';
import { isBuiltIn, WORLD_NAMES } from '../../demo/state/catalogue.js';
import { atWidth } from '../helpers/width.js';
import { describeDemo, enter, page } from './acts.js';

/** Texts of the instruments that are wider than their place. */
const cutOff = () =>
  page.evaluate(() => {
    const texts = [...document.querySelectorAll<HTMLElement>('.hud h2, .hud dt, .hud dd, .hud .figure span')];
    const shown = texts.filter((text) => text.offsetParent !== null);
    return shown.filter((text) => text.scrollWidth > text.clientWidth + 1).map((text) => text.textContent);
  });

for (const width of [1440, 1024, 390]) {
  describeDemo(`the demo, ${width} pixels wide`, { search: 't=0', width, height: 844 }, () => {
    it('cuts nothing off, and opens with the views alone', async () => {
      expect(await page.locator('#panel').isVisible()).toBe(false);
      for (const name of ['town', 'satellites']) {
        await enter(name);
        expect(await cutOff(), name).toEqual([]);
      }
    });
  });
}

describeDemo('the choice of batches', 't=0&instances=1000&trees=1000', () => {
  it('is there in worlds of meshes, and in no other', async () => {
    const shown: string[] = [];
    for (const name of atWidth(WORLD_NAMES.filter(isBuiltIn), ['collisions', 'range', 'town'])) {
      await enter(name);
      if (await page.locator('[data-mode=batched]').isVisible()) shown.push(name);
    }
    expect(shown.sort()).toEqual(atWidth(['forest', 'town'], ['town']));
  });
});
