import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STRUCTURES } from '../../src/index.js';
import {
  clickPane,
  counts,
  distinctColours,
  openStill,
  press,
  readCanvas,
  settled,
  shareOfOthers,
  withEachStructure,
} from './acts.js';
import type { Demo } from './demo.js';
import { makeGlb } from './makeGlb.js';
import { violations } from './violations.js';

const BASELINES = new URL('./baselines/canvas.json', import.meta.url);

const SMALL = { width: 640, height: 560 };

describe('the demo, town', () => {
  let demo: Demo;
  let page: Page;

  beforeAll(async () => {
    demo = await openStill('t=0', SMALL);
    page = demo.page;
  });
  afterAll(() => demo?.close());

  it('sorts every object into one class', async () => {
    const { inside, intersecting, culled, visible, total } = await counts(page);
    expect(total).toBeGreaterThan(1000);
    expect(inside + intersecting + culled).toBe(total);
    expect(visible).toBe(inside + intersecting);
    expect(inside).toBeGreaterThan(100);
    expect(culled).toBeGreaterThan(100);
  });

  it('shows the counts it has', async () => {
    const { total } = await counts(page);
    expect(await page.locator('[data-key=ofTotal]').textContent()).toContain(total.toLocaleString('en'));
  });

  it('draws both views', async () => {
    const colours = await page.evaluate(distinctColours);
    expect(colours.left).toBeGreaterThan(50);
    expect(colours.right).toBeGreaterThan(20);
  });

  it('draws the same picture in batches, in a few draw calls', async () => {
    const calls = async (row: string) => {
      await page.waitForFunction((key) => /calls/.test(document.querySelector(`[data-key=${key}]`)!.textContent!), row);
      return Number.parseInt((await page.locator(`[data-key=${row}]`).textContent())!.replace(',', ''), 10);
    };
    const plain = await page.evaluate(readCanvas);
    const one = await calls('drawCalls');
    await page.locator('[data-mode=batched]').click();
    // Batches come together while they are drawn.
    for (let frame = 0; frame < 4; frame++) await settled(page);
    expect(shareOfOthers(plain, await page.evaluate(readCanvas))).toBeLessThanOrEqual(0.001);
    await expect.poll(() => calls('drawCalls'), { timeout: 30_000 }).toBeLessThanOrEqual(60);
    expect(one).toBeGreaterThan(300);
    await page.locator('[data-mode=index]').click();
    await settled(page);
  });

  it('gives the same counts with every structure', async () => {
    const before = await counts(page);
    await withEachStructure(page, STRUCTURES, async (structure) => {
      expect(await page.evaluate(() => window.__demo.structure)).toBe(structure);
      expect(await counts(page)).toEqual(before);
    });
  });

  it('picks by a click, and Delete removes what is picked', async () => {
    const before = await counts(page);
    await clickPane(page, '#player', 0.5, 0.75);
    const title = await page.locator('#card h2').textContent();
    expect(title).toBeTruthy();
    expect(await page.evaluate(() => window.__demo.picked)).toBe(title);
    await press(page, 'Delete');
    expect(await page.locator('#card').isVisible()).toBe(false);
    expect((await counts(page)).total).toBe(before.total - 1);
  });

  it('adds an object on the ground, and Escape lets go', async () => {
    const before = await counts(page);
    await page.locator('#add').click();
    await clickPane(page, '#above', 0.5, 0.5);
    expect((await counts(page)).total).toBe(before.total + 1);
    expect(await page.locator('#card h2').textContent()).toMatch(/^New tree/);
    await press(page, 'Escape');
    expect(await page.locator('#card').isVisible()).toBe(false);
    expect(await page.locator('#add').getAttribute('aria-pressed')).toBe('false');
  });

  it('flies by keys, and that ends the autopilot', async () => {
    const before = await page.evaluate(() => window.__demo.eye);
    await page.locator('#player').focus();
    await page.keyboard.down('w');
    await settled(page);
    await settled(page);
    await page.keyboard.up('w');
    const after = await page.evaluate(() => window.__demo.eye);
    expect(Math.hypot(...after.map((value, i) => value - before[i]!))).toBeGreaterThan(0.05);
    expect(await page.locator('#autopilot').getAttribute('aria-pressed')).toBe('false');
  });

  it('has a help that the keyboard opens and closes', async () => {
    await page.keyboard.press('?');
    expect(await page.locator('#guide').isVisible()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.locator('#guide').isVisible()).toBe(false);
  });

  it('is accessible, in both themes and with the panel open', async () => {
    await page.locator('#settings').click();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('t');
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBeTruthy();
    expect(await violations(page)).toEqual([]);
    await page.locator('#settings').click();
  });

  it('keeps the old world and says why when a file is no model', async () => {
    await page.setInputFiles('#files', { name: 'bad.glb', mimeType: '', buffer: Buffer.from('no model') });
    await page.locator('#notice[data-kind=error]').waitFor();
    expect(await page.locator('#notice').textContent()).toContain('bad.glb is not a glTF file');
    expect(await page.evaluate(() => window.__demo.world)).toBe('town');
  });

  it('refuses a model that asks for files from elsewhere', async () => {
    const json = { asset: { version: '2.0' }, buffers: [{ uri: 'https://example.com/a.bin', byteLength: 4 }] };
    const buffer = Buffer.from(JSON.stringify(json));
    await page.setInputFiles('#files', { name: 'far.gltf', mimeType: '', buffer });
    await page.getByText('https://example.com/a.bin').waitFor();
    expect(await page.evaluate(() => window.__demo.world)).toBe('town');
  });

  it('opens a dropped model; its hostile names stay text', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const bytes = [...makeGlb(name)];
    await page.evaluate((data) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(data)], '<b>model</b>.glb'));
      document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer }));
    }, bytes);
    await page.waitForFunction(() => window.__demo.world === 'model');
    await settled(page);
    expect((await counts(page)).total).toBe(1);
    await clickPane(page, '#above', 0.5, 0.5);
    expect(await page.locator('#card h2').textContent()).toBe(name);
    expect(await page.locator('#card img, #tip img').count()).toBe(0);
  });

  it('did all this without a warning', () => expect(demo.messages).toEqual([]));
});

