import { expect, it } from 'vitest';
import * as demo from './acts.js';

const card = () => demo.page.locator('#card');
const fact = (name: string) =>
  card()
    .locator('dt', { hasText: new RegExp(`^${name}$`) })
    .locator('+ dd')
    .innerText();
const act = (name: string) => card().locator(`[data-act=${name}]`);
const drawn = () => card().locator('.drawn').innerText();
const ray = () => demo.page.locator('[data-key=ray]');

async function press(name: string): Promise<void> {
  await act(name).click();
  await demo.settled();
}

/** Picks something in the player's view, in the middle or somewhere around it. */
async function pickSomething(): Promise<void> {
  for (const [x, y] of [
    [0.5, 0.6],
    [0.5, 0.5],
    [0.4, 0.7],
    [0.6, 0.8],
    [0.3, 0.6],
    [0.7, 0.55],
  ] as const) {
    await demo.clickPane('#player', x, y);
    if (await card().isVisible()) return;
  }
  throw new Error('There is nothing to pick.');
}

demo.describeDemo('the card of a picked object', { search: 't=8', width: 1280, height: 720 }, () => {
  it('says what it is, how culling takes it, where it is in the tree and how it is drawn', async () => {
    await demo.clickPane('#player', 0.3, 0.75);
    expect(await card().locator('h2').innerText()).toBe('Church nave roof');
    expect(await fact('Type')).toBe('Mesh');
    expect(await fact('Class')).toMatch(/^(Inside|Intersecting)$/);
    expect(Number(await fact('Triangles'))).toBeGreaterThan(0);
    expect(await act('node').innerText()).toMatch(/^At depth \d+$/);
    expect(await drawn()).toMatch(/^It is drawn by itself/);
  });

  it('comes with the ray, the nodes that it tested, and their number', async () => {
    const [, tested, nodes, entered] = (await ray().innerText()).match(
      /tested (\d+) of (\d+) nodes and entered (\d+)$/,
    )!;
    expect(Number(entered)).toBeGreaterThan(0);
    expect(Number(tested)).toBeGreaterThan(Number(entered));
    expect(Number(nodes)).toBeGreaterThan(Number(tested));
  });

  it('lights up the node that holds the object', async () => {
    const depth = (await act('node').innerText()).match(/\d+/)![0];
    await press('node');
    expect(await demo.page.locator('.nodeCard h2').innerText()).toBe(`Node at depth ${depth}`);
    expect(await demo.page.locator('.nodeCard li').allInnerTexts()).toContain('Church nave roof');
  });

  it('hides the object, and shows it again', async () => {
    const before = await demo.counts();
    const shown = await demo.readCanvas();
    await press('hide');
    expect((await demo.counts()).culled).toBe(before.culled + 1);
    expect(await fact('Class')).toBe('Culled, as it is hidden');
    expect(await drawn()).toContain('It is hidden');
    expect(demo.shareOfOthers(await demo.readCanvas(), shown)).toBeGreaterThan(0.01);
    await demo.click('[data-act=showAll]');
    expect(await demo.counts()).toEqual(before);
    expect(await act('hide').innerText()).toBe('Hide');
  });

  it('declares it static and dynamic', async () => {
    expect(await act('rest').innerText()).toBe('Make dynamic');
    await press('rest');
    expect(await act('rest').innerText()).toBe('Make static');
    await press('rest');
    expect(await act('rest').innerText()).toBe('Make dynamic');
  });

  it('takes it out of its batch and back, where there are batches', async () => {
    expect(await act('alone').getAttribute('aria-disabled')).toBe('true');
    await act('alone').click({ force: true });
    expect(await card().locator('.whyNot').innerText()).toContain('Choose Batched first');
    await demo.click('[data-mode=batched]');
    await expect.poll(async () => (await demo.settled(), drawn()), { timeout: 60_000 }).toContain('batch');
    await press('alone');
    await expect
      .poll(async () => (await demo.settled(), drawn()), { timeout: 60_000 })
      .toContain('is not to be drawn in batches');
    await press('alone');
    await expect
      .poll(async () => (await demo.settled(), drawn()), { timeout: 60_000 })
      .not.toContain('is not to be drawn in batches');
    await demo.click('[data-mode=index]');
  });

  it('deletes it: the index forgets it, and nothing is selected', async () => {
    const { total } = await demo.counts();
    await press('remove');
    expect((await demo.counts()).total).toBe(total - 1);
    expect(await card().isVisible()).toBe(false);
    expect(await demo.page.evaluate(() => window.__demo.picked)).toBeNull();
  });

  it('is reached by keys alone, and closed by Escape together with the ray', async () => {
    await demo.press('Enter');
    expect(await card().isVisible()).toBe(true);
    expect(await demo.page.evaluate(() => document.activeElement?.id)).toBe('card');
    await demo.page.keyboard.press('Tab');
    expect(await demo.page.evaluate(() => document.activeElement?.getAttribute('data-act'))).toBe('node');
    for (const name of ['hide', 'rest', 'alone', 'remove', 'close']) {
      await demo.page.keyboard.press('Tab');
      expect(await demo.page.evaluate(() => document.activeElement?.getAttribute('data-act'))).toBe(name);
    }
    await demo.page.keyboard.press('Escape');
    await demo.settled();
    expect(await card().isVisible()).toBe(false);
    expect(await ray().isVisible()).toBe(false);
    expect(await demo.page.evaluate(() => document.activeElement?.id)).toBe('player');
  });

  it('is accessible', async () => {
    await pickSomething();
  });
  demo.itIsAccessible();

  it.each([
    ['cities', 'a single draw call', null, 'This world is not drawn in batches.'],
    ['range', 'a single draw call', 'It moves in every frame', 'This world is not drawn in batches.'],
    ['satellites', 'a single draw call', 'It moves in every frame', 'This world is not drawn in batches.'],
  ])('does in other worlds what makes sense there: %s', async (world, how, whyNotStatic, whyNotAlone) => {
    await demo.enter(world);
    await pickSomething();
    expect(await drawn()).toContain(how);
    expect(await act('alone').getAttribute('title')).toBe(whyNotAlone);
    if (whyNotStatic) expect(await act('rest').getAttribute('title')).toContain(whyNotStatic);
    else await press('rest');
    const before = await demo.counts();
    await press('hide');
    expect(await demo.counts()).toMatchObject({ total: before.total, visible: before.visible - 1 });
    await press('hide');
    expect(await demo.counts()).toEqual(before);
    await press('remove');
    expect((await demo.counts()).total).toBe(before.total - 1);
    expect(await card().isVisible()).toBe(false);
  });
});
