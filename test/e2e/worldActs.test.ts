import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { METHODS } from '../../demo/worlds/collisions/setup/methods.js';
import { heightAt } from '../../demo/worlds/museum/land.js';
import { Crowd } from '../../demo/worlds/range/Crowd.js';
import { STRUCTURES } from '../../src/standalone.js';
import * as acts from './acts.js';
import { click, clickPane, describeDemo, page, readCanvas, reported, settled, settledUntil } from './acts.js';

const BASELINES = new URL('./baselines/canvas.json', import.meta.url);

const far = ([from, to]: [from: number[], to: number[]]) => Math.hypot(...to.map((value, i) => value - from[i]!));

/** Checks that all ways to draw make the same picture; a pixel or two of a batch may be rounded otherwise. */
async function expectSamePictures(modes: readonly string[], most: number): Promise<void> {
  const pictures: Int32Array[] = [];
  for (const mode of modes) {
    await click(`[data-mode=${mode}]`);
    pictures.push((await readCanvas()).all);
  }
  for (const other of pictures) expect(acts.shareOfOthers(pictures[0]!, other)).toBeLessThanOrEqual(most);
}

describeDemo('the town', 't=0', () => {
  it('has every object in one class, says how many there are, and draws both views', async () => {
    const { inside, intersecting, culled, visible, total } = await acts.counts();
    expect(total).toBeGreaterThan(1000);
    expect([inside + intersecting + culled, inside + intersecting]).toEqual([total, visible]);
    expect(Math.min(inside, culled)).toBeGreaterThan(100);
    expect(await page.locator('[data-key=visible-unit]').textContent()).toContain(total.toLocaleString('en'));
    const { left, right } = await acts.distinctColours();
    expect([left > 50, right > 20]).toEqual([true, true]);
  });

  it('draws the same picture in batches, in a few draw calls', async () => {
    const calls = async () => Number((await page.locator('[data-key=drawn]').textContent())!.replace(',', ''));
    expect(await calls()).toBeGreaterThan(300);
    await click('[data-mode=batched]');
    await settledUntil(async () => (await calls()) <= 60);
    await expectSamePictures(['batched', 'index'], 0.001);
  });

  it('draws plain three and batches side by side, each with a scene of its own, and a handle between them', async () => {
    await click('[data-mode=both]');
    const calls = async (side: string) =>
      Number((await page.locator(`.side[data-side=${side}] b`).first().textContent())!.replace(',', ''));
    await settledUntil(async () => (await calls('batched')) > 0 && (await calls('batched')) <= 60);
    expect(await calls('three')).toBeGreaterThan(1000);
    const handle = page.locator('.handle');
    const at = async () => Number(await handle.getAttribute('aria-valuenow'));
    await acts.press('ArrowLeft', '.handle');
    expect(await at()).toBe(48);
    const { x, y, width, height } = await acts.box('#player');
    await page.mouse.move(x + 0.48 * width, y + height / 3);
    await page.mouse.down();
    await page.mouse.move(x + 0.75 * width, y + height / 3);
    await page.mouse.up();
    await settled();
    expect([await at(), acts.parameter('handle'), acts.parameter('mode')]).toEqual([75, '75', 'both']);
    // Where the handle is at an end, all is drawn in one way: the picture is the same.
    const pictures: Int32Array[] = [];
    for (const key of ['Home', 'End']) {
      await acts.press(key, '.handle');
      pictures.push((await readCanvas()).all);
    }
    expect(acts.shareOfOthers(pictures[0]!, pictures[1]!)).toBeLessThanOrEqual(0.001);
  });

  it('switches by the keyboard, and remembers the way in the address', async () => {
    await click('[data-mode=index]');
    for (const name of ['batched', 'three', 'both', null]) {
      await acts.press('m');
      expect(acts.parameter('mode')).toBe(name);
      const button = page.locator(`[data-mode=${name ?? 'index'}]`);
      expect(await button.getAttribute('aria-pressed')).toBe('true');
    }
  });

  it('takes a new object on the ground, and lets go by Escape', async () => {
    const { total } = await acts.counts();
    await page.locator('#add').click();
    await clickPane('#above', 0.5, 0.5);
    expect((await acts.counts()).total).toBe(total + 1);
    expect(await page.locator('#card h2').textContent()).toMatch(/^New tree/);
    await acts.press('Escape');
    expect(await page.locator('#card').isVisible()).toBe(false);
    expect(await page.locator('#add').getAttribute('aria-pressed')).toBe('false');
  });

  it('is flown through by keys, and that ends the autopilot', async () => {
    expect(far(await acts.goAhead())).toBeGreaterThan(0.05);
    expect(await page.locator('#autopilot').getAttribute('aria-pressed')).toBe('false');
  });

  it('gives way to the cities, all places of the world', async () => {
    await acts.enter('cities');
    const { inside, intersecting, culled, total } = await acts.counts();
    expect([total, inside + intersecting + culled]).toEqual([135233, total]);
    expect(inside).toBeGreaterThan(1000);
  });
});