describe('the demo, cities', () => {
  let demo: Demo;
  let page: Page;

  beforeAll(async () => {
    demo = await openStill('t=0', SMALL);
    page = demo.page;
    await page.locator('[data-world=cities]').click();
    await page.waitForFunction(() => window.__demo.world === 'cities');
    await settled(page);
  });
  afterAll(() => demo?.close());

  it('holds all places of the world', async () => {
    const { inside, intersecting, culled, total } = await counts(page);
    expect(total).toBe(135233);
    expect(inside + intersecting + culled).toBe(total);
    expect(inside).toBeGreaterThan(1000);
  });

  it('picks a place and tells its country and population', async () => {
    await clickPane(page, '#above', 0.5, 0.5);
    expect(await page.evaluate(() => window.__demo.picked)).toBeTruthy();
    expect(await page.locator('#card').textContent()).toContain('Population');
  });

  it('removes a place', async () => {
    await page.locator('#card [data-act=remove]').click();
    await settled(page);
    expect((await counts(page)).total).toBe(135232);
  });

  it('did all this without a warning', () => expect(demo.messages).toEqual([]));
});

describe('the picture', () => {
  it('is the one of the baseline, to the pixel', async () => {
    // With a pose of its own, as the default one depends on the height of the pane; and out of the layout, which depends
    // on fonts.
    const demo = await openStill('t=0&above=142_285_312_-14_-10_16', SMALL);
    try {
      await demo.page.evaluate(() => {
        const { style } = document.querySelector<HTMLElement>('.stage')!;
        Object.assign(style, { position: 'fixed', left: '0', top: '0', width: '640px', height: '360px' });
      });
      await settled(demo.page);
      const pixels = await demo.page.evaluate(readCanvas);
      expect(pixels.size).toBe('640x360');
      const hash = createHash('sha256').update(Buffer.from(pixels.base64, 'base64')).digest('hex');
      if (process.env.UPDATE_BASELINES) writeFileSync(BASELINES, `${JSON.stringify({ town: hash }, null, 2)}\n`);
      expect(hash).toBe(JSON.parse(readFileSync(BASELINES, 'utf8')).town);
      expect(demo.messages).toEqual([]);
    } finally {
      await demo.close();
    }
  });
});
