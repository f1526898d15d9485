import { beforeAll, expect, it } from 'vitest';
import { METHODS } from '../../demo/worlds/collisions/setup/methods.js';
import { click, clickPane, describeDemo, enter, page, press as pressOn, readCanvas, settled } from './acts.js';
import { violations } from './violations.js';

const search = 'world=collisions&t=1&objects=500&trialFrames=2&rampLimit=10&rampMost=400&nodes=none';

describeDemo('the demo, collisions', { search, width: 900, height: 640 }, () => {
  const press = (key: string) => pressOn(key, '#arena');
  const caption = () => page.locator('.arena .caption').textContent();
  /** The cells of one column, by their place. */
  const column = (at: number) => page.locator(`.methods tbody td:nth-of-type(${at})`).allTextContents();

  beforeAll(() => page.context().grantPermissions(['clipboard-read', 'clipboard-write']));

  it('finds the same pairs with every method, by itself', async () => {
    const verdict = `${METHODS.length} methods, the same pairs in each of 2 frames.`;
    await page.locator('.verdict', { hasText: verdict }).waitFor();
    for (const { id } of METHODS) {
      await click(`[data-method=${id}]`);
    }
    const pairs = await column(5);
    expect(pairs.length).toBe(METHODS.length);
    expect(Number(pairs[0])).toBeGreaterThan(10);
    expect(new Set(pairs).size).toBe(1);
    expect(await column(6)).toEqual(METHODS.map(() => 'yes'));
    expect(await page.locator('.verdict').textContent()).toBe(verdict);
  });

  it('has a key for each method', async () => {
    for (const [i, { id }] of METHODS.entries()) {
      await press('1234567890'[i]);
      expect(await page.locator('.methods [aria-pressed=true]').getAttribute('data-method')).toBe(id);
    }
  });

  it('draws collisions red; a region shows its candidates in green, and how many each method has', async () => {
    const before = await readColours();
    expect(before.red).toBeGreaterThan(100);
    expect(before.green).toBe(0);
    await press('x');
    expect((await readColours()).green).toBeGreaterThan(50);
    expect(await caption()).toMatch(/^Packed: \d+ candidates in \d+ nodes, \d+ in/);
    const counts = (await column(7)).map(Number);
    expect(counts[0]).toBe(500);
    for (const count of counts.slice(1)) expect(count).toBeLessThan(500);
    await press('x');
    expect(await caption()).toMatch(/^Packed: 500 objects/);
  });

  it('adds an object by a click, and draws a region by a drag with Shift', async () => {
    await clickPane('#arena', 0.5, 0.55);
    expect(await caption()).toContain('501 objects');
    const box = (await page.locator('#arena').boundingBox())!;
    const at = (x: number, y: number) => [box.x + x * box.width, box.y + y * box.height] as const;
    await page.keyboard.down('Shift');
    await page.mouse.move(...at(0.4, 0.4));
    await page.mouse.down();
    await page.mouse.move(...at(0.6, 0.6));
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await settled();
    expect(await caption()).toContain('candidates');
    await press('Escape');
    expect(await caption()).toContain('501 objects');
  });

  it('runs all methods over the same frames', async () => {
    await press('r');
    await page
      .locator('.verdict', { hasText: `${METHODS.length} methods, the same pairs in each of 2 frames.` })
      .waitFor();
  });

  it('ramps up until each method has reached its limit, and copies the chart as text', async () => {
    await press('l');
    await page.waitForFunction((count) => document.querySelectorAll('.bars .done').length === count, METHODS.length);
    const label = await page.locator('.bars').getAttribute('aria-label');
    for (const { title } of METHODS) expect(label).toMatch(new RegExp(`${title} \\d+`));
    await press('c');
    await page.locator('.verdict', { hasText: 'Copied' }).waitFor();
    const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
    expect(lines).toContain('Objects whose collisions take less than 10 ms a frame');
    for (const { title } of METHODS) expect(lines.filter((line) => line.startsWith(title)).length).toBe(2);
  });

  it('is accessible, in both themes', async () => {
    expect(await violations(page)).toEqual([]);
    await press('t');
    expect(await violations(page)).toEqual([]);
  });

  it('keeps the choices in the address, and gives the stage back', async () => {
    await click('[data-dimensions="3"]');
    await page.waitForFunction(() => location.search.includes('dimensions=3'));
    await enter('town');
    expect(await page.locator('.custom-view').count()).toBe(0);
    expect(await page.locator('#player').isVisible()).toBe(true);
    expect(await page.locator('#hud').isVisible()).toBe(true);
  });
});

/** How many pixels are of the colour of collisions, and of candidates. */
async function readColours(): Promise<{ red: number; green: number }> {
  const data = new Uint8Array((await readCanvas()).pixels.buffer);
  let [red, green] = [0, 0];
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b] = [data[i]!, data[i + 1]!, data[i + 2]!];
    if (r > 120 && r > 1.8 * g && r > 1.8 * b) red++;
    if (g > 100 && g > 1.3 * r && g > 2 * b) green++;
  }
  return { red, green };
}
