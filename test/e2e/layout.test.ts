import { expect, it } from 'vitest';
import { isBuiltIn, WORLD_NAMES } from '../../demo/state/catalogue.js';
import * as demo from './acts.js';
import { box, describeDemo, page, settled } from './acts.js';
import { makeGlb } from './glbs.js';

type Point = readonly [x: number, y: number];

const heightOf = async (what: string) => (await box(what)).height;

/** Sends fingers along lines, each of them from one point of a pane to another, as a touchscreen does. */
async function move(pane: string, ...lines: (readonly [from: Point, to: Point])[]): Promise<void> {
  const { x, y, width, height } = await box(pane);
  const session = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: (type === 'touchEnd' ? [] : lines).map(([from, to], id) => ({
        x: x + width * (from[0] + share * (to[0] - from[0])),
        y: y + height * (from[1] + share * (to[1] - from[1])),
        id,
      })),
    });
  await send('touchStart', 0);
  for (const share of [0.25, 0.5, 0.75, 1]) await send('touchMove', share);
  await send('touchEnd', 1);
  await settled();
}

const tap = (pane: string, at: Point) => move(pane, [at, at]);
const TO_THE_RIGHT = [
  [0.3, 0.5],
  [0.7, 0.5],
] as const;

const phone = { search: 't=0', width: 390, height: 844, touch: true };

describeDemo('the demo on a phone', phone, () => {
  it('picks an object with a tap, and a node on the map, most of which is left to be seen', async () => {
    await tap('#player', [0.5, 0.75]);
    expect(await page.evaluate(() => window.__demo.picked)).toBeTruthy();
    const [card, pane] = [await box('#card'), await box('#above')];
    expect(card.y + card.height).toBeLessThanOrEqual(pane.y);
    await page.locator('#card [data-act=close]').tap();
    await tap('#above', [0.5, 0.6]);
    const { width, height } = await box('.nodeCard');
    expect(width * height).toBeLessThan(0.4 * pane.width * pane.height);
    await page.locator('.nodeCard [data-act=closeNode]').tap();
    expect(await page.locator('.nodeCard').isVisible()).toBe(false);
  });

  it('offers on the panel, below the player’s view, only the ways to draw that make a difference', async () => {
    const offered = () =>
      demo
        .control('Drawn by')
        .locator('option')
        .evaluateAll((all) => all.filter((one) => !(one as HTMLOptionElement).disabled).map((one) => one.textContent));
    await demo.onPanel(async () => {
      expect(await offered()).toEqual(['Side by side', 'Index', 'Batched', 'Plain three']);
      const { y, width } = await box('#panel');
      expect([y > 844 / 3, width]).toEqual([true, 390]);
    });
    await demo.enter('range');
    await demo.onPanel(async () => expect(await offered()).toEqual(['Index', 'Plain three']));
  });

  it('shows the ways to draw over the player’s view, and what compares all methods, without a scroll', async () => {
    for (const world of ['town', 'collisions']) {
      if (world !== (await demo.world())) await demo.enter(world);
      const buttons = page.locator(world === 'town' ? '#modes button:visible' : '.comparison .actions button:visible');
      expect(await buttons.allInnerTexts()).toEqual(
        world === 'town' ? ['Side by side', 'Index', 'Batched', 'Plain three'] : ['Run all methods', 'Ramp to 100 ms'],
      );
      for (const button of await buttons.all()) {
        const { x, y, width, height } = (await button.boundingBox())!;
        const isOnTop = await page.evaluate(
          ([x, y]) => document.elementFromPoint(x!, y!)?.matches('#modes *, .comparison *'),
          [x + width / 2, y + height / 2],
        );
        expect([isOnTop, x > 0, x + width <= 390, y + height < (await box('.hud:not([hidden])')).y]).toEqual([
          true,
          true,
          true,
          true,
        ]);
      }
    }
    await demo.enter('town');
  });

  it('has one row of buttons, with the chosen world in view', async () => {
    expect(await heightOf('.bar')).toBeLessThan(60);
    for (const name of ['range', 'town']) {
      if (name !== (await demo.world())) await demo.enter(name);
      const { x, width } = await box(`[data-world=${name}]`);
      expect(x, name).toBeGreaterThanOrEqual(0);
      expect(x + width, name).toBeLessThanOrEqual((await box('#settings')).x);
    }
    for (const name of ['#settings', '#help']) expect((await box(name)).x, name).toBeLessThan(390 - 20);
  });

  it('shows its figures in a line, and all measurements after a touch', async () => {
    const total = (await demo.counts()).total.toLocaleString('en');
    for (const isOpen of [false, true]) {
      expect(await heightOf('#hud')).toBeLessThan(isOpen ? 844 * 0.55 : 50);
      expect(await page.locator('#hud .figure', { hasText: total }).isVisible()).toBe(true);
      expect((await page.locator('#hud dt:visible').count()) > 0).toBe(isOpen);
      const cpu = await page.locator('#hud [data-gauge=cpu]').innerText();
      expect(cpu).toMatch(isOpen ? /^CPU per frame\s/ : /^CPU\s+([\d.,]+\s+ms|–\s+measuring…)$/);
      expect(await page.locator('#fold').getAttribute('aria-expanded')).toBe(String(isOpen));
      await page.locator('#fold').tap();
      await settled();
    }
  });

  it('looks around with a finger, and flies with two', async () => {
    const turned = () => Number(demo.parameter('player')?.split('_')[3]);
    const start = await demo.eye();
    await move('#player', TO_THE_RIGHT);
    const before = turned();
    expect(await demo.eye()).toEqual(start);
    await move('#player', TO_THE_RIGHT);
    expect(Math.abs(turned() - before)).toBeGreaterThan(0.5);
    // Two fingers that go apart fly ahead.
    const [up, down] = [0.45, 0.55].map((y): Point => [0.5, y]) as [Point, Point];
    await move('#player', [up, [0.5, 0.3]], [down, [0.5, 0.7]]);
    const end = await demo.eye();
    expect(Math.hypot(...end.map((value, i) => value - start[i]!))).toBeGreaterThan(1);
    const above = demo.parameter('above');
    await move('#above', TO_THE_RIGHT);
    expect(demo.parameter('above')).not.toBe(above);
  });

  it('has a help about gestures, and not about keys', async () => {
    await demo.click('#help');
    const text = await page.locator('#guide').innerText();
    expect(text).toContain('Two fingers');
    expect(text).not.toContain('W A S D');
    await demo.click('#guide button:last-of-type');
  });

  it('shows the report on a model as a sheet, which folds', async () => {
    await demo.drop(['a.glb', makeGlb('a')]);
    const heading = page.locator('#modelReport h2');
    await heading.waitFor();
    await settled();
    expect((await box('#modelReport')).y).toBeGreaterThanOrEqual((await box('#above')).y - 1);
    await page.locator('#modelReport summary').tap();
    expect(await heightOf('#modelReport')).toBeLessThan(60);
    expect(await heading.isVisible()).toBe(false);
    await page.locator('#modelReport summary').tap();
    expect(await heading.isVisible()).toBe(true);
  });

  demo.itIsAccessible();
});

