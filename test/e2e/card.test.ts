import { describe, expect, it } from 'vitest';
import * as demo from './acts.js';
import { clickPane, counts, describeDemo, hoverPane, page, settled } from './acts.js';

const card = () => page.locator('#card');
const fact = (name: string) =>
  card()
    .locator('dt', { hasText: new RegExp(`^${name}$`) })
    .locator('+ dd')
    .innerText();
const act = (name: string) => card().locator(`[data-act=${name}]`);
const drawn = () => card().locator('.drawn').innerText();
const nodeCard = () => page.locator('.nodeCard');
const nodeTitle = () => nodeCard().locator('h2').textContent();
const focused = () =>
  page.evaluate(() => document.activeElement?.getAttribute('data-act') ?? document.activeElement?.id);

async function press(name: string): Promise<void> {
  await act(name).click();
  await settled();
}

/** Where there is something to be picked, in one world or another. */
const PLACES: readonly (readonly [x: number, y: number])[] = [
  [0.5, 0.4],
  [0.45, 0.45],
  [0.55, 0.45],
  [0.4, 0.5],
  [0.6, 0.6],
  [0.3, 0.3],
  [0.5, 0.5],
  [0.5, 0.8],
  [0.4, 0.6],
  [0.6, 0.7],
];

async function pickSomething(pane: string): Promise<void> {
  for (const place of PLACES) {
    await clickPane(pane, ...place);
    if (await card().isVisible()) return;
    // Else the card of a node would lie over the next place.
    await page.keyboard.press('Escape');
  }
  throw new Error('There is nothing to pick.');
}

describeDemo('the card of a picked object', 't=8', () => {
  it('says what it is, how it is culled and drawn, and what the ray tested; leads to its node', async () => {
    await clickPane('#player', 0.3, 0.75);
    const picked = await card().locator('h2').innerText();
    expect(picked).toBe(await page.evaluate(() => window.__demo.picked));
    expect(await fact('Type')).toBe('Mesh');
    expect(await fact('Class')).toMatch(/^(Inside|Intersecting)$/);
    expect(Number(await fact('Triangles'))).toBeGreaterThan(0);
    expect(await drawn()).toMatch(/^It is drawn by itself/);
    const said = await page.locator('[data-key=ray]').innerText();
    const [tested, nodes, entered] = said.match(/\d+(?= of)|\d+(?= nodes)|\d+$/g)!.map(Number);
    expect(nodes).toBeGreaterThan(tested!);
    expect(tested).toBeGreaterThan(entered!);
    const [depth] = (await act('node').innerText()).match(/\d+$/)!;
    await press('node');
    expect(await nodeTitle()).toBe(`Node at depth ${depth}`);
    expect(await nodeCard().locator('li').allInnerTexts()).toContain(picked);
  });

  it('hides the object and shows it again, makes it dynamic and static', async () => {
    const before = await counts();
    await press('hide');
    expect(await counts()).toMatchObject({ culled: before.culled + 1, visible: before.visible - 1 });
    expect(await fact('Class')).toBe('Culled, as it is hidden');
    await demo.click('[data-act=showAll]');
    expect(await counts()).toEqual(before);
    for (const said of ['Make dynamic', 'Make static', 'Make dynamic']) {
      expect(await act('rest').innerText()).toBe(said);
      await press('rest');
    }
  });

  it('takes it out of its batch and back, where there are batches', async () => {
    await act('alone').click({ force: true });
    expect(await card().locator('.whyNot').innerText()).toContain('Choose Batched first');
    await demo.click('[data-mode=batched]');
    const isAlone = async () => (await drawn()).includes('batches are switched off');
    await demo.settledUntil(async () => (await drawn()).includes('batch') && !(await isAlone()));
    await press('alone');
    await demo.settledUntil(isAlone);
    await press('alone');
    await demo.settledUntil(async () => !(await isAlone()));
    await demo.click('[data-mode=index]');
  });

  it('deletes it by a button or by the key; then nothing is selected', async () => {
    const { total } = await counts();
    await press('remove');
    await clickPane('#player', 0.5, 0.75);
    expect(await card().isVisible()).toBe(true);
    await demo.press('Delete');
    expect((await counts()).total).toBe(total - 2);
    expect(await card().isVisible()).toBe(false);
    expect(await page.evaluate(() => window.__demo.picked)).toBeNull();
  });

  it('is reached by keys alone, and closed by Escape; where nothing is, there is none', async () => {
    await demo.press('Enter');
    expect(await focused()).toBe('card');
    for (const at of ['node', 'hide', 'rest', 'alone', 'remove', 'close']) {
      await page.keyboard.press('Tab');
      expect(await focused()).toBe(at);
    }
    await page.keyboard.press('Escape');
    await settled();
    expect(await card().isVisible()).toBe(false);
    expect(await focused()).toBe('player');
    await clickPane('#player', 0.2, 0.02);
    expect(await card().isVisible()).toBe(false);
  });

  it('is shown again', () => pickSomething('#player'));
  demo.itIsAccessible();
});

