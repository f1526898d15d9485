import { describe, expect, it } from 'vitest';
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

/** Picks something in a pane, of a few places. */
async function pickSomething(pane: string, places: [x: number, y: number][]): Promise<void> {
  for (const [x, y] of places) {
    await demo.clickPane(pane, x, y);
    if (await card().isVisible()) return;
  }
  throw new Error('There is nothing to pick.');
}

/** Waits for what is said about drawing: batches are made on the way. */
async function waitUntilDrawn(isSo: (said: string) => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !isSo(await drawn()); turn++) await demo.settled();
  expect(await drawn()).toSatisfy(isSo);
}

demo.describeDemo('the card of a picked object', 't=8', () => {
  let picked = '';
  it('says what it is, how culling takes it, where it is in the tree and how it is drawn', async () => {
    await demo.clickPane('#player', 0.3, 0.75);
    picked = await card().locator('h2').innerText();
    expect(picked).toBe(await demo.page.evaluate(() => window.__demo.picked));
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
    expect(await demo.page.locator('.nodeCard li').allInnerTexts()).toContain(picked);
  });

  it('hides the object, and shows it again', async () => {
    const before = await demo.counts();
    await press('hide');
    expect((await demo.counts()).culled).toBe(before.culled + 1);
    expect(await fact('Class')).toBe('Culled, as it is hidden');
    expect(await drawn()).toContain('It is hidden');
    expect((await demo.counts()).visible).toBe(before.visible - 1);
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
    await waitUntilDrawn((said) => said.includes('batch'));
    await press('alone');
    await waitUntilDrawn((said) => said.includes('batches are switched off'));
    await press('alone');
    await waitUntilDrawn((said) => !said.includes('batches are switched off'));
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

  it('is shown again', () =>
    pickSomething('#player', [
      [0.5, 0.6],
      [0.4, 0.7],
      [0.6, 0.8],
    ]));
  demo.itIsAccessible();
});

demo.describeDemo('nothing under the pointer', 't=8', () => {
  it('leaves no card, but the ray', async () => {
    await demo.clickPane('#player', 0.2, 0.02);
    expect(await card().isVisible()).toBe(false);
    expect(await ray().innerText()).toMatch(/tested \d+ of \d+ nodes/);
  });
});

const IN_A_SWARM = 'a single draw call';
const NO_BATCHES = 'This world is not drawn in batches.';

const WORLDS: [world: string, pane: string, places: [number, number][], how: string, whyNotStatic: string][] = [
  ['cities', '#above', [[0.5, 0.5]], IN_A_SWARM, ''],
  [
    'range',
    '#above',
    [
      [0.5, 0.4],
      [0.45, 0.45],
      [0.55, 0.45],
      [0.4, 0.5],
      [0.6, 0.6],
      [0.3, 0.3],
    ],
    IN_A_SWARM,
    'It moves',
  ],
  [
    'forest&trees=1000',
    '#player',
    [
      [0.5, 0.8],
      [0.4, 0.6],
      [0.6, 0.7],
    ],
    'by itself',
    '',
  ],
];

describe.each(WORLDS)('the card of a picked object in other worlds: %s', (world, pane, places, how, whyNotStatic) => {
  demo.describeDemo('does what makes sense there', `t=8&world=${world}`, () => {
    it('says how it is drawn, and why a button does nothing', async () => {
      await pickSomething(pane, places);
      expect(await drawn()).toContain(how);
      const whyNot = world.startsWith('forest') ? 'Choose Batched first' : NO_BATCHES;
      expect(await act('alone').getAttribute('title')).toContain(whyNot);
      expect(await act('rest').getAttribute('title')).toContain(whyNotStatic);
    });

    it('hides it, shows it again and deletes it', async () => {
      const before = await demo.counts();
      const isSeen = (await fact('Class')) !== 'Culled';
      await press('hide');
      expect(await fact('Class')).toBe('Culled, as it is hidden');
      if (isSeen) expect((await demo.counts()).culled).toBe(before.culled + 1);
      await press('hide');
      expect(await demo.counts()).toEqual(before);
      await press('remove');
      expect((await demo.counts()).total).toBe(before.total - 1);
      expect(await card().isVisible()).toBe(false);
    });
  });
});
