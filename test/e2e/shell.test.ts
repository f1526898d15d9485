import { expect, it } from 'vitest';
import * as demo from './acts.js';
import { makeGlb } from './makeGlb.js';

const box = async (what: string) => (await demo.page.locator(what).boundingBox())!;
const heightOf = async (what: string) => (await box(what)).height;

/** Sends fingers along lines, each of them from one point of a pane to another, as a touchscreen does. */
async function move(pane: string, ...lines: [from: [number, number], to: [number, number]][]): Promise<void> {
  const { x, y, width, height } = await box(pane);
  const session = await demo.page.context().newCDPSession(demo.page);
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
  await demo.settled();
}

/** A tap of one finger on a pane. */
const tap = (pane: string, x: number, y: number) =>
  move(pane, [
    [x, y],
    [x, y],
  ]);

const phone = { search: 'world=range&t=0', width: 390, height: 844, touch: true };

demo.describeDemo('the demo on a phone', phone, () => {
  it('has one row of buttons, with the chosen world in view', async () => {
    expect(await heightOf('.bar')).toBeLessThan(60);
    for (const name of ['range', 'town']) {
      if (name !== (await demo.world())) await demo.enter(name);
      const { x, width } = await box(`[data-world=${name}]`);
      const end = (await box('#settings')).x;
      expect(x, name).toBeGreaterThanOrEqual(0);
      expect(x + width, name).toBeLessThanOrEqual(end);
    }
    for (const name of ['#settings', '#help']) expect((await box(name)).x, name).toBeLessThan(390 - 20);
  });

  it('shows its figures in a line, and all measurements after a touch', async () => {
    const total = (await demo.counts()).total.toLocaleString('en');
    const line = demo.page.locator('#hud .figure', { hasText: total });
    const rows = demo.page.locator('#hud dt:visible');
    for (const open of [false, true, false]) {
      expect(await heightOf('#hud')).toBeLessThan(open ? 844 * 0.55 : 50);
      expect([await line.isVisible(), (await rows.count()) > 0]).toEqual([true, open]);
      expect(await demo.page.locator('#fold').getAttribute('aria-expanded')).toBe(String(open));
      await demo.page.locator('#fold').tap();
      await demo.settled();
    }
    // Folded again.
    await demo.page.locator('#fold').tap();
  });

  it('looks around with a finger, and flies with two', async () => {
    const pose = async () => demo.parameter('player')?.split('_').map(Number);
    const start = await demo.eye();
    await move('#player', [
      [0.3, 0.5],
      [0.7, 0.5],
    ]);
    const [, , , x] = (await pose())!;
    expect(await demo.eye()).toEqual(start);
    await move('#player', [
      [0.3, 0.5],
      [0.7, 0.5],
    ]);
    expect(Math.abs((await pose())![3]! - x!)).toBeGreaterThan(0.5);
    // Two fingers that go apart fly ahead.
    await move(
      '#player',
      [
        [0.5, 0.45],
        [0.5, 0.3],
      ],
      [
        [0.5, 0.55],
        [0.5, 0.7],
      ],
    );
    const [from, to] = [start, await demo.eye()];
    expect(Math.hypot(...to.map((value, i) => value - from[i]!))).toBeGreaterThan(1);
    const above = demo.parameter('above');
    await move('#above', [
      [0.3, 0.5],
      [0.6, 0.5],
    ]);
    expect(demo.parameter('above')).not.toBe(above);
  });

  it('picks with a tap', async () => {
    await demo.page.goto(demo.page.url().replace(/[?].*/, '?t=0&dpr=1&animate=0'));
    await demo.page.evaluate(() => window.__demo.ready);
    await demo.settled();
    await tap('#player', 0.5, 0.75);
    expect(await demo.page.evaluate(() => window.__demo.picked)).toBeTruthy();
    const card = await box('#card');
    expect(card.y + card.height).toBeLessThanOrEqual((await box('#above')).y);
    await demo.page.locator('#card [data-act=close]').tap();
  });

  it('has a help about gestures, and not about keys', async () => {
    await demo.click('#help');
    const text = await demo.page.locator('#guide').innerText();
    expect(text).toContain('Two fingers');
    expect(text).not.toContain('W A S D');
    await demo.click('#guide button:last-of-type');
  });

  it('shows the settings below the player’s view', async () => {
    await demo.onPanel(async () => {
      expect((await box('#panel')).y).toBeGreaterThan(844 / 3);
      expect((await box('#panel')).width).toBe(390);
    });
  });

  it('offers on the panel only the ways to draw that make a difference', async () => {
    const offered = () =>
      demo
        .control('Drawn by')
        .locator('option')
        .evaluateAll((all) => all.filter((one) => !(one as HTMLOptionElement).disabled).map((one) => one.textContent));
    await demo.onPanel(async () => expect(await offered()).toEqual(['Index', 'Batched', 'Plain three']));
    await demo.enter('range');
    await demo.onPanel(async () => expect(await offered()).toEqual(['Index', 'Plain three']));
  });

  it('shows the report on a model as a sheet, which folds', async () => {
    await demo.page.setInputFiles('#files', { name: 'a.glb', mimeType: '', buffer: Buffer.from(makeGlb('a')) });
    const report = demo.page.locator('#modelReport');
    await report.locator('h2').waitFor();
    await demo.settled();
    const above = await box('#above');
    expect((await box('#modelReport')).y).toBeGreaterThanOrEqual(above.y - 1);
    await report.locator('summary').tap();
    expect(await heightOf('#modelReport')).toBeLessThan(60);
    expect(await report.locator('h2').isVisible()).toBe(false);
    await report.locator('summary').tap();
    expect(await report.locator('h2').isVisible()).toBe(true);
  });

  demo.itIsAccessible();
});

demo.describeDemo('the demo on a phone held sideways', { ...phone, width: 844, height: 390 }, () => {
  it('has one row of buttons and a line of figures, and leaves the rest to the views', async () => {
    expect(await heightOf('.bar')).toBeLessThan(60);
    expect(await heightOf('#hud')).toBeLessThan(50);
    expect(await heightOf('#player')).toBeGreaterThan(280);
    expect((await box('#above')).x).toBeGreaterThan(400);
  });

  demo.itIsAccessible();
});
