import { expect, it } from 'vitest';
import { STRUCTURES } from '../../src/index.js';
import { atWidth } from '../helpers/width.js';
import * as demo from './acts.js';

const card = () => demo.page.locator('.nodeCard');
const title = () => card().locator('h2').textContent();

async function hoverAbove(x: number, y: number): Promise<void> {
  const box = (await demo.page.locator('#above').boundingBox())!;
  await demo.page.mouse.move(box.x + x * box.width, box.y + y * box.height);
  await demo.settled();
}

demo.describeDemo('the card of a node, on a small page', 't=0', () => {
  it('takes no click from what lies below it while it follows the pointer', async () => {
    await hoverAbove(0.3, 0.5);
    expect(await card().isVisible()).toBe(true);
    const box = (await card().boundingBox())!;
    const under = await demo.page.evaluate(
      ([x, y]) => document.elementFromPoint(x!, y!)?.id,
      [box.x + box.width / 2, box.y + box.height / 2],
    );
    expect(under).toBe('above');
  });
});

demo.describeDemo('the card of a node, on a phone', { search: 't=0', width: 390, height: 844, touch: true }, () => {
  it('leaves most of the map to be seen when it is kept, and can be closed', async () => {
    const pane = (await demo.page.locator('#above').boundingBox())!;
    await demo.page.touchscreen.tap(pane.x + pane.width / 2, pane.y + 0.6 * pane.height);
    await demo.settled();
    const box = (await card().boundingBox())!;
    expect(box.width * box.height).toBeLessThan(0.4 * pane.width * pane.height);
    await card().locator('[data-act=closeNode]').tap();
    expect(await card().isVisible()).toBe(false);
  });
});

demo.describeDemo('nodes in the view from above', { search: 't=0', width: 1280, height: 720 }, () => {
  it('have a legend for their colours and those of the classes', async () => {
    const legend = await demo.page.locator('#above .legend').innerText();
    for (const label of ['Inside', 'Intersecting', 'Culled', 'Picked', 'Node depth']) {
      expect(legend).toContain(label);
    }
  });

  it.each([
    ['range', ['Within range', 'Skill area', 'Nearest']],
    ['town', []],
  ])('have the colours of the world in their legend: %s', async (name, colours) => {
    await demo.enter(name);
    const labels = await demo.page.locator('#above .legend li:not(.depths)').allInnerTexts();
    expect(labels).toEqual(['Inside', 'Intersecting', 'Culled', 'Picked', ...colours]);
  });

  it('light up and are described under the pointer', async () => {
    const before = await demo.readCanvas();
    await hoverAbove(0.5, 0.5);
    expect(await title()).toMatch(/^Node at depth \d+$/);
    expect(await card().locator('[data-key=verdict]').textContent()).toMatch(/^(Tested|Not tested): /);
    expect(await card().getByRole('button').count()).toBe(0);
    expect(demo.shareOfOthers(before, await demo.readCanvas())).toBeGreaterThan(0);
  });

  it('are kept by a click, and walked by keys', async () => {
    await demo.clickPane('#above', 0.5, 0.5);
    const first = await title();
    await demo.page.keyboard.press('ArrowUp');
    const parent = await title();
    expect(parent).not.toBe(first);
    await demo.page.keyboard.press('ArrowDown');
    expect(await title()).toBe(first);
    await hoverAbove(0.1, 0.1);
    expect(await title()).toBe(first);
  });

  it('close by Escape, which gives the focus back', async () => {
    await card().focus();
    await demo.page.keyboard.press('Escape');
    await demo.page.mouse.move(2, 2);
    await demo.settled();
    expect(await card().isVisible()).toBe(false);
    expect(await demo.page.evaluate(() => document.activeElement?.id)).toBe('above');
  });

  it('are described in every structure that has them', async () => {
    const named = STRUCTURES.filter((name) => name !== 'bruteForce');
    await demo.withEachStructure(atWidth(named, ['packed', 'octree']), async () => {
      await hoverAbove(0.4, 0.5);
      await hoverAbove(0.41, 0.5);
      expect(await title()).toMatch(/^Node at depth \d+$/);
    });
  });

  demo.itIsAccessible();
});