// With a pose of its own, as the default one depends on the height of the pane; and out of the layout, which depends on
// fonts.
describeDemo('the picture', 't=0&above=142_285_312_-14_-10_16', () => {
  it('is the one of the baseline, to the pixel', async () => {
    await page.evaluate(() => {
      const { style } = document.querySelector<HTMLElement>('.stage')!;
      Object.assign(style, { position: 'fixed', left: '0', top: '0', width: '640px', height: '360px' });
    });
    await settled();
    const { size, all } = await readCanvas();
    expect(size).toBe('640x360');
    const hash = createHash('sha256').update(all).digest('hex');
    if (process.env.UPDATE_BASELINES) writeFileSync(BASELINES, `${JSON.stringify({ town: hash }, null, 2)}\n`);
    expect(hash).toBe(JSON.parse(readFileSync(BASELINES, 'utf8')).town);
  });
});

describeDemo('the million', 'world=million&t=20&instances=20000', () => {
  it('draws the instances in view with the same picture in both ways, and says what each costs', async () => {
    expect(await page.locator('#report').innerText()).toContain('of 20,000 instances');
    for (const [mode, part] of [
      ['index', /Index[\d.]+ ms/],
      ['three', /Plain three[\d.]+ ms/],
    ] as const) {
      await click(`[data-mode=${mode}]`);
      await settledUntil(async () => part.test((await page.locator('#hud').textContent())!));
    }
    // The code that indexes instances is loaded on the way.
    await settledUntil(async () => (await reported('Index')) === (await reported('Plain three')));
    expect(await reported('Index')).toBeGreaterThan(100);
    expect(await reported('Index')).toBeLessThan(5000);
    await expectSamePictures(['index', 'three'], 0);
    expect((await acts.distinctColours()).left).toBeGreaterThan(100);
  });

  it('names the box under the pointer, picks it, and lets go by Escape', async () => {
    const card = page.locator('#card');
    let at = -1;
    const place = () => [(0.5 + (at % 10)) / 10, 0.3 + Math.floor(at / 10) / 20] as const;
    while (++at < 100 && !(await card.isVisible())) await clickPane('#player', ...place());
    const [title] = (await card.innerText()).match(/^Box [\d,]+/)!;
    await page.keyboard.press('Escape');
    expect(await card.isVisible()).toBe(false);
    at--;
    await acts.hoverPane('#player', 0.5, 0.5);
    await acts.hoverPane('#player', ...place());
    expect(await page.locator('#tip').innerText()).toBe(title);
  });
});

describeDemo('the range', 'world=range&t=5&entities=3000&reach=40&nearest=3&skill=box', () => {
  it('finds who is within range, as a look at each one does', async () => {
    const crowd = new Crowd(3000);
    crowd.moveTo(5);
    const [x, , z] = await acts.eye();
    const { data } = crowd.places.image;
    let within = 0;
    for (let i = 0; i < 3000; i++) if (Math.hypot(data[4 * i]! - x!, data[4 * i + 1]! - z!) <= 40) within++;
    expect(within).toBeGreaterThan(10);
    expect((await acts.report())['Within range']).toBe(`${within} figures`);
  });

  it('gives the same answers with every structure, to a box and to a sector', async () => {
    for (const skill of ['Box on the ground', 'Sector']) {
      await acts.choose('Skill', skill);
      const before = [await acts.counts(), await acts.report()] as const;
      expect(Number.parseFloat(before[1]['Skill area']!)).toBeGreaterThan(0);
      // Frames take their time without a graphics card: boxes are compared with those of brute force alone.
      await acts.withEachStructure(skill === 'Sector' ? STRUCTURES : ['bruteForce'], async () => {
        expect([await acts.counts(), await acts.report()]).toEqual(before);
      });
    }
  });

  it('is walked by keys on the ground, and entities come and go, as the address remembers', async () => {
    const [from, to] = await acts.goAhead();
    expect(far([from, to])).toBeGreaterThan(0.02);
    expect(to[1]).toBe(0);
    for (const count of ['6000', '1500']) {
      await acts.setNumber('Entities', count);
      expect((await acts.counts()).total).toBe(Number(count));
      expect(acts.parameter('entities')).toBe(count);
    }
  });
});

