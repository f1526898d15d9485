import { expect, it } from 'vitest';
import * as acts from './acts.js';
import { describeDemo, distinctColours, onPanel, parameter, reported, settled } from './acts.js';

/** The share of the pixels of which a channel differs by more than 32 of 255. */
function shareOff(a: { pixels: Int32Array }, b: { pixels: Int32Array }): number {
  const isOff = (one: number, other: number) =>
    [0, 8, 16].some((shift) => Math.abs(((one >> shift) & 255) - ((other >> shift) & 255)) > 32);
  return a.pixels.filter((pixel, i) => isOff(pixel, b.pixels[i]!)).length / a.pixels.length;
}

const useLevels = (isOn: boolean) => onPanel(() => acts.control('Levels of detail').locator('input').setChecked(isOn));

describeDemo('the demo, statues', 'world=statues&t=6&statues=100&far=120', () => {
  it('draws far statues with fewer triangles once levels are made, and nearly the same picture', async () => {
    const all = async () => [await reported('Triangles drawn'), await reported('Without levels')] as const;
    // They are made one shape after another.
    let [drawn, without] = await all();
    while (!(without > 1.5 * drawn)) {
      await settled();
      [drawn, without] = await all();
    }
    expect((await distinctColours()).left).toBeGreaterThan(50);
    const before = await acts.playersView();
    await useLevels(false);
    expect(parameter('levels')).toBe('0');
    expect(await reported('Triangles drawn')).toBeGreaterThan(0.9 * without);
    expect(shareOff(await acts.playersView(), before)).toBeLessThan(0.004);
    await useLevels(true);
    // Levels of further shapes may have come.
    expect(await reported('Triangles drawn')).toBeLessThanOrEqual(drawn!);
  });

  it('shows levels in colour, and the difference', async () => {
    const before = await acts.playersView();
    await acts.choose('Colours', 'Levels in colour');
    expect(acts.shareOfOthers(await acts.playersView(), before)).toBeGreaterThan(0.02);
    await acts.choose('Colours', 'Stone');
    expect(shareOff(await acts.playersView(), before)).toBeLessThan(0.004);
    await acts.choose('Colours', 'The difference');
    expect(acts.shareOfOthers(await acts.playersView(), before)).toBeGreaterThan(0.1);
  });
});