describeDemo(
  'the demo on a phone held sideways',
  { ...phone, search: 'world=range&t=0', width: 844, height: 390 },
  () => {
    it('has one row of buttons and a line of figures, and leaves the rest to the views', async () => {
      expect(await heightOf('.bar')).toBeLessThan(60);
      expect(await heightOf('#hud')).toBeLessThan(50);
      expect(await heightOf('#player')).toBeGreaterThan(280);
      expect((await box('#above')).x).toBeGreaterThan(400);
    });

    demo.itIsAccessible();
  },
);

/** Texts of the instruments that are wider than their place, and how high the views are, with a figure. */
const look = (figure: string, unit: string, row: string) =>
  page.evaluate(
    ([figure, unit, row]) => {
      for (const text of document.querySelectorAll('.hud [data-key=cpu]')) text.textContent = figure!;
      for (const text of document.querySelectorAll('.hud [data-key=cpu-unit]')) text.textContent = unit!;
      for (const text of document.querySelectorAll('.hud dd[data-key^=cpu-]')) text.textContent = row!;
      const texts = document.querySelectorAll<HTMLElement>('.hud :is(h2, dt, dd, .label), .hud .figure :is(b, span)');
      const isCut = (text: HTMLElement) => text.offsetParent !== null && text.scrollWidth > text.clientWidth + 1;
      const cut = [...texts].filter(isCut).map(({ textContent, className }) => `${className} ${textContent}`);
      const [about, legend] = ['.about', '#above .legend'].map((it) =>
        document.querySelector(it)!.getBoundingClientRect(),
      );
      const isOver = about!.right > legend!.left && about!.bottom > legend!.top && about!.top < legend!.bottom;
      return { cut, isOver, height: document.getElementById('stage')!.clientHeight };
    },
    [figure, unit, row],
  );

describeDemo('the bar', { search: 't=0&instances=1000', width: 1280, height: 800 }, () => {
  it('keeps the worlds where they are, whichever is chosen, with the ways to draw to their right or below', async () => {
    const WIDTHS = [1280, 1024, 640];
    const placesIn = async (name: string) => {
      if (name !== (await demo.world())) await demo.enter(name);
      const places: number[][] = [];
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        places.push(
          await page.locator('#worlds button').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x)),
        );
        if (name === 'collisions') continue;
        const [worlds, modes] = [await box('#worlds'), await box('#modes')];
        expect(modes.y > worlds.y || modes.x > worlds.x + worlds.width, `${name}, ${width}`).toBe(true);
      }
      return places;
    };
    const before = await placesIn('town');
    for (const name of ['million', 'collisions', 'range']) expect(await placesIn(name), name).toEqual(before);
  });
});

