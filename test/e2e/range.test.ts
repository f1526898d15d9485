import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Crowd } from '../../demo/worlds/range/Crowd.js';
import { STRUCTURES } from '../../src/index.js';
import { control, counts, distinctColours, openStill, report, settled, withEachStructure } from './acts.js';
import type { Demo } from './demo.js';
import { violations } from './violations.js';

const SECONDS = 5;
const COUNT = 3000;

describe('the demo, range', () => {
  let demo: Demo;
  let page: Page;

  beforeAll(async () => {
    demo = await openStill(`world=range&t=${SECONDS}&entities=${COUNT}&reach=40&nearest=3&skill=box`, {
      width: 640,
      height: 560,
    });
    page = demo.page;
  });
  afterAll(() => demo?.close());

  const eye = () => page.evaluate(() => window.__demo.eye);

  it('holds the entities that the address asks for', async () => {
    const { inside, intersecting, culled, total } = await counts(page);
    expect(total).toBe(COUNT);
    expect(inside + intersecting + culled).toBe(total);
  });

  it('finds who is within range, as a look at each one does', async () => {
    const crowd = new Crowd(COUNT);
    crowd.moveTo(SECONDS);
    const [x, , z] = await eye();
    const { data } = crowd.places.image;
    let within = 0;
    for (let i = 0; i < COUNT; i++) if (Math.hypot(data[4 * i]! - x!, data[4 * i + 1]! - z!) <= 40) within++;
    expect(within).toBeGreaterThan(10);
    expect((await report(page))['Within range']).toBe(String(within));
  });

  it('gives the same answers with every structure, to a box and to a sector', async () => {
    for (const skill of ['Box on the ground', 'Sector']) {
      await page.locator('#settings').click();
      await control(page, 'Skill').locator('select').selectOption({ label: skill });
      await settled(page);
      await page.locator('#settings').click();
      await settled(page);
      const before = [await counts(page), await report(page)] as const;
      expect(Number(before[1]['Skill area'])).toBeGreaterThan(0);
      // Frames take their time without a graphics card: boxes are compared with those of brute force alone.
      await withEachStructure(page, skill === 'Sector' ? STRUCTURES : ['bruteForce'], async () => {
        expect([await counts(page), await report(page)]).toEqual(before);
      });
    }
  });

  it('walks by keys, on the ground', async () => {
    const before = await eye();
    await page.locator('#player').focus();
    await page.keyboard.down('w');
    await settled(page);
    await settled(page);
    await page.keyboard.up('w');
    const after = await eye();
    expect(Math.hypot(after[0]! - before[0]!, after[2]! - before[2]!)).toBeGreaterThan(0.02);
    expect(after[1]).toBe(0);
  });

  it('lets entities come and go, and remembers how many in the address', async () => {
    await page.locator('#settings').click();
    const entities = control(page, 'Entities').locator('input');
    for (const count of ['6000', '1500']) {
      await entities.fill(count);
      await entities.press('Enter');
      await settled(page);
      expect((await counts(page)).total).toBe(Number(count));
      expect(new URL(page.url()).searchParams.get('entities')).toBe(count);
    }
  });

  it('is accessible, with its controls on the panel', async () => expect(await violations(page)).toEqual([]));

  it('is drawn in both views after a world that has none', async () => {
    for (const world of ['collisions', 'range']) {
      await page.locator(`[data-world=${world}]`).click();
      await page.waitForFunction((name) => window.__demo.world === name, world);
      await settled(page);
    }
    const { left, right } = await page.evaluate(distinctColours);
    expect(left).toBeGreaterThan(50);
    expect(right).toBeGreaterThan(20);
  });

  it('did all this without a warning', () => expect(demo.messages).toEqual([]));
});
