import { expect, it } from 'vitest';
import { METHODS } from '../../demo/worlds/collisions/setup/methods.js';
import { click, clickPane, describeDemo, enter, page, press as pressOn, readCanvas, settled } from './acts.js';

const search = 'world=collisions&t=1&objects=500&trialFrames=2&rampLimit=10&rampMost=400&nodes=none';

describeDemo('the demo, collisions', { search, width: 900, height: 640 }, () => {
  const press = (key: string) => pressOn(key, '#arena');
  const caption = () => page.locator('.arena .caption').textContent();
  /** The cells of one column, by their place. */
  const column = (at: number) => page.locator(`.methods tbody td:nth-of-type(${at})`).allTextContents();

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
    const counts = (await column(8)).map(Number);
    expect(counts[0]).toBe(500);
    for (const count of counts.slice(1)) expect(count).toBeLessThan(500);
    await press('x');
    expect(await caption()).toMatch(/^Packed: 500 objects/);
  });

  it('adds an object by a click, and has a region go with the pointer', async () => {
    await clickPane('#arena', 0.5, 0.55);
    expect(await caption()).toContain('501 objects');
    await press('x');
    const atCentre = await caption();
    expect(atCentre).toContain('candidates');
    const box = (await page.locator('#arena').boundingBox())!;
    await page.mouse.move(box.x + 0.4 * box.width, box.y + 0.4 * box.height);
    await settled();
    expect(await caption()).toContain('candidates');
    expect(await caption()).not.toBe(atCentre);
    await press('Escape');
    expect(await caption()).toContain('501 objects');
  });

  it('runs all methods over the same frames', async () => {
    await press('r');
    await page
      .locator('.verdict', { hasText: `${METHODS.length} methods, the same pairs in each of 2 frames.` })
      .waitFor();
  });

  it('ramps up until each method has reached its limit', async () => {
    await press('l');
    await expect
      .poll(async () => (await column(7)).every((text) => /^\d+\+?$/.test(text)), { timeout: 60_000 })
      .toBe(true);
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
