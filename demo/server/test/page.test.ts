import { chromium } from 'playwright';
import { expect, test } from 'vitest';
import { findChrome } from '../../../test/chrome.mjs';
import { Player } from '../src/Player.js';
import { start, until } from './helpers.js';

test('a finger on the map leads the player there, and lets it stand when it is lifted', async () => {
  const { url, child } = await start({ ZONES: '1', SIZE: '200', RADIUS: '300', ENTITIES: '0', SPEED: '40' });
  const browser = await chromium.launch(findChrome());
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.goto(url);
  const witness = new Player(url);
  await witness.join(0, 'witness');
  const visitor = () => [...witness.seen].find(([, name]) => name === 'visitor')?.[0] ?? -1;
  await until(() => witness.places.has(visitor()));
  const place = () => witness.places.get(visitor())!;
  const { x, y, width } = (await page.locator('#map').boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', right = 0, down = 0) => {
    const touchPoints = type === 'touchEnd' ? [] : [{ x: x + right * width, y: y + down * width }];
    return session.send('Input.dispatchTouchEvent', { type, touchPoints });
  };
  const isAt = (right: number, down: number) => Math.hypot(place().x - 200 * right, place().z - 200 * down) < 8;
  await touch('touchStart', 0.2, 0.3);
  await until(() => isAt(0.2, 0.3));
  await touch('touchMove', 0.7, 0.6);
  await until(() => isAt(0.7, 0.6));
  await touch('touchMove', 0.2, 0.3);
  await until(() => !isAt(0.7, 0.6));
  await touch('touchEnd');
  await page.waitForTimeout(300);
  const { x: left, z } = place();
  await page.waitForTimeout(300);
  expect(place()).toMatchObject({ x: left, z });
  expect(isAt(0.2, 0.3)).toBe(false);
  await browser.close();
  child.kill();
});