describeDemo('the museum', 'world=museum&t=0&trees=50', () => {
  const making = () => page.locator('.making');
  const said: string[] = [];

  it('says how many meshes have levels while some have yet to be made, and then no more', async () => {
    await settledUntil(async () => {
      if (await making().isVisible()) said.push((await making().textContent())!);
      // The worker that makes levels shares the processor with frames.
      await page.waitForTimeout(250);
      return said.length > 0 && (await making().isHidden());
    });
    const counts = said.map((text) => /^Making levels, (\d+) of (\d+)$/.exec(text)!.slice(1).map(Number));
    // Eight scans, two kinds of trees, and the land.
    for (const [made, total] of counts as [number, number][]) expect([total, made < total]).toEqual([11, true]);
  });

  it('has a tenth of the triangles once levels are made, and nearly the same picture', async () => {
    // Where a long time breaks a line of the instruments, the views would change their size.
    await page.evaluate(() => {
      Object.assign(document.querySelector<HTMLElement>('#hud')!.style, { height: '200px', overflow: 'hidden' });
    });
    await settled();
    const [drawn, all] = [await reported('Levels'), await reported('Plain three')];
    expect(await reported('figure')).toBe(drawn);
    expect(drawn).toBeLessThan(all / 10);
    // The land alone has more.
    expect(drawn).toBeLessThan(320_000 / 2);
    const { size, player } = await readCanvas();
    for (const mode of ['batched', 'three']) {
      await click(`[data-mode=${mode}]`);
      expect(acts.parameter('mode')).toBe(mode);
      expect(await reported('figure')).toBeGreaterThan(5 * drawn);
      const other = await readCanvas();
      expect(other.size).toBe(size);
      expect(acts.shareOfOthers(other.player, player, 32)).toBeLessThan(0.004);
    }
    await click('[data-mode=levels]');
    await settledUntil(async () => (await reported('figure')) === drawn);
  });

  it('says what each way costs: of the GPU only where the context can time it', async () => {
    const canTime = await page.evaluate(() =>
      window.__demo.view.renderer.extensions.has('EXT_disjoint_timer_query_webgl2'),
    );
    const rows = Object.keys(await page.evaluate(() => window.__demo.report));
    const ways = ['levels', 'batched', 'plain three'].map((way) => `GPU, ${way}`);
    expect(rows.filter((row) => /GPU|frame,/.test(row))).toEqual(canTime ? ways : []);
    expect(await page.locator('#hud dd[data-key^=cpu-]:visible').count()).toBe(3);
  });

  it('shows: Levels in colour', async () => {
    const { player } = await readCanvas();
    await acts.choose('Colours', 'Levels in colour');
    expect(acts.shareOfOthers((await readCanvas()).player, player)).toBeGreaterThan(0.02);
    await acts.choose('Colours', 'Their own');
  });

  it('shows: The difference, which is next to nothing', async () => {
    const before = await readCanvas();
    await acts.choose('Colours', 'The difference');
    const { size, player } = await readCanvas();
    expect(acts.shareOfOthers(player, before.player)).toBeGreaterThan(0.1);
    const caption = page.locator('.difference');
    expect(await caption.innerText()).toMatch(/^Difference from plain three\s+0\s+12\.5 % or more$/);
    expect((await acts.box('.difference')).y).toBeGreaterThan((await acts.box('#player')).y);
    // In the corner, without the border of that.
    const height = Number(size.split('x')[1]);
    const width = player.length / height;
    const corner = player.filter((_, i) => i % width > 0.63 * width && i / width > 0.63 * height);
    const isBright = (pixel: number) => [0, 8, 16].some((shift) => ((pixel >> shift) & 255) > 64);
    expect(corner.filter(isBright).length / corner.length).toBeLessThan(0.02);
    await acts.choose('Colours', 'Their own');
    expect(await caption.isVisible()).toBe(false);
  });

  it('has trees as many as one likes, each of thousands of triangles, of which few are drawn', async () => {
    const before = await reported('Plain three');
    const drawn = await reported('Levels');
    await acts.setNumber('Trees', '150');
    expect(acts.parameter('trees')).toBe('150');
    const more = (await reported('Plain three')) - before;
    expect(more).toBeGreaterThan(90 * 10_000);
    await settledUntil(async () => (await reported('Levels')) < drawn + more / 10);
  });

  it('is walked through by keys, above the ground', async () => {
    const [from, to] = await acts.goAhead();
    expect(far([from, to])).toBeGreaterThan(0);
    const [x, y, z] = to as [number, number, number];
    expect(y).toBeGreaterThan(heightAt(x, z));
  });
});

