import { describe, expect, it } from 'vitest';
import { WORLD_NAMES } from '../../demo/state/catalogue.js';
import { atWidth } from '../helpers/width.js';
import { describeDemo, drop, enter, page, settled, untilIn } from './acts.js';
import { openDemo, violations } from './demo.js';
import { makeGlb } from './glbs.js';

/** Goes to a world; a model comes from a file. */
async function visit(name: string): Promise<void> {
  if (name !== 'model') return enter(name);
  await drop(['a.glb', makeGlb('a')]);
  await untilIn('model');
}

/** Presses Tab until it comes round. Returns what it missed, and what did not show that it was focused. */
async function walk(): Promise<{ missed: string[]; unseen: string[]; count: number }> {
  await page.evaluate(() => {
    Object.assign(window, { __met: new Set() });
    // Each key would draw some frames.
    document.querySelector<HTMLElement>('#canvas')!.style.display = 'none';
  });
  const unseen: string[] = [];
  for (let isNew = true; isNew; ) {
    await page.keyboard.press('Tab');
    const met = await page.evaluate(() => {
      const { __met } = window as unknown as { __met: Set<Element> };
      const at = document.activeElement!;
      if (__met.has(at)) return null;
      __met.add(at);
      // Between the last control and the first one, the browser has the focus.
      if (at === document.body) return { isSeen: true, html: '' };
      // A select of the panel is transparent, over what it shows.
      const around = [at, ...(at.matches('select') ? at.parentElement!.children : [])];
      const isSeen = around.some((one) => {
        const { outlineStyle, outlineWidth, opacity } = getComputedStyle(one);
        return outlineStyle !== 'none' && outlineWidth !== '0px' && opacity !== '0';
      });
      return { isSeen, html: at.outerHTML.slice(0, 80) };
    });
    isNew = met !== null;
    if (met && !met.isSeen) unseen.push(met.html);
  }
  const { missed, count } = await page.evaluate(() => {
    document.querySelector<HTMLElement>('#canvas')!.style.display = '';
    const { __met } = window as unknown as { __met: Set<Element> };
    const all = [...document.querySelectorAll<HTMLElement>('a, button, input, select, summary, [tabindex="0"]')];
    const usable = all.filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(':disabled'));
    const missed = usable.filter((one) => !__met.has(one)).map((one) => one.outerHTML.slice(0, 80));
    return { missed, count: __met.size };
  });
  return { missed, unseen, count };
}

/** Focuses a button and presses Enter. */
async function enterOn(what: string): Promise<void> {
  await page.locator(what).focus();
  await page.keyboard.press('Enter');
  await settled();
}

const isFocused = (selector: string) => page.evaluate((at) => document.activeElement?.matches(at), selector);

describeDemo('the demo by keyboard', { search: 't=0&instances=1000&trees=1000', width: 640, height: 500 }, () => {
  const names = atWidth(WORLD_NAMES as readonly string[], ['range', 'collisions', 'model']);

  it.each(names)(
    '%s: Tab reaches every control and shows where it is; axe finds nothing, in both themes',
    async (name) => {
      await visit(name);
      await enterOn('#settings');
      const { missed, unseen, count } = await walk();
      expect(missed).toEqual([]);
      expect(unseen).toEqual([]);
      expect(count).toBeGreaterThan(20);
      for (let theme = 0; theme < 2; theme++) {
        expect(await violations(page)).toEqual([]);
        await page.keyboard.press('t');
        await settled();
      }
      await enterOn('#settings');
      expect(await page.locator('#panel').isVisible()).toBe(false);
    },
  );

  it.each([
    ['#help', '#guide'],
    ['#worlds [data-world=model]', '#modelDialog'],
  ])(
    '%s opens a dialog, which axe finds nothing in; Escape closes it and returns to the button',
    async (at, dialog) => {
      await enterOn(at);
      for (const colorScheme of ['dark', 'light'] as const) {
        expect(await violations(page)).toEqual([]);
        await page.emulateMedia({ colorScheme });
      }
      // Tab stays inside, or goes to the browser.
      for (let i = 0; i < 8; i++) {
        await page.keyboard.press('Tab');
        expect(await isFocused(`body, ${dialog}, ${dialog} *`)).toBe(true);
      }
      await page.keyboard.press('Escape');
      expect(await page.locator(dialog).isVisible()).toBe(false);
      expect(await isFocused(at)).toBe(true);
    },
  );
});

describe('the tour', () => {
  it('begins at a first visit, is turned by Enter and does not come again; the help brings it back', async () => {
    // Small pictures: software rendering leaves the processor to the test.
    const demo = await openDemo({ firstVisit: true, search: '?dpr=0.2' });
    const card = demo.page.locator('.tour');
    try {
      // It does not go on by itself: this machine may take longer than a card stays.
      await demo.page.emulateMedia({ reducedMotion: 'reduce' });
      await card.waitFor();
      expect(await violations(demo.page)).toEqual([]);
      const titles = ['a scene', 'what the camera sees', 'what the index asked', 'what it costs', 'the difference'];
      for (const [i, title] of titles.entries()) {
        await demo.page.locator('.tour .count', { hasText: `${i + 1} of 5` }).waitFor();
        expect(await card.locator('h2').textContent()).toBe(`This is ${title}`);
        expect(await demo.page.locator('.tour-light').isVisible()).toBe(true);
        // The focus is on the button, so that Enter is enough.
        await demo.page.keyboard.press('Enter');
      }
      await card.waitFor({ state: 'hidden' });
      // What the tour ends with stays.
      expect(await demo.page.locator('[data-mode=both]').getAttribute('aria-pressed')).toBe('true');
      expect(await demo.page.locator('.sides').isVisible()).toBe(true);
      await demo.page.reload();
      await demo.page.locator('[data-key=visible]', { hasText: /\d/ }).waitFor();
      expect(await card.isVisible()).toBe(false);
      await demo.page.locator('#help').click();
      await demo.page.locator('#guide button', { hasText: 'Take the tour' }).click();
      await card.waitFor();
      // What would bring the next card.
      expect(await demo.page.locator('.tour > i').isVisible()).toBe(false);
      await demo.page.keyboard.press('Escape');
      await card.waitFor({ state: 'hidden' });
      expect(await demo.page.evaluate(() => document.activeElement?.id)).toBe('help');
      expect(demo.messages).toEqual([]);
    } finally {
      await demo.close();
    }
  });
});