describeDemo('the card and what to look for', { search: 't=0', width: 1024, height: 620 }, () => {
  it.each(['1024x620', '600x900', '390x844', '844x390'])('are not open at once, at %s', async (size) => {
    const [width, height] = size.split('x').map(Number) as [number, number];
    await page.setViewportSize({ width, height });
    await settled();
    const [about, summary] = [page.locator('.about'), page.locator('.about summary')];
    const isOpen = () => about.evaluate((note) => (note as HTMLDetailsElement).open);
    if (!(await isOpen())) await summary.click();
    expect([await isOpen(), await card().isVisible()]).toEqual([true, false]);
    await clickPane('#player', 0.5, 0.75);
    expect([await isOpen(), await card().isVisible()]).toEqual([false, true]);
    const [note, { y }] = [await demo.box('.about'), await demo.box('#card')];
    expect(note.y + note.height).toBeLessThanOrEqual(y);
    await summary.click();
    expect([await isOpen(), await card().isVisible()]).toEqual([true, false]);
  });
});

describe.each(['cities', 'range'])('in the world %s', (world) => {
  describeDemo('the card', `t=8&world=${world}`, () => {
    it('says how the object is drawn and why a button does nothing; hides, shows and deletes it', async () => {
      await pickSomething('#above');
      expect(await drawn()).toContain('a single draw call');
      expect(await act('alone').getAttribute('title')).toContain('This world is not drawn in batches.');
      const before = await counts();
      await press('hide');
      expect(await fact('Class')).toBe('Culled, as it is hidden');
      await press('hide');
      expect(await counts()).toEqual(before);
      await press('remove');
      expect((await counts()).total).toBe(before.total - 1);
      expect(await card().isVisible()).toBe(false);
    });
  });
});

describeDemo('nodes in the view from above', { search: 't=0', width: 1280, height: 720 }, () => {
  it.each([
    ['range', ['Within range', 'Skill area', 'Nearest']],
    ['town', []],
  ])('have a legend for their colours and those of the world %s', async (name, colours) => {
    await demo.enter(name);
    const labels = await page.locator('#above .legend li:not(.depths)').allInnerTexts();
    expect(labels).toEqual(['Inside', 'Intersecting', 'Culled', 'Picked', ...colours]);
    expect(await page.locator('#above .legend').innerText()).toContain('Node depth');
  });

  it('light up and are described under the pointer', async () => {
    const { all } = await demo.readCanvas();
    await hoverPane('#above', 0.5, 0.5);
    expect(await nodeTitle()).toMatch(/^Node at depth \d+$/);
    expect(await nodeCard().locator('[data-key=verdict]').textContent()).toMatch(/^(Tested|Not tested): /);
    expect(demo.shareOfOthers(all, (await demo.readCanvas()).all)).toBeGreaterThan(0);
  });

  it('are kept by a click, walked by keys, and close by Escape, which gives the focus back', async () => {
    await clickPane('#above', 0.5, 0.5);
    const first = await nodeTitle();
    await page.keyboard.press('ArrowUp');
    expect(await nodeTitle()).not.toBe(first);
    await page.keyboard.press('ArrowDown');
    await hoverPane('#above', 0.1, 0.1);
    expect(await nodeTitle()).toBe(first);
    await nodeCard().focus();
    await page.keyboard.press('Escape');
    await page.mouse.move(2, 2);
    await settled();
    expect(await nodeCard().isVisible()).toBe(false);
    expect(await focused()).toBe('above');
  });

  demo.itIsAccessible();
});
