import { expect, it } from 'vitest';
import { WORLD_NAMES } from '../../demo/state/catalogue.js';
import { atWidth } from '../helpers/width.js';
import { describeDemo, enter, page, settled } from './acts.js';
import { makeGlb } from './makeGlb.js';
import { violations } from './violations.js';

/** Goes to a world; a model comes from a file. */
async function visit(name: string): Promise<void> {
  if (name !== 'model') return enter(name);
  await page.setInputFiles('#files', { name: 'a.glb', mimeType: '', buffer: Buffer.from(makeGlb('a')) });
  await page.waitForFunction(() => window.__demo.world === 'model');
  await settled();
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
  return page.evaluate(
    ([notSeen]) => {
      document.querySelector<HTMLElement>('#canvas')!.style.display = '';
      const { __met } = window as unknown as { __met: Set<Element> };
      const all = [...document.querySelectorAll<HTMLElement>('a, button, input, select, summary, [tabindex="0"]')];
      const usable = all.filter(
        (one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(':disabled'),
      );
      const missed = usable.filter((one) => !__met.has(one)).map((one) => one.outerHTML.slice(0, 80));
      return { missed, unseen: notSeen!, count: __met.size };
    },
    [unseen],
  );
}

/** Focuses a button and presses Enter. */
async function enterOn(what: string): Promise<void> {
  await page.locator(what).focus();
  await page.keyboard.press('Enter');
  await settled();
}

const focused = () => page.evaluate(() => document.activeElement?.id);

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

  it('opens and closes the dialogs, which axe finds nothing in, and returns to their buttons', async () => {
    for (const [button, dialog] of [
      ['#help', '#guide'],
      ['#worlds [data-world=model]', '#modelDialog'],
    ] as const) {
      await enterOn(button);
      for (let theme = 0; theme < 2; theme++) {
        expect(await violations(page), dialog).toEqual([]);
        await page.emulateMedia({ colorScheme: theme === 0 ? 'dark' : 'light' });
      }
      // Tab stays inside, or goes to the browser.
      for (let i = 0; i < 8; i++) {
        await page.keyboard.press('Tab');
        const isInside = await page.evaluate(
          (id) => document.activeElement === document.body || document.activeElement!.closest(id) !== null,
          dialog,
        );
        expect(isInside, dialog).toBe(true);
      }
      await page.keyboard.press('Escape');
      expect(await page.locator(dialog).isVisible()).toBe(false);
      expect(await page.evaluate((selector) => document.activeElement?.matches(selector), button)).toBe(true);
    }
  });

  it('keeps arrows that the card of a node takes from moving the player', async () => {
    await visit('range');
    await page.locator('#above').focus();
    const box = (await page.locator('#above').boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await settled();
    expect(await page.evaluate(() => document.activeElement?.className)).toContain('nodeCard');
    const before = await page.evaluate(() => window.__demo.eye);
    await page.keyboard.down('ArrowUp');
    await settled();
    await settled();
    await page.keyboard.up('ArrowUp');
    expect(await page.evaluate(() => window.__demo.eye)).toEqual(before);
    await page.keyboard.press('Escape');
    expect(await focused()).toBe('above');
  });
});