describeDemo('the report on a model', { search: 't=0', width: 1280, height: 800 }, () => {
  it('scrolls in a box of its own, below its title and its button', async () => {
    await demo.click('#worlds [data-world=model]');
    await page.locator('#modelDialog li button').first().click();
    await demo.untilIn('model');
    const report = await box('#modelReport');
    await page.locator('#modelReport article > :last-child').scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => document.querySelector('#modelReport')!.scrollTop)).toBeGreaterThan(100);
    const { y } = await box('#modelReport article');
    for (const what of ['summary', '.actions button', 'article > :last-child']) {
      const part = await box(`#modelReport ${what}`);
      expect(part.y, what).toBeGreaterThan(Math.max(report.y, y));
      expect(part.y + part.height, what).toBeLessThanOrEqual(report.y + report.height);
    }
    expect(report.y + report.height).toBeLessThan((await box('#hud')).y);
  });
});

describeDemo('the settings', { search: 't=0', width: 1920, height: 800 }, () => {
  it('close when the window shrinks, unless they were opened in a small one', async () => {
    const seenAt = async (width: number) => {
      await page.setViewportSize({ width, height: 800 });
      await settled();
      return [await page.locator('#panel').isVisible(), await page.locator('#settings').getAttribute('aria-expanded')];
    };
    expect(await page.locator('#panel').isVisible()).toBe(true);
    expect(await seenAt(1900)).toEqual([false, 'false']);
    await demo.click('#settings');
    for (const width of [1280, 1920, 1280]) expect(await seenAt(width)).toEqual([true, 'true']);
    await demo.click('#settings');
    expect(await seenAt(1280)).toEqual([false, 'false']);
  });
});

describeDemo('the map of the cities', { search: 't=0&world=cities', width: 1280, height: 800 }, () => {
  it('shows few boxes of nodes, and those that lie closer once they are asked for', async () => {
    const few = (await demo.readCanvas()).above;
    await demo.choose('Show in', 'None');
    const none = (await demo.readCanvas()).above;
    expect(demo.shareOfOthers(none, few)).toBeGreaterThan(0);
    expect(demo.shareOfOthers(none, few)).toBeLessThan(0.04);
    await demo.choose('Show in', 'From above');
    await demo.setNumber('To level', '7');
    expect(demo.shareOfOthers(none, (await demo.readCanvas()).above)).toBeGreaterThan(0.08);
  });
});

/** Colours of the legend and of the instruments that stand for two things. */
const ambiguous = () =>
  page.evaluate(() => {
    const meanings = new Map<string, Set<string>>();
    for (const mark of document.querySelectorAll<HTMLElement>(':is(.legend, .hud) .swatch')) {
      if (mark.offsetParent === null) continue;
      const { color } = getComputedStyle(mark);
      meanings.set(color, (meanings.get(color) ?? new Set()).add(mark.parentElement!.textContent!));
    }
    return [...meanings.values()].filter(({ size }) => size > 1).map((labels) => [...labels].join(', '));
  });

const SIZES = ['1440x844', '1024x844', '900x700', '820x1180', '820x600', '640x560', '600x900', '390x844'];

describeDemo('the instruments', 't=0&instances=1000&trees=1000', () => {
  it.each([1440, 1280, 1024])('show ten lines in two columns, at a width of %i', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const lines = await page.evaluate(() => {
      const rows = document.querySelector('.hud .gauge:not([hidden]) .rows')!;
      const own = [...rows.children];
      const added = Array.from({ length: 14 }, (_, i) => own[i % 2]!.cloneNode(true) as Element);
      rows.append(...added);
      const corners = [...rows.children].map((one) => one.getBoundingClientRect());
      for (const one of added) one.remove();
      return { count: corners.length / 2, rows: new Set(corners.map(({ y }) => Math.round(y))).size };
    });
    expect(lines).toEqual({ count: 10, rows: 5 });
  });

  it.each(WORLD_NAMES.filter(isBuiltIn))('of %s cut nothing off, and the views keep their shape', async (name) => {
    await demo.enter(name);
    expect(await ambiguous()).toEqual([]);
    expect(await page.locator('[data-mode=batched]').isVisible()).toBe(/town|museum/.test(name));
    for (const size of SIZES) {
      const [width, height] = size.split('x').map(Number) as [number, number];
      await page.setViewportSize({ width, height });
      await settled();
      // With what is said before there are figures, and with the longest that is said then.
      const before = await look('–', 'measuring…', '–');
      expect(await look('1234.56', 'ms a frame', '1234.6 ms'), size).toEqual(before);
      expect(before, size).toMatchObject({ cut: [], isOver: false });
    }
    await page.setViewportSize({ width: 640, height: 560 });
  });
});
