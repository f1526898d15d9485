import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import * as demo from './acts.js';
import { makeGlb } from './makeGlb.js';

const BASELINES = new URL('./baselines/canvas.json', import.meta.url);

demo.describeDemo('the demo, town', 't=0', () => {
  it('sorts every object into one class', async () => {
    const { inside, intersecting, culled, visible, total } = await demo.counts();
    expect(total).toBeGreaterThan(1000);
    expect(inside + intersecting + culled).toBe(total);
    expect(visible).toBe(inside + intersecting);
    expect(inside).toBeGreaterThan(100);
    expect(culled).toBeGreaterThan(100);
  });

  it('shows the counts it has', async () => {
    const { total } = await demo.counts();
    expect(await demo.page.locator('[data-key=visible-unit]').textContent()).toContain(total.toLocaleString('en'));
  });

  it('draws both views', async () => {
    const colours = await demo.distinctColours();
    expect(colours.left).toBeGreaterThan(50);
    expect(colours.right).toBeGreaterThan(20);
  });

  it('draws the same picture in batches, in a few draw calls', async () => {
    const calls = async (row: string) =>
      Number((await demo.page.locator(`[data-key=${row}]`).textContent())!.replace(',', ''));
    const plain = await demo.readCanvas();
    expect(await calls('drawn-index')).toBeGreaterThan(300);
    await demo.page.locator('[data-mode=batched]').click();
    // Batches come together while they are drawn.
    for (let turn = 0; turn < 200 && !((await calls('drawn')) <= 60); turn++) await demo.settled();
    expect(await calls('drawn')).toBeLessThanOrEqual(60);
    expect(await calls('drawn-batched')).toBe(await calls('drawn'));
    expect(demo.shareOfOthers(plain, await demo.readCanvas())).toBeLessThanOrEqual(0.001);
    await demo.click('[data-mode=index]');
  });

  it('picks by a click, and Delete removes what is picked', async () => {
    const before = await demo.counts();
    await demo.clickPane('#player', 0.5, 0.75);
    const title = await demo.page.locator('#card h2').textContent();
    expect(title).toBeTruthy();
    expect(await demo.page.evaluate(() => window.__demo.picked)).toBe(title);
    await demo.press('Delete');
    expect(await demo.page.locator('#card').isVisible()).toBe(false);
    expect((await demo.counts()).total).toBe(before.total - 1);
  });

  it('adds an object on the ground, and Escape lets go', async () => {
    const before = await demo.counts();
    await demo.page.locator('#add').click();
    await demo.clickPane('#above', 0.5, 0.5);
    expect((await demo.counts()).total).toBe(before.total + 1);
    expect(await demo.page.locator('#card h2').textContent()).toMatch(/^New tree/);
    await demo.press('Escape');
    expect(await demo.page.locator('#card').isVisible()).toBe(false);
    expect(await demo.page.locator('#add').getAttribute('aria-pressed')).toBe('false');
  });

  it('flies by keys, and that ends the autopilot', async () => {
    const [before, after] = await demo.goAhead();
    expect(Math.hypot(...after.map((value, i) => value - before[i]!))).toBeGreaterThan(0.05);
    expect(await demo.page.locator('#autopilot').getAttribute('aria-pressed')).toBe('false');
  });

  it('has a help that the keyboard opens and closes', async () => {
    await demo.page.keyboard.press('?');
    expect(await demo.page.locator('#guide').isVisible()).toBe(true);
    await demo.page.keyboard.press('Escape');
    expect(await demo.page.locator('#guide').isVisible()).toBe(false);
  });

  it('opens a dropped model; its hostile names stay text', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const bytes = [...makeGlb(name)];
    await demo.page.evaluate((data) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(data)], '<b>model</b>.glb'));
      document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
    }, bytes);
    await demo.page.waitForFunction(() => window.__demo.world === 'model');
    await demo.settled();
    expect((await demo.counts()).total).toBe(1);
    // On a page this small the report lies over both views.
    await demo.page.locator('#modelReport summary').click({ position: { x: 30, y: 12 } });
    await demo.settled();
    await demo.clickPane('#above', 0.5, 0.5);
    expect(await demo.page.locator('#card h2').textContent()).toBe(name);
    expect(await demo.page.locator('#card img, #tip img').count()).toBe(0);
  });
});

demo.describeDemo('the demo, cities', 't=0', () => {
  beforeAll(() => demo.enter('cities'));

  it('holds all places of the world', async () => {
    const { inside, intersecting, culled, total } = await demo.counts();
    expect(total).toBe(135233);
    expect(inside + intersecting + culled).toBe(total);
    expect(inside).toBeGreaterThan(1000);
  });

  it('picks a place and tells its country and population', async () => {
    await demo.clickPane('#above', 0.5, 0.5);
    expect(await demo.page.evaluate(() => window.__demo.picked)).toBeTruthy();
    expect(await demo.page.locator('#card').textContent()).toContain('Population');
  });
});

// With a pose of its own, as the default one depends on the height of the pane; and out of the layout, which depends on
// fonts.
demo.describeDemo('the picture', 't=0&above=142_285_312_-14_-10_16', () => {
  it('is the one of the baseline, to the pixel', async () => {
    await demo.page.evaluate(() => {
      const { style } = document.querySelector<HTMLElement>('.stage')!;
      Object.assign(style, { position: 'fixed', left: '0', top: '0', width: '640px', height: '360px' });
    });
    await demo.settled();
    const { size, pixels } = await demo.readCanvas();
    expect(size).toBe('640x360');
    const hash = createHash('sha256').update(pixels).digest('hex');
    if (process.env.UPDATE_BASELINES) writeFileSync(BASELINES, `${JSON.stringify({ town: hash }, null, 2)}\n`);
    expect(hash).toBe(JSON.parse(readFileSync(BASELINES, 'utf8')).town);
  });
});
