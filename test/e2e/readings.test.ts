import { expect, it } from 'vitest';
import { isBuiltIn, WORLD_NAMES } from '../../demo/state/catalogue.js';
import { atWidth } from '../helpers/width.js';
import { describeDemo, enter, page, settled } from './acts.js';

/**
 * Texts of the instruments that are wider than their place, and how high the views are: with what is said before there
 * are figures, and with the longest that is said then.
 */
const look = (figure: string, unit: string, row: string) =>
  page.evaluate(
    ([figure, unit, row]) => {
      for (const text of document.querySelectorAll('.hud [data-key=cpu]')) text.textContent = figure!;
      for (const text of document.querySelectorAll('.hud [data-key=cpu-unit]')) text.textContent = unit!;
      for (const text of document.querySelectorAll('.hud dd[data-key^=cpu-]')) text.textContent = row!;
      const texts = [
        ...document.querySelectorAll<HTMLElement>('.hud :is(h2, dt, dd, .label), .hud .figure :is(b, span)'),
      ];
      const isCut = (text: HTMLElement) => text.offsetParent !== null && text.scrollWidth > text.clientWidth + 1;
      const cut = texts.filter(isCut).map(({ textContent, className }) => `${className} ${textContent}`);
      const [about, legend] = ['.about', '#above .legend'].map((it) =>
        document.querySelector(it)!.getBoundingClientRect(),
      );
      const isOver = about!.right > legend!.left && about!.bottom > legend!.top && about!.top < legend!.bottom;
      return { cut, isOver, height: document.getElementById('stage')!.clientHeight };
    },
    [figure, unit, row],
  );

const SIZES = [
  [1440, 844],
  [1280, 720],
  [1024, 844],
  [900, 700],
  [820, 1180],
  [820, 600],
  [640, 560],
  [600, 900],
  [390, 844],
] as const;

describeDemo('the instruments', { search: 't=0&instances=1000&trees=1000', width: 1440, height: 844 }, () => {
  it.each(WORLD_NAMES.filter(isBuiltIn))('of %s cut nothing off, and the views keep their shape', async (name) => {
    await enter(name);
    expect(await page.locator('#panel').isVisible()).toBe(false);
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await settled();
      const before = await look('–', 'measuring…', '–');
      expect(await look('1234.56', 'ms a frame', '1234.6 ms'), `${width} × ${height}`).toEqual(before);
      expect(before, `${width} × ${height}`).toMatchObject({ cut: [], isOver: false });
    }
  });
});

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
