import { describe, expect, it } from 'vitest';
import * as acts from './acts.js';
import { describeDemo, distinctColours, enter, goAhead, onPanel, page, parameter, reported, settled } from './acts.js';

const hide = (isOn: boolean) => onPanel(() => acts.control('Occlusion culling').locator('input').setChecked(isOn));

const PLACES: readonly [place: string, seconds: number, share: number][] = [
  ['street', 6, 0.5],
  ['rooms', 10, 0.9],
];

describe.each(PLACES)('%s', (place, seconds, share) => {
  describeDemo('the demo, street', `world=street&place=${place}&t=${seconds}&far=160`, () => {
    it('hides most of what is in view, and draws the rest', async () => {
      // The code that hides is loaded, and has a picture behind it.
      while (!((await reported('Behind others')) > 0)) await settled();
      const [hidden, drawn] = [await reported('Behind others'), await reported('Objects drawn, on')];
      expect(hidden).toBeGreaterThan(share * (hidden + drawn));
      expect(drawn).toBeGreaterThan(20);
      // Highlights and the sky are drawn besides.
      expect(await reported('Draw calls, on')).toBeLessThan(drawn + 8);
      expect((await distinctColours()).left).toBeGreaterThan(50);
    });

    it('draws the same picture with and without what is hidden', async () => {
      const before = await acts.playersView();
      await hide(false);
      expect(parameter('occlusion')).toBe('0');
      // Of an object at the edge of the view the box may be in it, and not the ball that the renderer tests.
      expect(await reported('Draw calls, off')).toBeGreaterThan(0.99 * (await reported('Objects drawn, off')));
      expect(acts.shareOfOthers(await acts.playersView(), before)).toBe(0);
      await hide(true);
      expect(acts.shareOfOthers(await acts.playersView(), before)).toBe(0);
    });

    it('shows the depth buffer over the view', async () => {
      const before = await acts.playersView();
      const set = (isOn: boolean) =>
        onPanel(() => acts.control('Show the depth buffer').locator('input').setChecked(isOn));
      await set(true);
      const share = acts.shareOfOthers(await acts.playersView(), before);
      expect(share).toBeGreaterThan(0.05);
      expect(share).toBeLessThan(0.2);
      await set(false);
      expect(acts.shareOfOthers(await acts.playersView(), before)).toBe(0);
    });
  });
});

describeDemo('the demo, street, on foot', 'world=street&t=6&far=100', () => {
  it('walks on the ground, and not through walls', async () => {
    const [, [x, y, z]] = await goAhead();
    expect(y).toBe(0);
    expect(Math.hypot(x!, z!)).toBeGreaterThan(0);
    expect(parameter('autopilot')).toBe('0');
  });

  it('goes to the rooms', async () => {
    const before = await acts.eye();
    await acts.choose('Place', 'Rooms of the museum');
    const [x, , z] = await acts.eye();
    expect(Math.hypot(x! - before[0]!, z! - before[2]!)).toBeGreaterThan(10);
    expect(parameter('place')).toBe('rooms');
  });

  it('gives way to another world', async () => {
    await enter('town');
    expect(await page.evaluate(() => window.__demo.counts.total)).toBeGreaterThan(2000);
  });
});