describeDemo('the street', 'world=street&t=6&far=160', () => {
  it('hides most of what is in view, with the same picture, and shows the depth buffer over it', async () => {
    // The code that hides is loaded, and has a picture behind it.
    await settledUntil(async () => (await reported('Behind others')) > 0);
    const [hidden, drawn] = [await reported('Behind others'), await reported('Drawn')];
    expect(hidden).toBeGreaterThan(0.5 * (hidden + drawn));
    // Highlights and the sky are drawn besides.
    const calls = await page.locator('#hud [data-key=drawn-occlusion]').textContent();
    expect(Number(calls!.replaceAll(',', ''))).toBeLessThan(drawn + 8);
    const { player } = await readCanvas();
    const others = async () => acts.shareOfOthers((await readCanvas()).player, player);
    for (const mode of ['index', 'three']) {
      await click(`[data-mode=${mode}]`);
      expect(await reported('Behind others')).toBe(0);
      expect(await reported('Drawn')).toBeGreaterThan(2 * drawn);
      expect(await others()).toBeLessThan(0.0001);
    }
    await click('[data-mode=occlusion]');
    await acts.turn('Show the depth buffer', true);
    expect(Math.abs((await others()) - 0.125)).toBeLessThan(0.075);
  });

  it('is walked through on the ground', async () => {
    const [from, to] = await acts.goAhead();
    expect(to[1]).toBe(0);
    expect(far([from, to])).toBeGreaterThan(0);
    expect(acts.parameter('autopilot')).toBe('0');
  });
});

const collisions = 'world=collisions&t=1&objects=500&trialFrames=2&rampLimit=10&rampMost=400&nodes=none';

describeDemo('collisions', { search: collisions, width: 900, height: 640 }, () => {
  const press = (key: string) => acts.press(key, '#arena');
  const caption = () => page.locator('.arena .caption').textContent();
  /** The cells of one column, by their place. */
  const column = (at: number) => page.locator(`.methods tbody td:nth-of-type(${at})`).allTextContents();
  const verdict = `${METHODS.length} methods, the same pairs in each of 2 frames.`;

  it('finds the same pairs with every method, by itself; each has a key', async () => {
    await page.locator('.verdict', { hasText: verdict }).waitFor();
    for (const [i, { id }] of METHODS.entries()) {
      await press('1234567890'[i]!);
      expect(await page.locator('.methods [aria-pressed=true]').getAttribute('data-method')).toBe(id);
    }
    const pairs = await column(5);
    expect(Number(pairs[0])).toBeGreaterThan(10);
    expect(pairs).toEqual(METHODS.map(() => pairs[0]));
    expect(await column(6)).toEqual(METHODS.map(() => 'yes'));
  });

  it('draws collisions red; a region shows its candidates in green, and how many each method has', async () => {
    const { red, green } = await readColours();
    expect([red > 100, green]).toEqual([true, 0]);
    await press('x');
    expect((await readColours()).green).toBeGreaterThan(50);
    expect(await caption()).toMatch(/^Packed: \d+ candidates in \d+ nodes, \d+ in/);
    const [all, ...others] = (await column(8)).map(Number);
    expect(all).toBe(500);
    expect(Math.max(...others)).toBeLessThan(500);
    await press('Escape');
    expect(await caption()).toMatch(/^Packed: 500 objects/);
  });

  it('takes an object by a click, and runs and ramps all methods by keys', async () => {
    await clickPane('#arena', 0.5, 0.55);
    expect(await caption()).toContain('501 objects');
    await press('r');
    await page.locator('.verdict', { hasText: verdict }).waitFor();
    await press('l');
    await expect
      .poll(async () => (await column(7)).every((text) => /^\d+\+?$/.test(text)), { timeout: 60_000 })
      .toBe(true);
  });

  it('keeps the choices in the address, and gives the stage back', async () => {
    await click('[data-dimensions="3"]');
    await page.waitForFunction(() => location.search.includes('dimensions=3'));
    await acts.enter('town');
    expect(await page.locator('.custom-view').count()).toBe(0);
    expect([await page.locator('#player').isVisible(), await page.locator('#hud').isVisible()]).toEqual([true, true]);
  });
});

/** How many pixels are of the colour of collisions, and of candidates. */
async function readColours(): Promise<{ red: number; green: number }> {
  let [red, green] = [0, 0];
  for (const pixel of (await readCanvas()).all) {
    const [r, g, b] = [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255] as const;
    if (r > 120 && r > 1.8 * g && r > 1.8 * b) red++;
    if (g > 100 && g > 1.3 * r && g > 2 * b) green++;
  }
  return { red, green };
}
