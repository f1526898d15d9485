import { afterEach, expect, it } from 'vitest';
import { type Demo, openDemo } from './demo.js';
import { violations } from './violations.js';

let demo: Demo;
afterEach(() => demo.close());

const card = () => demo.page.locator('.tour');
/** Small pictures: software rendering leaves the processor to the test. */
const open = (search = '') => openDemo({ width: 640, height: 560, firstVisit: true, search: `?dpr=0.2${search}` });

it('a first visit begins with a tour of four cards, which Enter turns and which does not come again', async () => {
  demo = await open();
  const { page } = demo;
  // It does not go on by itself: this machine may take longer than a card stays.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await card().waitFor();
  expect(await violations(page)).toEqual([]);
  const titles: (string | null)[] = [];
  for (let at = 1; at <= 4; at++) {
    await page.locator('.tour .count', { hasText: `${at} of 4` }).waitFor();
    titles.push(await card().locator('h2').textContent());
    expect(await page.locator('.tour-light').isVisible()).toBe(true);
    // The focus is on the button, so that Enter is enough.
    await page.keyboard.press('Enter');
  }
  expect(titles).toEqual([
    'This is a scene',
    'This is what the camera sees',
    'This is what the index asked',
    'This is what it costs',
  ]);
  await card().waitFor({ state: 'hidden' });
  await page.reload();
  await page.evaluate(() => window.__demo.ready);
  await page.locator('[data-key=visible]', { hasText: /\d/ }).waitFor();
  expect(await card().isVisible()).toBe(false);
  expect(demo.messages).toEqual([]);
});

it('Escape skips the tour, the help brings it back, and less motion stops it from going on by itself', async () => {
  demo = await open('&t=0&animate=0');
  const { page } = demo;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(() => window.__demo.ready);
  expect(await card().isVisible()).toBe(false);
  await page.locator('#help').click();
  await page.locator('#guide button', { hasText: 'Take the tour' }).click();
  await card().waitFor();
  // What would bring the next card.
  expect(await page.locator('.tour > i').isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  await card().waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('help');
  expect(demo.messages).toEqual([]);
});
